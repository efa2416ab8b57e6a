import { drawParameter, readParameters, type ShownParameter } from '../language/parameter-form.editor.ts';
import { editorDefaults, labelStyle, saveSetting, showRowsWhen, textList } from '../shared/editor-kit.ts';
import { toolFields } from './tool.fields.ts';

/** What reads the lists of the dialog that is open. */
let readSynonyms: (() => string[]) | undefined;
let readProperties: (() => string[]) | undefined;

const parameterList = (): JQuery => $('#node-input-parameters-list');

RED.nodes.registerType('folkmoot-tool', {
  category: 'folkmoot',
  color: '#DEBD5C',
  icon: 'folkmoot-tool.svg',
  defaults: editorDefaults('folkmoot-tool', toolFields),
  inputs: 1,
  outputs: 1,
  answersAsks: true,
  paletteLabel: 'tool',
  label() {
    return this.name || (this['builtIn'] ? this._(`folkmoot-tool.option.${String(this['builtIn'])}`) : 'tool');
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-tool.input.message');
  },
  outputLabels() {
    return this._('folkmoot-tool.output.call');
  },
  oneditprepare() {
    const words = {
      word: (id: string) => this._(`folkmoot-tool.parameter.${id}`),
      typeWord: (type: string) => this._(`folkmoot-tool.type.${type}`),
    };
    parameterList()
      .addClass('folkmoot-list')
      .editableList<ShownParameter>({
        height: 'auto',
        sortable: true,
        removable: true,
        addButton: this._('folkmoot-tool.add.parameters'),
        addItem: (container, _index, data) => drawParameter(container, data, words),
      });
    for (const parameter of (this['parameters'] as readonly ShownParameter[] | undefined) ?? [])
      parameterList().editableList('addItem', { ...parameter });
    readSynonyms = textList($('#node-input-synonyms-list'), {
      values: this['synonyms'],
      label: this._('folkmoot-tool.placeholder.synonyms'),
      addLabel: this._('folkmoot-tool.add.synonyms'),
    });
    readProperties = textList($('#node-input-properties-list'), {
      values: this['properties'],
      label: this._('folkmoot-tool.placeholder.properties'),
      addLabel: this._('folkmoot-tool.add.properties'),
    });
    for (const setting of ['builtIn', 'parametersBy', 'risk']) showRowsWhen($(`#node-input-${setting}`));
  },
  oneditsave() {
    const changed = [
      saveSetting(this, 'parameters', readParameters(parameterList())),
      saveSetting(this, 'synonyms', readSynonyms?.() ?? []),
      saveSetting(this, 'properties', readProperties?.() ?? []),
    ];
    readSynonyms = undefined;
    readProperties = undefined;
    return changed.includes(true);
  },
});
