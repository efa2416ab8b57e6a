import { editorDefaults, labelStyle, saveSetting, showRowsWhen, showVariable } from '../shared/editor-kit.ts';
import { jsonListEditor, type JsonListEditor } from '../shared/editor/json-list.ts';
import { modelFields } from './model.fields.ts';
import { tryButton } from './try-button.editor.ts';

let script: JsonListEditor<unknown> | undefined;

function close(): void {
  script?.close();
  script = undefined;
}

RED.nodes.registerType('folkmoot-model', {
  category: 'config',
  color: '#E6E0F8',
  icon: 'folkmoot-model.svg',
  defaults: editorDefaults('folkmoot-model', modelFields),
  credentials: { apiKey: { type: 'password' } },
  paletteLabel: 'model',
  label() {
    return this.name || [this['provider'], this['modelName']].filter(Boolean).join(' ') || 'model';
  },
  labelStyle() {
    return labelStyle(this);
  },
  oneditprepare() {
    const provider = $('#node-config-input-provider');
    showVariable(provider, this['provider']);
    const isInUse = (): boolean => provider.val() === 'scripted';
    script = jsonListEditor({
      node: this,
      setting: 'script',
      isInUse,
      word: (fault, values) => this._(`folkmoot-model.error.${fault}`, values),
    });
    showRowsWhen(provider);
    tryButton(this);
    provider.on('change', () => {
      script?.resize();
      script?.check();
    });
    script.check();
  },
  oneditsave() {
    const lines = script?.read();
    close();
    return lines ? saveSetting(this, 'script', lines) : false;
  },
  oneditcancel() {
    close();
  },
});
