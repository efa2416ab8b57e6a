/** The form of one parameter of a function. What it does not show (synonyms) is kept as it was. */
import { itemsOf, nameRemoveButton } from '../shared/editor-kit.ts';

/** A parameter as it is saved; more properties than these are kept. */
export interface ShownParameter {
  readonly name?: string;
  readonly label?: string;
  readonly type?: string;
  readonly required?: boolean;
  readonly unit?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly allowedValues?: readonly string[];
}

/** What a form can say in full; lists and objects have parts, which are written as text. */
const plainTypes = ['string', 'integer', 'number', 'boolean', 'datetime'] as const;
const nestedTypes = ['list', 'object'] as const;

/** Comma-separated text as a list; blank parts are left out. */
export const listOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(',')
    .flatMap((part) => part.trim() || []);

/** A copy without properties that are blank, so that a spec stays as short as it was written. */
export function withoutBlanks<T extends object>(spec: T): T {
  const isBlank = (value: unknown): boolean =>
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => !isBlank(value))) as T;
}

function input(kind: string, label: string, value: unknown): JQuery {
  return $('<input type="text" autocomplete="off">')
    .addClass(`folkmoot-p-${kind}`)
    .attr({ 'aria-label': label, placeholder: label, title: label })
    .val(value === undefined ? '' : String(value));
}

/** Words of the node that shows the form, by their ids. */
export interface ParameterWords {
  readonly word: (id: string) => string;
  readonly typeWord: (type: string) => string;
  /** Whether lists and objects may be chosen. Default: no. */
  readonly nested?: boolean;
}

/** Draws one parameter in two lines. */
export function drawParameter(container: JQuery, parameter: ShownParameter, given: ParameterWords): void {
  const { word, typeWord, nested = false } = given;
  const types = nested ? [...plainTypes, ...nestedTypes] : plainTypes;
  const type = $('<select class="folkmoot-p-type">').attr({ 'aria-label': word('type'), title: word('type') });
  for (const value of types) type.append($('<option>').val(value).text(typeWord(value)));
  const required = $('<input type="checkbox" class="folkmoot-p-required">').prop(
    'checked',
    parameter.required === true,
  );
  container.append(
    $('<div class="folkmoot-line">').append(
      input('name', word('name'), parameter.name),
      input('label', word('label'), parameter.label),
      type,
      $('<label class="folkmoot-check">').append(required, $('<span>').text(` ${word('required')}`)),
    ),
    $('<div class="folkmoot-line">').append(
      input('allowed', word('allowed'), (parameter.allowedValues ?? []).join(', ')),
      input('minimum', word('minimum'), parameter.minimum),
      input('maximum', word('maximum'), parameter.maximum),
      input('unit', word('unit'), parameter.unit),
    ),
  );
  type.val(parameter.type ?? 'string');
  nameRemoveButton(container, word('name'));
}

function readParameter(item: JQuery): ShownParameter {
  const text = (kind: string): string => String(item.find(`.folkmoot-p-${kind}`).val() ?? '').trim();
  const amount = (kind: string): number | undefined => {
    const value = Number(text(kind));
    return text(kind) === '' || !Number.isFinite(value) ? undefined : value;
  };
  return withoutBlanks({
    ...(item.data('data') as ShownParameter),
    name: text('name'),
    label: text('label'),
    type: text('type'),
    required: item.find('.folkmoot-p-required').prop('checked') === true,
    allowedValues: listOf(text('allowed')),
    minimum: amount('minimum'),
    maximum: amount('maximum'),
    unit: text('unit'),
  }) as ShownParameter;
}

/** The parameters of a list, in order; those without a name are left out. */
export const readParameters = (list: JQuery): ShownParameter[] =>
  itemsOf(list).flatMap((item) => {
    const parameter = readParameter(item);
    return parameter.name ? [parameter] : [];
  });
