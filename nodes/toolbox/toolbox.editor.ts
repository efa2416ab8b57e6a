import { editorDefaults, labelStyle, saveSetting, showRowsWhen, textList } from '../shared/editor-kit.ts';
import { toolboxFields } from './toolbox.fields.ts';

let readArgs: (() => string[]) | undefined;
let readAllowed: (() => string[]) | undefined;

RED.nodes.registerType('folkmoot-toolbox', {
  category: 'config',
  color: '#DEBD5C',
  icon: 'folkmoot-toolbox.svg',
  defaults: editorDefaults('folkmoot-toolbox', toolboxFields),
  credentials: { headers: { type: 'password' }, environment: { type: 'password' } },
  paletteLabel: 'toolbox',
  label() {
    return this.name || this._(`folkmoot-toolbox.option.${String(this['kind'] ?? 'time')}`);
  },
  labelStyle() {
    return labelStyle(this);
  },
  oneditprepare() {
    readArgs = textList($('#node-config-input-args-list'), {
      values: this['args'],
      label: this._('folkmoot-toolbox.placeholder.args'),
      addLabel: this._('folkmoot-toolbox.add.args'),
    });
    readAllowed = textList($('#node-config-input-allowed-list'), {
      values: this['allowed'],
      label: this._('folkmoot-toolbox.placeholder.allowed'),
      addLabel: this._('folkmoot-toolbox.add.allowed'),
    });
    showRowsWhen($('#node-config-input-kind'));
  },
  oneditsave() {
    const changed = [
      saveSetting(this, 'args', readArgs?.() ?? []),
      saveSetting(this, 'allowed', readAllowed?.() ?? []),
    ];
    readArgs = undefined;
    readAllowed = undefined;
    return changed.includes(true);
  },
});
