import { dialogTabs, editorDefaults, labelStyle, showRowsWhen } from '../shared/editor-kit.ts';
import { backboneFields } from './backbone.fields.ts';

const input = (setting: string): JQuery => $(`#node-config-input-${setting}`);

/** Connections that were saved before a setting existed show its default, and not "off". */
function fillIn(node: EditorNode): void {
  for (const [setting, field] of Object.entries(backboneFields)) {
    if (node[setting] !== undefined) continue;
    if (field.kind === 'boolean') input(setting).prop('checked', field.default);
    else input(setting).val(String(field.default));
  }
}

/** What is asked about encryption matters only when an address is encrypted. */
function showEncryption(): void {
  const rows = $('#folkmoot-backbone-tab-encryption');
  const show = (): void => {
    const addresses = [
      input('bus').val() === 'in-process' ? '' : String(input('busUrl').val()),
      input('store').val() === 'embedded' ? '' : String(input('storeUrl').val()),
    ];
    const isEncrypted = addresses.some((address) => /^\s*(mqtts|ssl|tls|wss|rediss|valkeys):|^\s*\$\{/i.test(address));
    rows.find('[data-encrypted=yes]').toggle(isEncrypted);
    rows.find('[data-encrypted=no]').toggle(!isEncrypted);
    $('#folkmoot-backbone-unverified').toggle(isEncrypted && !input('verifyServer').prop('checked'));
  };
  for (const setting of ['bus', 'busUrl', 'store', 'storeUrl', 'verifyServer']) input(setting).on('input change', show);
  show();
}

function showAddressForm(node: EditorNode): void {
  const show = (): void => {
    const isMqtt = input('bus').val() === 'mqtt';
    input('busUrl').attr('placeholder', node._(`folkmoot-backbone.placeholder.${isMqtt ? 'busUrl' : 'storeUrl'}`));
  };
  input('bus').on('change', show);
  show();
}

interface Checked {
  readonly isOk: boolean;
  readonly text: string;
}

const credentials = {
  busUser: { type: 'text' },
  busPassword: { type: 'password' },
  storeUser: { type: 'text' },
  storePassword: { type: 'password' },
} as const;

/** What the dialog holds now, saved or not. */
function asEntered(): { settings: Record<string, unknown>; credentials: Record<string, unknown> } {
  const settings: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(backboneFields)) {
    settings[name] = kind === 'boolean' ? Boolean(input(name).prop('checked')) : String(input(name).val() ?? '');
  }
  const secrets: Record<string, unknown> = {};
  for (const name of Object.keys(credentials)) secrets[name] = String(input(name).val() ?? '');
  return { settings, credentials: secrets };
}

/** Tries bus and store from where Node-RED runs, and says how it went. */
function testButton(node: EditorNode): void {
  const button = $('#folkmoot-backbone-test');
  const result = $('#folkmoot-backbone-result').hide();
  const show = (...lines: string[]): void => {
    result.empty().show();
    for (const line of lines) result.append($('<div>').text(line));
  };
  const marked = (what: 'bus' | 'store', { isOk, text }: Checked): string =>
    `${isOk ? '✓' : '✗'} ${node._(`folkmoot-backbone.test.${what}`, { text })}`;
  // What was found out is about other settings then.
  button.closest('form').on('input change', () => result.hide());
  button.on('click', () => {
    button.prop('disabled', true);
    show(node._('folkmoot-backbone.test.running'));
    void $.ajax({
      url: 'folkmoot-admin/backbone/test',
      method: 'POST',
      contentType: 'application/json',
      data: JSON.stringify({ id: node.id, ...asEntered() }),
    })
      .done(({ bus, store }: { bus: Checked; store: Checked }) => show(marked('bus', bus), marked('store', store)))
      .fail((_request, _status, text) => show(node._('folkmoot-backbone.test.failed', { text })))
      .always(() => button.prop('disabled', false));
  });
}

RED.nodes.registerType('folkmoot-backbone', {
  category: 'config',
  color: '#C0DEED',
  icon: 'folkmoot-backbone.svg',
  defaults: editorDefaults('folkmoot-backbone', backboneFields),
  credentials,
  paletteLabel: 'connections',
  label() {
    return this.name || (this['bus'] !== 'in-process' && this['busUrl'] ? String(this['busUrl']) : 'connections');
  },
  labelStyle() {
    return labelStyle(this);
  },
  oneditprepare() {
    fillIn(this);
    dialogTabs(
      'folkmoot-backbone-tabs',
      ['messages', 'memory', 'encryption', 'people'].map((tab) => ({
        id: `folkmoot-backbone-tab-${tab}`,
        label: this._(`folkmoot-backbone.tab.${tab}`),
      })),
    );
    showRowsWhen(input('bus'));
    showRowsWhen(input('store'));
    showEncryption();
    showAddressForm(this);
    testButton(this);
  },
});
