/** The rows of an apply node in its dialog: one for each output behind the report. */
import { categoriesOf, functionsOf, itemsOf, nameRemoveButton, type KnownFunction } from '../shared/editor-kit.ts';
import type { ApplyRow } from './apply.fields.ts';

/** A row on the screen: `was` is its output when the dialog opened, nothing for a new one. */
interface ShownRow extends Partial<ApplyRow> {
  was?: number;
  key?: string;
}

const kinds = ['function', 'category', 'device', 'else'] as const;
const untargeted: readonly unknown[] = ['device', 'else'];
const usualWaitMs = (kind: unknown): number => (kind === 'device' ? 5000 : 300);
let newRows = 0;

/** What is wrong with rows, in words: a function or category that is gone, a row twice, a row without a name. */
export function faultsOfRows(
  rows: readonly ApplyRow[],
  functions: readonly KnownFunction[],
  node: EditorNode,
): string[] {
  return rows.flatMap((row, index) => {
    const fault = faultOfRow(row, rows.slice(0, index), functions);
    return fault ? [node._(`folkmoot-apply.error.${fault}`, { target: row.target })] : [];
  });
}

function faultOfRow(
  row: ApplyRow,
  before: readonly ApplyRow[],
  functions: readonly KnownFunction[],
): 'twice' | 'empty' | 'gone' | undefined {
  if (before.some((other) => other.kind === row.kind && (untargeted.includes(row.kind) || other.target === row.target)))
    return 'twice';
  if (untargeted.includes(row.kind)) return undefined;
  if (!row.target) return 'empty';
  if (functions.length === 0) return undefined;
  const names = row.kind === 'function' ? functions.map((known) => known.name) : categoriesOf(functions);
  return names.includes(row.target) ? undefined : 'gone';
}

/** Wires follow their rows: the map from old to new outputs that Node-RED reads when the dialog is saved. */
export function keepOutputs(savedRows: number): void {
  const map: Record<string, number> = { 0: 0 };
  for (let port = 1; port <= savedRows; port++) map[port] = -1;
  itemsOf($('#node-input-rows-list')).forEach((item, index) => {
    const shown = item.data('data') as ShownRow;
    map[shown.was ?? (shown.key ??= `new-${++newRows}`)] = index + 1;
    item.find('.folkmoot-output').text(`→ ${index + 2}`);
  });
  $('#node-input-outputs').val(JSON.stringify(map));
}

function readRow(item: JQuery): ApplyRow {
  const kind = String(item.find('.folkmoot-kind').val()) as ApplyRow['kind'];
  const waitMs = Number(item.find('.folkmoot-wait').val());
  return {
    kind,
    target: untargeted.includes(kind) ? '' : String(item.find('.folkmoot-target').val() ?? '').trim(),
    ...(item.find('.folkmoot-run').prop('checked') ? { runWithoutAsking: true } : {}),
    ...(Number.isFinite(waitMs) && waitMs > 0 && waitMs !== usualWaitMs(kind) ? { waitMs } : {}),
  };
}

function checkbox(label: string): JQuery {
  return $('<label class="folkmoot-check">').append(
    '<input type="checkbox" class="folkmoot-run"> ',
    $('<span>').text(label),
  );
}

function drawRow(container: JQuery, row: ShownRow, node: EditorNode, changed: () => void): void {
  const word = (id: string): string => node._(`folkmoot-apply.row.${id}`);
  const kind = $('<select class="folkmoot-kind">').attr('aria-label', word('kind'));
  for (const value of kinds)
    kind.append(
      $('<option>')
        .val(value)
        .text(node._(`folkmoot-apply.option.${value}`)),
    );
  const target = $('<input type="text" class="folkmoot-target" autocomplete="off">').attr('aria-label', word('target'));
  const wait = $('<input type="text" inputmode="numeric" class="folkmoot-wait">').val(
    row.waitMs ?? usualWaitMs(row.kind),
  );
  const first = $('<div class="folkmoot-line">').append(kind, target, '<span class="folkmoot-output">');
  const second = $('<div class="folkmoot-line">').append(
    checkbox(word('run')),
    $('<label class="folkmoot-check">').append($('<span>').text(`${word('wait')} `), wait, ' ms'),
  );
  container.append(first, second);
  kind.val(row.kind ?? 'function').on('change', () => {
    // A time that nobody chose is that of the new kind.
    if (kinds.some((one) => String(usualWaitMs(one)) === wait.val())) wait.val(usualWaitMs(kind.val()));
    target
      .toggle(!untargeted.includes(kind.val()))
      .attr('list', `folkmoot-apply-${kind.val() === 'category' ? 'categories' : 'functions'}`);
    changed();
  });
  target.val(row.target ?? '').on('input', changed);
  second.find('.folkmoot-run').prop('checked', row.runWithoutAsking === true);
  kind.trigger('change');
  nameRemoveButton(container, word('kind'));
}

function offer(functions: readonly KnownFunction[]): void {
  const options = (values: readonly string[]): JQuery[] => values.map((value) => $('<option>').attr('value', value));
  $('#folkmoot-apply-functions')
    .empty()
    .append(options(functions.map((known) => known.name)));
  $('#folkmoot-apply-categories')
    .empty()
    .append(options(categoriesOf(functions)));
}

/** Shows the rows and marks faulty ones in red. @returns what reads them. */
export function rowList(node: EditorNode, rows: readonly ApplyRow[]): () => ApplyRow[] {
  const list = $('#node-input-rows-list');
  const read = (): ApplyRow[] => itemsOf(list).map(readRow);
  const mark = (): void => {
    const functions = functionsOf(String($('#node-input-language').val() ?? ''));
    const shown = read();
    itemsOf(list).forEach((item, index) => {
      const row = shown[index];
      const fault = row && faultOfRow(row, shown.slice(0, index), functions);
      item
        .find('.folkmoot-kind, .folkmoot-target')
        .toggleClass('input-error', fault !== undefined)
        .attr('title', fault ? node._(`folkmoot-apply.error.${fault}`, { target: row.target }) : '');
    });
  };
  const changed = (): void => {
    keepOutputs(rows.length);
    mark();
  };
  list.addClass('folkmoot-list').editableList<ShownRow>({
    height: 'auto',
    sortable: true,
    removable: true,
    addButton: node._('folkmoot-apply.add.rows'),
    addItem: (container, _index, row) => drawRow(container, row, node, changed),
    removeItem: changed,
    sortItems: changed,
  });
  rows.forEach((row, index) => list.editableList('addItem', { ...row, was: index + 1 }));
  const language = $('#node-input-language');
  language.on('change', () => {
    offer(functionsOf(String(language.val() ?? '')));
    mark();
  });
  language.trigger('change');
  return read;
}
