import { editorDefaults, itemsOf, labelStyle, nameRemoveButton, saveSetting } from '../shared/editor-kit.ts';
import { senseFields, type SenseRule } from './sense.fields.ts';

interface Unit {
  readonly property: string;
  readonly unit: string;
}

const outputs = ['event', 'dropped'] as const;

function line(label: string, input: JQuery): JQuery {
  return $('<label class="folkmoot-line">').append($('<span class="folkmoot-line-label">').text(label), input);
}

function drawRule(container: JQuery, rule: Partial<SenseRule>, node: EditorNode): void {
  const word = (id: string): string => node._(`folkmoot-sense.rule.${id}`);
  const condition = $('<input type="text" class="folkmoot-condition">').val(rule.condition ?? '');
  const holds = $('<input type="text" inputmode="decimal" class="folkmoot-holds folkmoot-number">').val(
    rule.holdsForSeconds ?? 0,
  );
  const sentence = $('<input type="text" class="folkmoot-sentence">').val(rule.sentence ?? '');
  sentence.attr('placeholder', node._('folkmoot-sense.placeholder.sentence'));
  container.append(line(word('condition'), condition), line(word('holds'), holds), line(word('sentence'), sentence));
  condition.typedInput({ types: ['jsonata'], default: 'jsonata' });
  nameRemoveButton(container, word('rule'));
}

const readRule = (item: JQuery): SenseRule => ({
  condition: item.find('.folkmoot-condition').typedInput('value').trim(),
  holdsForSeconds: Math.max(0, Number(item.find('.folkmoot-holds').val()) || 0),
  sentence: String(item.find('.folkmoot-sentence').val() ?? '').trim(),
});

function drawUnit(container: JQuery, unit: Partial<Unit>, node: EditorNode): void {
  const field = (name: keyof Unit): JQuery =>
    $('<input type="text">')
      .addClass(`folkmoot-${name}`)
      .attr({ 'aria-label': node._(`folkmoot-sense.unit.${name}`), placeholder: node._(`folkmoot-sense.unit.${name}`) })
      .val(unit[name] ?? '');
  container.append($('<div class="folkmoot-line">').append(field('property'), field('unit')));
  nameRemoveButton(container, node._('folkmoot-sense.unit.unit'));
}

const textOf = (item: JQuery, selector: string): string => String(item.find(selector).val() ?? '').trim();
const readUnit = (item: JQuery): Unit => ({
  property: textOf(item, '.folkmoot-property'),
  unit: textOf(item, '.folkmoot-unit'),
});

function fill<T>(
  node: EditorNode,
  setting: 'rules' | 'units',
  draw: (container: JQuery, data: Partial<T>, node: EditorNode) => void,
): void {
  const list = $(`#node-input-${setting}-list`);
  list.addClass('folkmoot-list').editableList<Partial<T>>({
    height: 'auto',
    sortable: true,
    removable: true,
    addButton: node._(`folkmoot-sense.add.${setting}`),
    addItem: (container, _index, data) => draw(container, data, node),
  });
  for (const item of (node[setting] as readonly T[] | undefined) ?? []) list.editableList('addItem', { ...item });
}

RED.nodes.registerType('folkmoot-sense', {
  category: 'folkmoot',
  color: '#C0DEED',
  icon: 'folkmoot-sense.svg',
  defaults: editorDefaults('folkmoot-sense', senseFields),
  inputs: 1,
  outputs: 2,
  paletteLabel: 'sense',
  label() {
    return this.name || 'sense';
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-sense.input.message');
  },
  outputLabels(index) {
    return this._(`folkmoot-sense.output.${outputs[index] ?? 'event'}`);
  },
  oneditprepare() {
    fill<SenseRule>(this, 'rules', drawRule);
    fill<Unit>(this, 'units', drawUnit);
  },
  oneditsave() {
    const rules = itemsOf($('#node-input-rules-list')).map(readRule);
    const units = itemsOf($('#node-input-units-list')).map(readUnit);
    const changed = [
      saveSetting(
        this,
        'rules',
        rules.filter((rule) => rule.condition || rule.sentence),
      ),
      saveSetting(
        this,
        'units',
        units.filter((unit) => unit.property),
      ),
    ];
    return changed.includes(true);
  },
});
