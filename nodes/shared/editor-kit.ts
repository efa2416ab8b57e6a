/** What the dialogs of our nodes share. Bundled into each page; runs in the browser only. */
import { defaultsOf, faultOf, type Fields } from './fields.ts';

/** Colours of the three families (node-red-conventions.md 10), for reading; definitions hold the literal. */
export type NodeType = `folkmoot-${string}`;

/** The editor's `defaults`, with faults that name a setting as its row in the dialog does. */
export function editorDefaults(type: NodeType, fields: Fields): Record<string, Record<string, unknown>> {
  const defaults = defaultsOf(fields);
  for (const [name, field] of Object.entries(fields)) {
    const entry = defaults[name];
    // While a dialog is open `outputs` holds the map from old to new ports.
    if (name === 'outputs') delete entry?.['validate'];
    if (!entry?.['validate']) continue;
    entry['validate'] = function (this: EditorNode, value: unknown, _options: unknown): true | string {
      const id = `${type}.label.${name}`;
      const label = this._(id);
      return faultOf(label.endsWith(id) ? name : label, field, value) ?? true;
    };
  }
  return defaults;
}

export const labelStyle = (node: EditorNode): string => (node.name ? 'node_label_italic' : '');

/** The value of a row while its dialog is open, else the saved one. */
export function valueNow(node: EditorNode, setting: string, isConfig = false): string {
  const input = $(`#node-${isConfig ? 'config-' : ''}input-${setting}`);
  return String((input.length ? input.val() : node[setting]) ?? '');
}

/** Shows a choice that was saved as `${NAME}` as just that, and not as nothing. */
export function showVariable(setting: JQuery, saved: unknown): void {
  const value = String(saved ?? '');
  if (!value.startsWith('${')) return;
  setting.append($('<option>').val(value).text(value)).val(value);
}

/** Shows rows with `data-when="setting=a,b"` only while the setting, a `data-setting` choice, has one of the values. */
export function showRowsWhen(setting: JQuery): void {
  const rows = setting.closest('form').find(`[data-when^="${setting.attr('data-setting') ?? ''}="]`);
  const show = (): void => {
    const value = String(setting.val());
    rows.each((_index, row) => {
      const values = ($(row).attr('data-when') ?? '').split('=')[1]?.split(',') ?? [];
      $(row).toggle(values.includes(value));
    });
  };
  setting.on('change', show);
  show();
}

/** What a function of a language node looks like from here; more is kept untouched. */
export interface KnownFunction {
  readonly name: string;
  readonly category?: string;
  readonly risk?: string;
}

/** Functions of a language node, by its id; none when nothing is chosen. */
export function functionsOf(languageId: string): KnownFunction[] {
  const language = RED.nodes.node(languageId);
  const functions = language?.[language['kind'] === 'graphql' ? 'mutations' : 'functions'];
  return Array.isArray(functions) ? (functions as KnownFunction[]) : [];
}

export const categoriesOf = (functions: readonly KnownFunction[]): string[] => [
  ...new Set(functions.flatMap((known) => (known.category ? [known.category] : []))),
];

/** A list of lines of text, one input each. @returns what reads it. */
export function textList(
  list: JQuery,
  options: {
    readonly values: unknown;
    /** Said by screen readers for each input; shown in an empty one. */
    readonly label: string;
    readonly addLabel: string;
    /** Id of a `datalist` with what may be chosen. */
    readonly choices?: string;
  },
): () => string[] {
  list.addClass('folkmoot-list').editableList<{ value?: string }>({
    height: 'auto',
    sortable: true,
    removable: true,
    addButton: options.addLabel,
    addItem(container, _index, data) {
      const input = $('<input type="text" class="folkmoot-wide">')
        .attr({ 'aria-label': options.label, placeholder: options.label, autocomplete: 'off' })
        .val(data.value ?? '');
      if (options.choices) input.attr('list', options.choices);
      container.append(input);
      nameRemoveButton(container, options.label);
      if (data.value === undefined) input.trigger('focus');
    },
  });
  for (const value of Array.isArray(options.values) ? options.values : []) {
    list.editableList('addItem', { value: String(value) });
  }
  return () => itemsOf(list).flatMap((item) => String(item.find('input').val() ?? '').trim() || []);
}

/** The rows of an editable list, in order. */
export function itemsOf(list: JQuery): JQuery[] {
  const items: JQuery[] = [];
  list.editableList('items').each((_index, item) => {
    items.push($(item));
  });
  return items;
}

/** Node-RED's remove button of a row is an icon without a name. */
export function nameRemoveButton(container: JQuery, label: string): void {
  setTimeout(() => {
    const button = container.closest('li').children('.red-ui-editableList-item-remove');
    button.attr({ title: `× ${label}`, 'aria-label': `× ${label}` });
  }, 0);
}

/** Keeps a `datalist` filled with functions and categories of the language that is chosen in a dialog. */
export function offerFunctions(datalist: JQuery, language: JQuery): void {
  const fill = (): void => {
    const functions = functionsOf(String(language.val() ?? ''));
    const values = [
      ...functions.map((known) => known.name),
      ...categoriesOf(functions).map((name) => `category:${name}`),
    ];
    datalist.empty().append(values.map((value) => $('<option>').attr('value', value)));
  };
  language.on('change', fill);
  fill();
}

/** True for a name or `category:NAME` that a chosen language has; also when no language is chosen. */
export function isKnown(target: string, functions: readonly KnownFunction[]): boolean {
  if (functions.length === 0 || target === '') return true;
  const category = target.startsWith('category:') ? target.slice('category:'.length) : undefined;
  return category === undefined
    ? functions.some((known) => known.name === target)
    : categoriesOf(functions).includes(category);
}

/** Shows in red what the chosen language does not have (any more). */
export function markUnknownFunctions(list: JQuery, language: JQuery, title: string): void {
  const mark = (): void => {
    const functions = functionsOf(String(language.val() ?? ''));
    list.find('input').each((_index, input) => {
      const isWrong = !isKnown(String($(input).val() ?? '').trim(), functions);
      $(input)
        .toggleClass('input-error', isWrong)
        .attr('title', isWrong ? title : '');
    });
  };
  list.on('input change', mark);
  language.on('change', mark);
  mark();
}

/** True when two settings differ, compared as JSON. */
export const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

/** Saves a setting that has no input of its own. @returns whether it changed. */
export function saveSetting(node: EditorNode, setting: string, value: unknown): boolean {
  if (!differs(node[setting], value)) return false;
  node[setting] = value;
  return true;
}

/** Sets up the tabs of a dialog: each part of the form, named by its id, is shown by its tab. */
export function dialogTabs(
  id: string,
  parts: readonly { readonly id: string; readonly label: string }[],
  onShow?: (id: string) => void,
): { activateTab(id: string): void } {
  const tabs = RED.tabs.create({
    id,
    onchange(tab) {
      $(`#${id}-content`).children().hide();
      $(`#${tab.id}`).show();
      onShow?.(tab.id);
    },
  });
  for (const part of parts) tabs.addTab(part);
  const first = parts[0];
  if (first) tabs.activateTab(first.id);
  return tabs;
}
