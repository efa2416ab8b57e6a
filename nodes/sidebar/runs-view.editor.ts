/** The view *Runs*: what the teams of this Node-RED do and did, live, newest first. */
import type { RunLook } from '../../engine/watch/run-look.ts';
import { element, iconButton } from './element.editor.ts';
import { searchText } from './run-marks.editor.ts';
import { createRunRows } from './run-rows.editor.ts';
import { nameOfStep } from './run-row.editor.ts';
import { createRunsStore } from './runs-store.editor.ts';
import { words, type RenderedView, type SidebarView, type ViewTools } from './view.editor.ts';

const tickMs = 1_000;

/** What stays while other views are shown. */
interface Kept {
  readonly store: ReturnType<typeof createRunsStore>;
  readonly open: Set<string>;
  filter: string;
  isPaused: boolean;
}

export function runsView(): SidebarView {
  const kept: Kept = { store: createRunsStore(), open: new Set(), filter: '', isPaused: false };
  return {
    type: 'folkmoot-view',
    id: 'runs',
    label: words('runs.label'),
    icon: 'fa-list-ul',
    order: 10,
    render: (container, tools) => render(container, tools, kept),
  };
}

function render(container: HTMLElement, tools: ViewTools, kept: Kept): RenderedView {
  const { store } = kept;
  const rows = createRunRows(tools, kept.open, () => store.now());
  const note = element('div', { class: 'folkmoot-note', role: 'status' });
  let isFetching = false;
  let isStale = true;

  const isSeen = (): boolean => container.getClientRects().length > 0;

  /** Nothing is fetched for nobody: what came while the sidebar was hidden is fetched when it is seen again. */
  function onNews(): void {
    isStale = true;
    if (kept.isPaused) draw();
    else if (isSeen()) refresh();
  }

  function refresh(): void {
    if (!isStale || isFetching || kept.isPaused) return;
    isStale = false;
    isFetching = true;
    void store.fetch(tools).then(() => {
      isFetching = false;
      draw();
      refresh();
    });
  }

  function draw(): void {
    const found = store.runs.filter((run) => isFound(run, kept.filter, tools));
    rows.draw(found);
    const lines = noteOf(kept, found.length, isStale);
    // It is read aloud when it changes, and only then.
    if (note.textContent !== lines.map((line) => line.textContent).join('')) note.replaceChildren(...lines);
  }

  const changed = (): void => {
    draw();
    refresh();
  };
  const ends = [tools.onNews('runs', onNews), tools.onNodes(() => rows.redraw())];
  const seen = new IntersectionObserver(() => {
    if (isSeen()) refresh();
  });
  seen.observe(container);
  const ticking = setInterval(() => rows.tick(), tickMs);
  container.append(barOf(kept, changed), rows.list, note);
  changed();
  return {
    close() {
      for (const end of ends) end();
      seen.disconnect();
      clearInterval(ticking);
    },
  };
}

function isFound(run: RunLook, filter: string, tools: ViewTools): boolean {
  if (!filter) return true;
  const text = searchText(run, (step) => nameOfStep(run, step, tools));
  return filter.split(/\s+/).every((word) => text.includes(word));
}

/** @param changed Called after each use. */
function barOf(kept: Kept, changed: () => void): HTMLElement {
  const filter = element('input', {
    type: 'text',
    class: 'folkmoot-filter',
    placeholder: words('runs.filter'),
    'aria-label': words('runs.filter'),
    autocomplete: 'off',
  });
  filter.value = kept.filter;
  filter.addEventListener('input', () => {
    kept.filter = filter.value.trim().toLowerCase();
    changed();
  });
  const pause = iconButton('fa-pause', words('runs.pause'), () => {
    kept.isPaused = !kept.isPaused;
    showPause();
    changed();
  });
  const showPause = (): void => {
    const title = words(kept.isPaused ? 'runs.resume' : 'runs.pause');
    pause.title = title;
    pause.setAttribute('aria-label', title);
    pause.firstElementChild?.setAttribute('class', `fa ${kept.isPaused ? 'fa-play' : 'fa-pause'}`);
  };
  showPause();
  return element(
    'div',
    { class: 'folkmoot-bar' },
    filter,
    pause,
    iconButton('fa-ban', words('runs.clear'), () => {
      kept.store.clear();
      changed();
    }),
  );
}

/** What the list itself doesn't say. */
function noteOf({ store, isPaused }: Kept, found: number, hasNews: boolean): HTMLElement[] {
  const line = (id: string, values?: Record<string, unknown>) => element('p', { text: words(`runs.${id}`, values) });
  const count = store.runs.length;
  const notes: HTMLElement[] = [];
  if (store.status === 401 || store.status === 403) return [line('not-allowed')];
  if (store.status !== undefined && store.status !== 200) notes.push(line('unreachable'));
  if (isPaused) notes.push(line(hasNews ? 'waiting-news' : 'paused'));
  if (count > 0 && found === 0) notes.push(line('nothing-found'));
  else if (count > 0 && found < count) notes.push(line('shown', { shown: found, number: count }));
  else if (count > 0) notes.push(line(count === 1 ? 'count-one' : 'count', { number: count }));
  else if (store.isCleared) notes.push(line('cleared'));
  else if (store.status === 200) {
    const empty = element('p', { class: 'folkmoot-empty', text: words('runs.empty') });
    notes.push(empty, line('what-to-do'), line('before'));
  }
  return notes;
}
