import { editorDefaults, labelStyle, showRowsWhen } from '../shared/editor-kit.ts';
import { serveFields } from './serve.fields.ts';

const outputs = ['events', 'asks'] as const;

/** Where programs find it, as they would write it. */
function showAddress(): void {
  const input = $('#node-input-path');
  const root = RED.settings.httpNodeRoot ?? '/';
  const show = (): void => {
    const parts = `${root}/${String(input.val())}/generate_plan`.split('/').filter((part) => part !== '');
    $('#folkmoot-serve-address').text(`${location.origin}/${parts.join('/')}`);
  };
  input.on('input change', show);
  show();
}

RED.nodes.registerType('folkmoot-serve', {
  category: 'folkmoot',
  color: '#C0DEED',
  icon: 'folkmoot-serve.svg',
  defaults: editorDefaults('folkmoot-serve', serveFields),
  credentials: {
    user: { type: 'text' },
    password: { type: 'password' },
    token: { type: 'password' },
    submitToken: { type: 'password' },
  },
  inputs: 0,
  outputs: 2,
  asksOutput: 1,
  paletteLabel: 'serve',
  label() {
    return this.name || `serve ${String(this['path'] ?? '')}`.trim();
  },
  labelStyle() {
    return labelStyle(this);
  },
  outputLabels(index) {
    return this._(`folkmoot-serve.output.${outputs[index] ?? 'events'}`);
  },
  oneditprepare() {
    showRowsWhen($('#node-input-authentication'));
    showAddress();
  },
});
