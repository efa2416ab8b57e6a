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
  const tabsById = new Map<string, HTMLElement>();
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

  /** The tabs themselves stay, for the key that chose one is still on its way through the page. */
  function drawTabs(): void {
    for (const view of viewsNow()) {
      const tab = tabsById.get(view.id) ?? tabOf(view);
      const isShown = view.id === shown?.id;
      tabsById.set(view.id, tab);
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      if (isShown) place.setAttribute('aria-labelledby', tab.id);
    }
    const inOrder = viewsNow().flatMap(({ id }) => tabsById.get(id) ?? []);
    if (inOrder.some((tab, index) => tabs.children[index] !== tab)) tabs.replaceChildren(...inOrder);
  }

  const tabOf = (view: SidebarView): HTMLElement =>
    element(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `folkmoot-view-tab-${view.id}`,
        class: 'folkmoot-view-tab',
        'aria-controls': place.id,
        onclick: () => show(view),
      },
      element('i', { class: `fa ${view.icon}`, 'aria-hidden': 'true' }),
      element('span', { text: view.label }),
    );

  tabs.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const views = viewsNow();
    const next = step && views[(views.findIndex(({ id }) => id === shown?.id) + step + views.length) % views.length];
    if (!next) return;
    event.preventDefault();
    show(next);
    tabsById.get(next.id)?.focus();
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
