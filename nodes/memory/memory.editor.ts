import { editorDefaults, labelStyle } from '../shared/editor-kit.ts';
import { memoryFields } from './memory.fields.ts';

RED.nodes.registerType('folkmoot-memory', {
  category: 'folkmoot',
  color: '#C0DEED',
  icon: 'folkmoot-memory.svg',
  defaults: editorDefaults('folkmoot-memory', memoryFields),
  inputs: 1,
  outputs: 1,
  answersAsks: true,
  paletteLabel: 'memory',
  label() {
    const operation = String(this['operation'] ?? 'message');
    return this.name || (operation === 'message' ? 'memory' : operation);
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-memory.input.message');
  },
  outputLabels() {
    return this._('folkmoot-memory.output.result');
  },
});
