import { editorDefaults, labelStyle, showRowsWhen } from '../shared/editor-kit.ts';
import { busOutFields } from './bus-out.fields.ts';

RED.nodes.registerType('folkmoot-bus-out', {
  category: 'folkmoot',
  color: '#C0DEED',
  icon: 'folkmoot-bus-out.svg',
  align: 'right',
  defaults: editorDefaults('folkmoot-bus-out', busOutFields),
  inputs: 1,
  outputs: 0,
  paletteLabel: 'bus out',
  label() {
    const target = this['mode'] === 'topic' ? this['topic'] : this['mode'] === 'stream' ? this['stream'] : '';
    return this.name || (target ? String(target) : 'bus out');
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-bus-out.input.message');
  },
  oneditprepare() {
    showRowsWhen($('#node-input-mode'));
    showRowsWhen($('#node-input-form'));
  },
});
