import { dialogTabs, editorDefaults, itemsOf, labelStyle, saveSetting } from '../shared/editor-kit.ts';
import { drawFunction, readFunction, type ShownFunction } from './function-form.editor.ts';
import { languageFields } from './language.fields.ts';

type View = 'list' | 'json';

/** The dialog that is open: its text editor, and the view that holds the truth. */
let editor: TextEditor | undefined;
let view: View = 'list';

const functionList = (): JQuery => $('#node-config-input-functions-list');

function fillList(functions: readonly ShownFunction[]): void {
  functionList().editableList('empty');
  for (const shown of functions) functionList().editableList('addItem', { ...shown });
}

const readList = (): ShownFunction[] => itemsOf(functionList()).flatMap((item) => readFunction(item) ?? []);

/** The functions in the text, or nothing when it is no list of functions. */
function readText(): ShownFunction[] | undefined {
  if (!editor) return undefined;
  try {
    const functions: unknown = JSON.parse(editor.getValue() || '[]');
    return Array.isArray(functions) && functions.every((shown) => typeof shown === 'object' && shown !== null)
      ? (functions as ShownFunction[])
      : undefined;
  } catch {
    return undefined;
  }
}

/** What the dialog holds now, if it can be read. */
const readNow = (): ShownFunction[] | undefined => (view === 'json' ? readText() : readList());

function show(next: View, node: EditorNode): void {
  if (next === view) return;
  const functions = readNow();
  if (!functions) {
    RED.notify(node._('folkmoot-language.error.json'), 'error');
    return;
  }
  view = next;
  if (next === 'json') {
    editor?.setValue(JSON.stringify(functions, null, 2));
    editor?.resize();
  } else fillList(functions);
}

function close(): void {
  editor?.destroy();
  editor = undefined;
}

RED.nodes.registerType('folkmoot-language', {
  category: 'config',
  color: '#C0DEED',
  icon: 'folkmoot-language.svg',
  defaults: editorDefaults('folkmoot-language', languageFields),
  paletteLabel: 'what the house can do',
  label() {
    return this.name || 'what the house can do';
  },
  labelStyle() {
    return labelStyle(this);
  },
  oneditprepare() {
    const saved = (this['functions'] as readonly ShownFunction[] | undefined) ?? [];
    view = 'list';
    functionList()
      .addClass('folkmoot-list')
      .editableList<ShownFunction>({
        height: 'auto',
        sortable: true,
        removable: true,
        addButton: this._('folkmoot-language.add.function'),
        addItem: (container, _index, data) => drawFunction(container, data, this),
      });
    fillList(saved);
    editor = RED.editor.createEditor({
      id: 'node-config-input-functions-editor',
      mode: 'ace/mode/json',
      value: JSON.stringify(saved, null, 2),
    });
    const tabs = [
      { id: 'folkmoot-language-tab-list', label: this._('folkmoot-language.tab.list') },
      { id: 'folkmoot-language-tab-json', label: this._('folkmoot-language.tab.json') },
    ];
    dialogTabs('folkmoot-language-tabs', tabs, (id) => show(id.endsWith('json') ? 'json' : 'list', this));
  },
  oneditsave() {
    const functions = readNow();
    if (!functions) RED.notify(this._('folkmoot-language.error.json'), 'error');
    close();
    return functions ? saveSetting(this, 'functions', functions) : false;
  },
  oneditcancel() {
    close();
  },
});
