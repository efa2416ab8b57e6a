/** Config node: where memories are kept and how they are found again. */
import { defineNode } from '../shared/define-node.ts';
import type { Red } from '../shared/red.ts';
import { provideMemoryStore } from './lease-memory.ts';
import { memoryStoreFields } from './memory-store.fields.ts';

export default function memoryStore(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-memory-store',
    fields: memoryStoreFields,
    start({ node, config, faults }) {
      provideMemoryStore(node, { ...config, faults });
      return {};
    },
  });
}
