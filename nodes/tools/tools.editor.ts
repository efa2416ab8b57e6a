import { editorDefaults, labelStyle, saveSetting, textList } from '../shared/editor-kit.ts';
import { toolsFields } from './tools.fields.ts';

let readOnly: (() => string[]) | undefined;

RED.nodes.registerType('folkmoot-tools', {
  category: 'folkmoot',
  color: '#DEBD5C',
  icon: 'folkmoot-tools.svg',
  defaults: editorDefaults('folkmoot-tools', toolsFields),
  inputs: 1,
  outputs: 0,
  answersAsks: true,
  paletteLabel: 'tools',
  label() {
    const toolbox = RED.nodes.node(String(this['toolbox'] ?? ''));
    return this.name || (toolbox ? RED.utils.getNodeLabel(toolbox) : 'tools');
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-tools.input.message');
  },
  oneditprepare() {
    readOnly = textList($('#node-input-only-list'), {
      values: this['only'],
      label: this._('folkmoot-tools.placeholder.only'),
      addLabel: this._('folkmoot-tools.add.only'),
    });
  },
  oneditsave() {
    const changed = saveSetting(this, 'only', readOnly?.() ?? []);
    readOnly = undefined;
    return changed;
  },
});
