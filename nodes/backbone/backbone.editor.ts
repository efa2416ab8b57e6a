import { editorDefaults, labelStyle, showRowsWhen } from '../shared/editor-kit.ts';
import { backboneFields } from './backbone.fields.ts';

RED.nodes.registerType('folkmoot-backbone', {
  category: 'config',
  color: '#C0DEED',
  icon: 'folkmoot-backbone.svg',
  defaults: editorDefaults('folkmoot-backbone', backboneFields),
  credentials: {
    busUser: { type: 'text' },
    busPassword: { type: 'password' },
    storeUser: { type: 'text' },
    storePassword: { type: 'password' },
  },
  paletteLabel: 'connections',
  label() {
    return this.name || (this['bus'] === 'mqtt' && this['busUrl'] ? String(this['busUrl']) : 'connections');
  },
  labelStyle() {
    return labelStyle(this);
  },
  oneditprepare() {
    showRowsWhen($('#node-config-input-bus'));
  },
});
