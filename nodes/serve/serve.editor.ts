import { editorDefaults, labelStyle, showRowsWhen } from '../shared/editor-kit.ts';
import { serveFields } from './serve.fields.ts';

const outputs = ['events', 'asks'] as const;

/** Where programs find it, as they would write it. */
function showAddress(): void {
  const input = $('#node-input-path');
  const mcp = $('#node-input-mcp');
  const root = RED.settings.httpNodeRoot ?? '/';
  const addressOf = (endpoint: string): string => {
    const parts = `${root}/${String(input.val())}/${endpoint}`.split('/').filter((part) => part !== '');
    return `${location.origin}/${parts.join('/')}`;
  };
  const show = (): void => {
    $('#folkmoot-serve-address').text(addressOf('generate_plan'));
    $('#folkmoot-serve-mcp').text(addressOf('mcp'));
    $('.folkmoot-serve-acts').toggle(mcp.is(':checked'));
  };
  input.on('input change', show);
  mcp.on('change', show);
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
