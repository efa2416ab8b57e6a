import {
  editorDefaults,
  labelStyle,
  markUnknownFunctions,
  offerFunctions,
  saveSetting,
  showRowsWhen,
  textList,
} from '../shared/editor-kit.ts';
import { blackboardFields } from './blackboard.fields.ts';

const outputs = ['board', 'changes'] as const;
let readAccepts: () => string[] = () => [];

RED.nodes.registerType('folkmoot-blackboard', {
  category: 'folkmoot',
  color: '#C0DEED',
  icon: 'folkmoot-blackboard.svg',
  defaults: editorDefaults('folkmoot-blackboard', blackboardFields),
  inputs: 1,
  outputs: 2,
  paletteLabel: 'blackboard',
  label() {
    return this.name || `blackboard: ${String(this['operation'] ?? 'write')}`;
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-blackboard.input.message');
  },
  outputLabels(index) {
    return this._(`folkmoot-blackboard.output.${outputs[index] ?? 'board'}`);
  },
  oneditprepare() {
    const language = $('#node-input-language');
    offerFunctions($('#folkmoot-blackboard-functions'), language);
    readAccepts = textList($('#node-input-accepts-list'), {
      values: this['accepts'],
      label: this._('folkmoot-blackboard.placeholder.accepts'),
      addLabel: this._('folkmoot-blackboard.add.accepts'),
      choices: 'folkmoot-blackboard-functions',
    });
    markUnknownFunctions($('#node-input-accepts-list'), language, this._('folkmoot-blackboard.error.unknown'));
    showRowsWhen($('#node-input-operation'));
  },
  oneditsave() {
    return saveSetting(this, 'accepts', readAccepts());
  },
});
