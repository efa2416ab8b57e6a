/** The starter home shows the whole palette, and reads from left to right. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Placed {
  readonly id: string;
  readonly type: string;
  readonly z?: string;
  readonly x?: number;
  readonly wires?: readonly (readonly string[])[];
}

const root = new URL('../../', import.meta.url);
const json = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
const flow = json('flows/home.json') as readonly Placed[];
const { 'node-red': listed } = json('package.json') as { 'node-red': { nodes: Readonly<Record<string, string>> } };

describe('the starter home', () => {
  it('has every kind of node that the package brings', () => {
    const types = new Set(flow.map(({ type }) => type));
    const missing = Object.keys(listed.nodes)
      .filter((name) => name !== 'sidebar')
      .filter((name) => !types.has(`folkmoot-${name}`));
    assert.deepEqual(missing, []);
  });

  it('has no wire that runs from right to left', () => {
    const byId = new Map(flow.map((node) => [node.id, node]));
    const back = flow.flatMap((from) =>
      (from.wires ?? []).flat().flatMap((id) => {
        const to = byId.get(id);
        return from.x !== undefined && to?.x !== undefined && to.x <= from.x ? [`${from.id} → ${id}`] : [];
      }),
    );
    assert.deepEqual(back, []);
  });
});
