import {
  dialogTabs,
  differs,
  editorDefaults,
  itemsOf,
  labelStyle,
  saveSetting,
  showRowsWhen,
  valueNow,
} from '../shared/editor-kit.ts';
import { drawFunction, readFunction, type ShownFunction } from './function-form.editor.ts';
import { jsonListEditor, type JsonListEditor } from '../shared/editor/json-list.ts';
import { myDevices, type MyDevices } from './my-devices.editor.ts';
import { languageFields } from './language.fields.ts';
import { schemaForm, type SchemaForm } from './schema-form.editor.ts';

type View = 'list' | 'json';

/** The dialog that is open: its text, and the view that holds the truth. */
let text: JsonListEditor<ShownFunction> | undefined;
let view: View = 'list';
let schema: SchemaForm | undefined;
let mine: MyDevices | undefined;

const functionList = (): JQuery => $('#node-config-input-functions-list');

function fillList(functions: readonly ShownFunction[]): void {
  functionList().editableList('empty');
  for (const shown of functions) functionList().editableList('addItem', { ...shown });
}

const readList = (): ShownFunction[] => itemsOf(functionList()).flatMap((item) => readFunction(item) ?? []);

/** What the dialog holds now, if it can be read. */
const readNow = (): ShownFunction[] | undefined => (view === 'json' ? text?.read() : readList());

/** Goes to a view, unless the text can't be read: then it stays, and says why. */
function show(next: View): boolean {
  if (next === view) return true;
  const functions = readNow();
  if (!functions) return false;
  view = next;
  if (next === 'json') {
    text?.show(functions);
    text?.resize();
  } else fillList(functions);
  text?.check();
  return true;
}

function close(): void {
  text?.close();
  text = undefined;
  schema?.close();
  schema = undefined;
  mine?.close();
  mine = undefined;
}

/** A list of functions, or a schema: the other one is hidden, and kept. */
function chooseKind(node: EditorNode): void {
  const kind = $('#node-config-input-kind');
  const isGraphql = (): boolean => valueNow(node, 'kind', true) === 'graphql';
  // Of a version that knew one kind only.
  if (!node['kind']) kind.val(languageFields.kind.default);
  showRowsWhen(kind);
  schema = schemaForm(node, isGraphql);
  kind.on('change', () => {
    text?.check();
    schema?.check();
    schema?.resize();
  });
  schema.check();
}

/** What was saved before a setting existed has its default, and is not changed by being looked at. */
const saveAll = (node: EditorNode, settings: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(settings)
    .filter(([name, value]) =>
      differs(node[name] ?? languageFields[name as keyof typeof languageFields].default, value),
    )
    .map(([name, value]) => saveSetting(node, name, value))
    .includes(true);

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
    text = jsonListEditor({
      node: this,
      setting: 'functions',
      isInUse: () => view === 'json' && valueNow(this, 'kind', true) !== 'graphql',
      word: (fault, values) => this._(`folkmoot-language.error.${fault}`, values),
    });
    const tabs = [
      { id: 'folkmoot-language-tab-list', label: this._('folkmoot-language.tab.list') },
      { id: 'folkmoot-language-tab-json', label: this._('folkmoot-language.tab.json') },
      { id: 'folkmoot-language-tab-devices', label: this._('folkmoot-language.tab.devices') },
    ];
    const shown = dialogTabs('folkmoot-language-tabs', tabs, (id) => {
      // Not from inside of the change itself.
      if (!show(id.endsWith('json') ? 'json' : 'list'))
        setTimeout(() => shown.activateTab(id.replace('list', 'json')), 0);
    });
    mine = myDevices(this, readNow, (functions) => {
      fillList(functions);
      if (view === 'json') text?.show(functions);
    });
    $('#folkmoot-devices-open').on('click', () => {
      shown.activateTab('folkmoot-language-tab-devices');
      mine?.look();
    });
    chooseKind(this);
  },
  oneditsave() {
    const functions = readNow();
    const read = { ...schema?.read(), devices: mine?.read() ?? [] };
    close();
    return saveAll(this, { ...read, ...(functions ? { functions } : {}) });
  },
  oneditcancel() {
    close();
  },
});
