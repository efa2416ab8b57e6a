import { editorDefaults, labelStyle } from '../shared/editor-kit.ts';
import { toolResultFields } from './tool-result.fields.ts';

RED.nodes.registerType('folkmoot-tool-result', {
  category: 'folkmoot',
  color: '#DEBD5C',
  icon: 'folkmoot-tool-result.svg',
  align: 'right',
  defaults: editorDefaults('folkmoot-tool-result', toolResultFields),
  inputs: 1,
  outputs: 0,
  paletteLabel: 'tool result',
  label() {
    return this.name || 'tool result';
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-tool-result.input.message');
  },
});
