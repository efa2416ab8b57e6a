import { editorDefaults, labelStyle, showRowsWhen } from '../shared/editor-kit.ts';
import { routerFields } from './router.fields.ts';

const outputs = ['result', 'fallback', 'events', 'asks'] as const;

RED.nodes.registerType('folkmoot-router', {
  category: 'folkmoot',
  color: '#E6E0F8',
  icon: 'folkmoot-router.svg',
  defaults: editorDefaults('folkmoot-router', routerFields),
  inputs: 1,
  outputs: 4,
  asksOutput: 3,
  answersAsks: true,
  paletteLabel: 'router',
  label() {
    return this.name || 'router';
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-router.input.message');
  },
  outputLabels(index) {
    return this._(`folkmoot-router.output.${outputs[index] ?? 'result'}`);
  },
  oneditprepare() {
    showRowsWhen($('#node-input-approve'));
  },
});
