import assert from 'node:assert/strict';
import {
  core,
  deploy,
  load,
  nextAt,
  node,
  onTab,
  startServer,
  stopServer,
  unload,
  type FlowNode,
} from '../../test/red/red.ts';
import { defineNode } from '../shared/define-node.ts';
import { config, text } from '../shared/fields.ts';
import type { Red } from '../shared/red.ts';
import languageNode, { languageOf } from './language.ts';

/** Answers with the names of what its language can do. */
function reader(RED: Red): void {
  defineNode(RED, {
    type: 'test-reader',
    fields: { name: text(), language: config('folkmoot-language') },
    start: (kit) => ({
      input: (message, { send }) => {
        send({ ...message, payload: languageOf(RED, kit.config.language)?.functions.map(({ name }) => name) });
      },
    }),
  });
}

const modules = [languageNode, reader, ...core('catch')] as never[];
const ring = {
  name: 'RingBell',
  description: 'Rings the bell',
  category: 'bell',
  risk: 'reversible',
  effect: true,
  repeatable: false,
  parameters: [],
};
const flow = (functions: unknown, language = 'lang'): FlowNode[] => [
  { id: 'lang', type: 'folkmoot-language', functions },
  ...onTab([
    { id: 'r', type: 'test-reader', language, wires: [['end']] },
    { id: 'c', type: 'catch', scope: ['r'], uncaught: false, wires: [['caught']] },
    { id: 'end', type: 'helper', wires: [] },
    { id: 'caught', type: 'helper', wires: [] },
  ]),
];
const ask = (): void => node('r').receive({ payload: null });
const codeAt = async (): Promise<{ code: string; message: string }> => {
  const caught = nextAt('caught');
  ask();
  return (await caught).error as { code: string; message: string };
};

describe('the language node', () => {
  before(startServer);
  after(stopServer);
  afterEach(unload);

  it('gives its functions to the nodes that choose it', async () => {
    await load(modules, flow([ring]));
    const end = nextAt('end');
    ask();
    assert.deepEqual((await end).payload, ['RingBell']);
  });

  it('is nothing to a node that chooses none', async () => {
    await load(modules, flow([ring], ''));
    const end = nextAt('end');
    ask();
    assert.equal((await end).payload, undefined);
  });

  it('with a faulty function is told as an error to whoever uses it, and never stops the flow', async () => {
    await load(modules, flow([{ ...ring, risk: 'deadly' }]));
    assert.equal((await codeAt()).code, 'FOLKMOOT_MISSING_CONFIG');
  });

  it('that is no list at all is told too', async () => {
    await load(modules, flow('{'));
    assert.equal((await codeAt()).code, 'FOLKMOOT_MISSING_CONFIG');
  });

  it('that is missing is an error in words', async () => {
    await load(modules, flow([ring], 'elsewhere'));
    assert.match((await codeAt()).message, /missing, disabled or has an error/);
  });

  it('is used in its new form after a deploy of changed nodes', async () => {
    await load(modules, flow([ring]));
    await deploy(flow([ring, { ...ring, name: 'OpenGate' }]), 'nodes');
    const end = nextAt('end');
    ask();
    assert.deepEqual((await end).payload, ['RingBell', 'OpenGate']);
  });
});
