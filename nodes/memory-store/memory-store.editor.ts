import { editorDefaults, labelStyle } from '../shared/editor-kit.ts';
import { memoryStoreFields } from './memory-store.fields.ts';

RED.nodes.registerType('folkmoot-memory-store', {
  category: 'config',
  color: '#C0DEED',
  icon: 'folkmoot-memory-store.svg',
  defaults: editorDefaults('folkmoot-memory-store', memoryStoreFields),
  paletteLabel: 'memory store',
  label() {
    return this.name || `memories: ${String(this['space'] ?? 'home')}`;
  },
  labelStyle() {
    return labelStyle(this);
  },
});
