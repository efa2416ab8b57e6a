/** The tab *Folkmoot* of the editor's sidebar: a tab within it for each view that is registered. */
import { element } from './element.editor.ts';
import { runsView } from './runs-view.editor.ts';
import { tools, words, type RenderedView, type SidebarView } from './view.editor.ts';

const viewType = 'folkmoot-view';
const icon = 'icons/node-red-contrib-folkmoot/folkmoot-sidebar.svg';

interface Shown {
  readonly id: string;
  readonly rendered: RenderedView;
}

const viewsNow = (): SidebarView[] =>
  [...(RED.plugins.getPluginsByType(viewType) as readonly SidebarView[])].sort((a, b) => a.order - b.order);

function makeSidebar(): { readonly content: HTMLElement; readonly open: () => void } {
  const tabs = element('div', { class: 'folkmoot-views', role: 'tablist', 'aria-label': words('label.views') });
  const place = element('div', { class: 'folkmoot-view', role: 'tabpanel', id: 'folkmoot-view', tabindex: '-1' });
  let shown: Shown | undefined;
  let isOpen = false;

  function show(view: SidebarView): void {
    if (shown?.id !== view.id) {
      shown?.rendered.close();
      place.replaceChildren();
      shown = { id: view.id, rendered: view.render(place, tools) };
    }
    drawTabs();
  }

  function drawTabs(): void {
    const hadFocus = tabs.contains(document.activeElement);
    tabs.replaceChildren(...viewsNow().map(tabOf));
    if (hadFocus) tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    const chosen = tabs.querySelector('[aria-selected="true"]')?.id;
    if (chosen) place.setAttribute('aria-labelledby', chosen);
  }

  function tabOf(view: SidebarView): HTMLElement {
    const isShown = view.id === shown?.id;
    return element(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `folkmoot-view-tab-${view.id}`,
        class: 'folkmoot-view-tab',
        'aria-selected': String(isShown),
        'aria-controls': place.id,
        tabindex: isShown ? '0' : '-1',
        onclick: () => show(view),
      },
      element('i', { class: `fa ${view.icon}`, 'aria-hidden': 'true' }),
      element('span', { text: view.label }),
    );
  }

  tabs.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const views = viewsNow();
    const next = step && views[(views.findIndex(({ id }) => id === shown?.id) + step + views.length) % views.length];
    if (!next) return;
    event.preventDefault();
    show(next);
  });

  /** Nothing is drawn or fetched before somebody looks. */
  const open = (): void => {
    isOpen = true;
    const [first] = viewsNow();
    if (!shown && first) show(first);
    else drawTabs();
  };
  RED.events.on('registry:plugin-added', () => {
    if (isOpen) open();
  });
  return { content: element('div', { class: 'folkmoot-sidebar' }, tabs, place), open };
}

RED.plugins.registerPlugin('folkmoot-sidebar', {
  type: 'folkmoot-sidebar',
  onadd() {
    const { content, open } = makeSidebar();
    const name = words('label.name');
    RED.sidebar.addTab({
      id: 'folkmoot',
      label: name,
      name,
      content,
      icon: `${RED.settings.apiRootUrl}${icon}`,
      action: 'folkmoot:show-sidebar',
      enableOnEdit: true,
      onchange: open,
    });
    RED.actions.add('folkmoot:show-sidebar', () => RED.sidebar.show('folkmoot'));
  },
});
RED.plugins.registerPlugin('folkmoot-view-runs', runsView());
