import assert from 'node:assert/strict';
import {
  core,
  deploy,
  load,
  nextAt,
  node,
  onTab,
  settle,
  startServer,
  stopServer,
  unload,
  until,
} from '../../test/red/red.ts';
import { defineNode, type NodeParts } from './define-node.ts';
import { number, text } from './fields.ts';
import type { Red, RedMessage } from './red.ts';

let parts: NodeParts = {};
let startFails: Error | undefined;

function sample(RED: Red): void {
  defineNode(RED, {
    type: 'test-sample',
    fields: { name: text(), seconds: number(5, { minimum: 1 }) },
    start: () => {
      if (startFails) throw startFails;
      return parts;
    },
  });
}

const modules = [sample, ...core('catch', 'complete')] as never[];
const flow = (more: object = {}) =>
  onTab([
    { id: 's', type: 'test-sample', wires: [['end']], ...more },
    { id: 'c', type: 'catch', scope: ['s'], uncaught: false, wires: [['caught']] },
    { id: 'k', type: 'complete', scope: ['s'], uncaught: false, wires: [['completed']] },
    ...['end', 'caught', 'completed'].map((id) => ({ id, type: 'helper', wires: [] })),
  ]);

describe('every node of ours', () => {
  before(startServer);
  after(stopServer);
  afterEach(async () => {
    await unload();
    parts = {};
    startFails = undefined;
  });

  it('hands an error to Catch with its code, and works with the next message', async () => {
    let fails = true;
    parts = {
      input: (message, { send }) => {
        if (fails) throw Object.assign(new Error('broken'), { code: 'FOLKMOOT_TEST' });
        send(message);
      },
    };
    await load(modules, flow());
    const caught = nextAt('caught');
    node('s').receive({ payload: 1 });
    assert.equal(((await caught).error as { code: string }).code, 'FOLKMOOT_TEST');
    fails = false;
    const end = nextAt('end');
    node('s').receive({ payload: 2, topic: 't', custom: { kept: true } });
    const message = await end;
    assert.deepEqual([message.payload, message.topic, message['custom']], [2, 't', { kept: true }]);
  });

  it('survives a rejected promise', async () => {
    parts = { input: () => Promise.reject(new Error('later')) };
    await load(modules, flow());
    const caught = nextAt('caught');
    node('s').receive({ payload: 1 });
    assert.match(String(((await caught).error as { message: string }).message), /later/);
  });

  it('says on input what is wrong with its settings, in words and with a code', async () => {
    await load(modules, flow({ seconds: 'many', name: 'clock' }));
    const caught = nextAt('caught');
    node('s').receive({ payload: 1 });
    const error = (await caught).error as { code: string; message: string };
    assert.equal(error.code, 'FOLKMOOT_BAD_SETTING');
    assert.match(error.message, /"clock".*seconds must be a number, not "many"/);
  });

  it('stays in the flow when it could not be set up, and tells why on input', async () => {
    startFails = new Error('no such thing');
    await load(modules, flow());
    const caught = nextAt('caught');
    node('s').receive({ payload: 1 });
    assert.match(String(((await caught).error as { message: string }).message), /no such thing/);
  });

  it('fires Complete once, and not for what it passed over', async () => {
    parts = { input: (message, context) => (message.payload === 'mine' ? undefined : context.passOver()) };
    await load(modules, flow());
    const completed: RedMessage[] = [];
    node('completed').on('input', (m: RedMessage) => completed.push(m));
    node('s').receive({ payload: 'other' });
    node('s').receive({ payload: 'mine' });
    await until(() => completed.length > 0);
    await settle();
    assert.deepEqual(
      completed.map((m) => m.payload),
      ['mine'],
    );
  });

  it('closes while busy: work is aborted and awaited, and nothing is sent afterwards', async () => {
    let ended = false;
    let closedAfter = false;
    parts = {
      input: async (message, { signal, send }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        ended = true;
        send(message);
      },
      close: () => {
        closedAfter = ended;
      },
    };
    await load(modules, flow());
    const sent: RedMessage[] = [];
    node('end').on('input', (m: RedMessage) => sent.push(m));
    node('s').receive({ payload: 1 });
    await settle();
    await deploy(
      flow().map((n) => (n.id === 's' ? { ...n, name: 'anew' } : n)),
      'nodes',
    );
    assert.equal(closedAfter, true);
    await settle();
    assert.deepEqual(sent, []);
  });
});
