import { editorDefaults, functionsOf, labelStyle, saveSetting, valueNow } from '../shared/editor-kit.ts';
import { faultsOfRows, keepOutputs, rowList } from './apply-rows.editor.ts';
import { applyFields, type ApplyRow } from './apply.fields.ts';

const defaults = editorDefaults('folkmoot-apply', applyFields);
defaults['rows'] = {
  ...defaults['rows'],
  validate(this: EditorNode, rows: unknown, _options: unknown): true | string[] {
    const functions = functionsOf(valueNow(this, 'language'));
    const faults = faultsOfRows(Array.isArray(rows) ? (rows as ApplyRow[]) : [], functions, this);
    return faults.length === 0 || faults;
  },
};

let readRows: () => ApplyRow[] = () => [];

RED.nodes.registerType('folkmoot-apply', {
  category: 'folkmoot',
  color: '#DEBD5C',
  icon: 'folkmoot-apply.svg',
  defaults,
  inputs: 1,
  outputs: 1,
  paletteLabel: 'apply',
  label() {
    return this.name || 'apply';
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-apply.input.message');
  },
  outputLabels(index) {
    const row = (this['rows'] as readonly ApplyRow[] | undefined)?.[index - 1];
    if (!row) return this._('folkmoot-apply.output.report');
    return row.target || this._(`folkmoot-apply.option.${row.kind}`);
  },
  oneditprepare() {
    const rows = (this['rows'] as readonly ApplyRow[] | undefined) ?? [];
    readRows = rowList(this, rows);
    keepOutputs(rows.length);
  },
  oneditsave() {
    return saveSetting(this, 'rows', readRows());
  },
});
