import { editorDefaults, labelStyle, showRowsWhen } from '../shared/editor-kit.ts';
import { busInFields } from './bus-in.fields.ts';

RED.nodes.registerType('folkmoot-bus-in', {
  category: 'folkmoot',
  color: '#C0DEED',
  icon: 'folkmoot-bus-in.svg',
  defaults: editorDefaults('folkmoot-bus-in', busInFields),
  inputs: 0,
  outputs: 1,
  paletteLabel: 'bus in',
  label() {
    const source = this['mode'] === 'topic' ? this['topic'] : this['mode'] === 'stream' ? this['stream'] : '';
    return this.name || (source ? String(source) : 'bus in');
  },
  labelStyle() {
    return labelStyle(this);
  },
  outputLabels() {
    return this._('folkmoot-bus-in.output.message');
  },
  oneditprepare() {
    showRowsWhen($('#node-input-mode'));
    showRowsWhen($('#node-input-form'));
    const share = $('#node-input-shareWork');
    const showName = (): void => void $('#folkmoot-bus-in-share-name').toggle(share.is(':checked'));
    share.on('change', showName);
    showName();
  },
});
