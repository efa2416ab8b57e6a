import { dialogTabs, editorDefaults, labelStyle, saveSetting, showRowsWhen } from '../shared/editor-kit.ts';
import { sideList } from './judge-sides.editor.ts';
import { judgeFields, type JudgeSide } from './judge.fields.ts';

const outputs = ['verdict', 'otherwise', 'events', 'asks'] as const;

/** What reads the sides of the dialog that is open. */
let readSides: (() => JudgeSide[]) | undefined;

RED.nodes.registerType('folkmoot-judge', {
  category: 'folkmoot',
  color: '#E6E0F8',
  icon: 'folkmoot-judge.svg',
  defaults: editorDefaults('folkmoot-judge', judgeFields),
  inputs: 1,
  outputs: 4,
  asksOutput: 3,
  paletteLabel: 'judge',
  label() {
    return this.name || 'judge';
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-judge.input.message');
  },
  outputLabels(index) {
    return this._(`folkmoot-judge.output.${outputs[index] ?? 'verdict'}`);
  },
  oneditprepare() {
    dialogTabs('folkmoot-judge-tabs', [
      { id: 'folkmoot-judge-tab-what', label: this._('folkmoot-judge.tab.what') },
      { id: 'folkmoot-judge-tab-limits', label: this._('folkmoot-judge.tab.limits') },
    ]);
    showRowsWhen($('#node-input-verdictBy'));
    readSides = sideList(this, this['sides']);
  },
  oneditsave() {
    const changed = saveSetting(this, 'sides', readSides?.() ?? []);
    readSides = undefined;
    return changed;
  },
});
