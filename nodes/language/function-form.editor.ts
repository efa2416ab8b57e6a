/** The form of one function: a line that is always seen, and the rest below it. What it does not show is kept. */
import { nameRemoveButton } from '../shared/editor-kit.ts';
import { drawParameter, listOf, readParameters, withoutBlanks, type ShownParameter } from './parameter-form.editor.ts';

/** A function as it is saved; more properties than these are kept. */
export interface ShownFunction {
  readonly name?: string;
  readonly category?: string;
  readonly risk?: string;
  readonly description?: string;
  readonly sentence?: string;
  readonly effect?: boolean;
  readonly repeatable?: boolean;
  readonly synonyms?: readonly string[];
  readonly parameters?: readonly ShownParameter[];
}

const risks = ['read', 'reversible', 'critical'] as const;
const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

type Word = (id: string) => string;

function input(kind: string, label: string, value: unknown): JQuery {
  return $('<input type="text" autocomplete="off">')
    .addClass(`folkmoot-f-${kind}`)
    .attr({ 'aria-label': label, placeholder: label, title: label })
    .val(String(value ?? ''));
}

function line(label: string, field: JQuery): JQuery {
  return $('<label class="folkmoot-line">').append($('<span class="folkmoot-line-label">').text(label), field);
}

function check(kind: string, label: string, isOn: boolean): JQuery {
  const box = $('<input type="checkbox">').addClass(`folkmoot-f-${kind}`).prop('checked', isOn);
  return $('<label class="folkmoot-check">').append(box, $('<span>').text(` ${label}`));
}

function riskChoice(node: EditorNode, label: string, value: string | undefined): JQuery {
  const choice = $('<select class="folkmoot-f-risk">').attr({ 'aria-label': label, title: label });
  for (const risk of risks)
    choice.append(
      $('<option>')
        .val(risk)
        .text(node._(`folkmoot-language.risk.${risk}`)),
    );
  return choice.val(value ?? 'reversible');
}

function parameterList(parameters: readonly ShownParameter[], node: EditorNode, word: Word): JQuery {
  const words = {
    word: (id: string) => node._(`folkmoot-language.parameter.${id}`),
    typeWord: (type: string) => node._(`folkmoot-language.type.${type}`),
    nested: true,
  };
  const list = $('<ol class="folkmoot-parameters">').attr('aria-label', word('parameters'));
  const part = $('<div>').append($('<span class="folkmoot-above">').text(word('parameters')), list);
  list.addClass('folkmoot-list').editableList<ShownParameter>({
    height: 'auto',
    sortable: true,
    removable: true,
    addButton: node._('folkmoot-language.add.parameter'),
    addItem: (container, _index, data) => drawParameter(container, data, words),
  });
  for (const parameter of parameters) list.editableList('addItem', { ...parameter });
  return part;
}

function details(shown: ShownFunction, node: EditorNode, word: Word): JQuery {
  return $('<div class="folkmoot-details">').append(
    line(word('description'), input('description', word('description'), shown.description)),
    line(word('sentence'), input('sentence', node._('folkmoot-language.placeholder.sentence'), shown.sentence)),
    line(word('synonyms'), input('synonyms', word('synonyms'), (shown.synonyms ?? []).join(', '))),
    $('<div class="folkmoot-line">').append(
      check('effect', word('effect'), shown.effect !== false),
      check('repeatable', word('repeatable'), shown.repeatable === true),
    ),
    parameterList(shown.parameters ?? [], node, word),
  );
}

/** Draws a function; a new one is open. */
export function drawFunction(container: JQuery, shown: ShownFunction, node: EditorNode): void {
  const word: Word = (id) => node._(`folkmoot-language.function.${id}`);
  const isNew = shown.name === undefined;
  const name = input('name', word('name'), shown.name);
  const below = details(shown, node, word);
  const arrow = $('<i class="fa" aria-hidden="true">');
  const button = $('<button type="button" class="red-ui-button red-ui-button-small folkmoot-open">').append(arrow);
  const open = (isOpen: boolean): void => {
    below.toggle(isOpen);
    button.attr({
      'aria-expanded': String(isOpen),
      title: word(isOpen ? 'close' : 'open'),
      'aria-label': word(isOpen ? 'close' : 'open'),
    });
    arrow.attr('class', `fa fa-chevron-${isOpen ? 'down' : 'right'}`);
  };
  button.on('click', () => open(!below.is(':visible')));
  container.append(
    $('<div class="folkmoot-line">').append(
      button,
      name,
      input('category', word('category'), shown.category),
      riskChoice(node, word('risk'), shown.risk),
    ),
    below,
  );
  name.on('input', () => name.toggleClass('input-error', !namePattern.test(String(name.val()))));
  open(isNew);
  nameRemoveButton(container, word('name'));
  if (isNew) name.trigger('focus');
}

/** The function of a row; nothing when it has no name. */
export function readFunction(item: JQuery): ShownFunction | undefined {
  const text = (kind: string): string => String(item.find(`.folkmoot-f-${kind}`).val() ?? '').trim();
  const isOn = (kind: string): boolean => item.find(`.folkmoot-f-${kind}`).prop('checked') === true;
  if (!text('name')) return undefined;
  const shown = withoutBlanks({
    ...(item.data('data') as ShownFunction),
    name: text('name'),
    category: text('category') || 'general',
    risk: text('risk'),
    sentence: text('sentence'),
    effect: isOn('effect'),
    repeatable: isOn('repeatable'),
    synonyms: listOf(text('synonyms')),
  });
  return { ...shown, description: text('description'), parameters: readParameters(item.find('.folkmoot-parameters')) };
}
