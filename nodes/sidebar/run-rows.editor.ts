/** The rows of the list on the page: made anew only when their run changed, so that who reads or selects is left alone. */
import type { RunLook } from '../../engine/watch/run-look.ts';
import { element } from './element.editor.ts';
import { duration } from './run-marks.editor.ts';
import { rowOf } from './run-row.editor.ts';
import { words, type ViewTools } from './view.editor.ts';

export interface RunRows {
  readonly list: HTMLElement;
  /** Shows these, in this order. */
  draw(runs: readonly RunLook[]): void;
  /** All anew, because nodes have other names. */
  redraw(): void;
  /** Runs that go on show how long they do. */
  tick(): void;
}

/**
 * @param open Ids of the runs that are open.
 * @param now The runtime's clock.
 */
export function createRunRows(tools: ViewTools, open: Set<string>, now: () => number): RunRows {
  const list = element('ul', { class: 'folkmoot-runs', 'aria-label': words('runs.list') });
  const made = new Map<string, { readonly look: RunLook; readonly row: HTMLElement }>();
  let shown: readonly RunLook[] = [];
  list.addEventListener('keydown', moveBetweenRuns);

  function rowFor(run: RunLook): HTMLElement {
    const known = made.get(run.run);
    if (known?.look === run) return known.row;
    const onToggle = (): void => {
      if (!open.delete(run.run)) open.add(run.run);
      made.delete(run.run);
      draw(shown);
    };
    const row = rowOf(run, { tools, isOpen: open.has(run.run), now: now(), onToggle });
    made.set(run.run, { look: run, row });
    return row;
  }

  function draw(runs: readonly RunLook[]): void {
    shown = runs;
    const ids = new Set(runs.map(({ run }) => run));
    for (const id of made.keys()) if (!ids.has(id)) made.delete(id);
    keepingFocus(list, () => arrange(list, runs.map(rowFor)));
  }

  return {
    list,
    draw,
    redraw() {
      made.clear();
      draw(shown);
    },
    tick() {
      for (const took of list.querySelectorAll<HTMLElement>('[data-since]')) {
        took.textContent = duration(now() - Number(took.dataset['since']));
      }
      const isOver = (one: HTMLElement) => Number(one.dataset['until']) < now();
      for (const asks of list.querySelectorAll<HTMLElement>('[data-until]'))
        if (isOver(asks)) made.delete(asks.closest<HTMLElement>('.folkmoot-run')?.dataset['run'] ?? '');
      if ([...list.querySelectorAll<HTMLElement>('[data-until]')].some(isOver)) draw(shown);
    },
  };
}

function arrange(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const wanted = new Set<Element>(rows);
  for (const row of [...list.children]) if (!wanted.has(row)) row.remove();
  rows.forEach((row, index) => {
    const now = list.children[index];
    if (now !== row) list.insertBefore(row, now ?? null);
  });
}

/** Who was on a button of a row that is made anew stays there. */
function keepingFocus(list: HTMLElement, draw: () => void): void {
  const focused = document.activeElement;
  const isOurs = focused instanceof HTMLElement && list.contains(focused);
  const run = isOurs ? focused.closest<HTMLElement>('.folkmoot-run')?.dataset['run'] : undefined;
  const part = isOurs ? focused.dataset['focus'] : undefined;
  draw();
  if (!run || list.contains(document.activeElement)) return;
  const row = [...list.children].find((one) => (one as HTMLElement).dataset['run'] === run);
  const same = [...(row?.querySelectorAll<HTMLElement>('[data-focus]') ?? [])].find(
    (one) => one.dataset['focus'] === part,
  );
  (same ?? row?.querySelector<HTMLElement>('.folkmoot-run-head'))?.focus({ preventScroll: true });
}

function moveBetweenRuns(event: KeyboardEvent): void {
  const heads = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.folkmoot-run-head')];
  const at = heads.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: heads.length - 1 }[event.key];
  const head = to === undefined ? undefined : heads[to];
  if (!head) return;
  event.preventDefault();
  head.focus();
}
