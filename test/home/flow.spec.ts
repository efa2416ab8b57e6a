import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { FunctionSpec } from '../../engine/language/function-spec.ts';
import { createLanguage } from '../../engine/language/language.ts';

interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly z?: string;
  readonly wires?: readonly (readonly string[])[];
  readonly [setting: string]: unknown;
}

const read = async <T>(name: string): Promise<T> =>
  JSON.parse(await readFile(new URL(`../../flows/${name}`, import.meta.url), 'utf8')) as T;

describe('the starter flow', () => {
  let nodes: readonly FlowNode[] = [];
  let functions: readonly FunctionSpec[] = [];
  before(async () => {
    nodes = await read<FlowNode[]>('home.json');
    functions = nodes.find((node) => node.type === 'folkmoot-language')?.['functions'] as FunctionSpec[];
  });

  it('holds the functions of flows/home.functions.json', async () => {
    assert.deepEqual(functions, await read<FunctionSpec[]>('home.functions.json'));
    assert.equal(createLanguage(functions).functions.length, functions.length);
  });

  it('has a row of apply for every function that has an effect, and agents only for functions that exist', () => {
    const known = new Set(functions.map((spec) => spec.name));
    const apply = nodes.find((node) => node.type === 'folkmoot-apply');
    const rows = (apply?.['rows'] as { target: string }[]).map((row) => row.target);
    assert.deepEqual(
      [...rows].sort(),
      functions
        .filter((spec) => spec.effect)
        .map((spec) => spec.name)
        .sort(),
    );
    assert.equal(apply?.['outputs'], rows.length + 1);
    assert.equal(apply?.wires?.length, rows.length + 1);
    const agents = nodes.filter((node) => node.type === 'folkmoot-agent');
    for (const name of agents.flatMap((agent) => [
      ...(agent['generates'] as string[]),
      ...(agent['accepts'] as string[]),
    ])) {
      assert.ok(known.has(name), name);
    }
  });

  it('has no loose wires, no ids twice and no secrets', () => {
    const ids = new Set(nodes.map((node) => node.id));
    assert.equal(ids.size, nodes.length);
    for (const id of nodes.flatMap((node) => (node.wires ?? []).flat())) assert.ok(ids.has(id), id);
    assert.doesNotMatch(JSON.stringify(nodes), /"credentials"|apiKey|password|"busUser"/i);
  });

  it('reads its broker and model from what npm start says', () => {
    const text = JSON.stringify(nodes);
    for (const name of ['MQTT_URL', 'MODEL_PROVIDER', 'MODEL_NAME', 'MODEL_URL', 'MODEL_TIMEOUT']) {
      assert.ok(text.includes(`\${FOLKMOOT_${name}}`), name);
    }
    assert.doesNotMatch(text, /mqtt:\/\/|127\.0\.0\.1|localhost/);
  });

  it('lets nodes of one tab overlap nowhere', () => {
    const placed = nodes.filter((node) => typeof node['x'] === 'number' && node.type !== 'group');
    for (const [index, one] of placed.entries()) {
      for (const other of placed.slice(index + 1)) {
        const isNear =
          one.z === other.z &&
          Math.abs(Number(one['x']) - Number(other['x'])) < 90 &&
          Math.abs(Number(one['y']) - Number(other['y'])) < 30;
        assert.ok(!isNear, `${one.id} and ${other.id}`);
      }
    }
  });
});
