import { editorDefaults, labelStyle, saveSetting, showRowsWhen } from '../shared/editor-kit.ts';
import { modelFields } from './model.fields.ts';

let scriptEditor: TextEditor | undefined;

function closeEditor(): void {
  scriptEditor?.destroy();
  scriptEditor = undefined;
}

/** The canned answers, or nothing when the text is no list. */
function readScript(): unknown[] | undefined {
  if (!scriptEditor) return undefined;
  try {
    const script: unknown = JSON.parse(scriptEditor.getValue() || '[]');
    return Array.isArray(script) ? script : undefined;
  } catch {
    return undefined;
  }
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
    scriptEditor = RED.editor.createEditor({
      id: 'node-config-input-script-editor',
      mode: 'ace/mode/json',
      value: JSON.stringify(this['script'] ?? [], null, 2),
    });
    const provider = $('#node-config-input-provider');
    showRowsWhen(provider);
    provider.on('change', () => scriptEditor?.resize());
  },
  oneditsave() {
    // A text that is no list is not taken: what was saved before stays.
    const script = readScript();
    closeEditor();
    return script ? saveSetting(this, 'script', script) : false;
  },
  oneditcancel() {
    closeEditor();
  },
});
