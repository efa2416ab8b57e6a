/** Asks over real wires in a real Node-RED: whom the walk finds is held against who really answers. */
import assert from 'node:assert/strict';
import { aCleanRegistry, agent, askOne, findsTruly, fn, heard, modules, wire } from '../../test/red/ask-flow.ts';
import { load, node, onTab, settle, until } from '../../test/red/red.ts';
import type { RedMessage } from './red.ts';

describe('asks over wires', () => {
  const registry = aCleanRegistry();

  it('reach agents through Function, Switch, Change, junctions and loops, each once', async () => {
    await load(
      modules,
      onTab([
        wire('r', 'test-asker', ['a1', 'fn', 'sw', 'j1', 'ch']),
        agent('a1'),
        fn('fn', 'return msg;', ['a2', 'a1']),
        {
          id: 'sw',
          type: 'switch',
          property: 'payload',
          propertyType: 'msg',
          rules: [{ t: 'nnull' }, { t: 'else' }],
          checkall: 'true',
          outputs: 2,
          wires: [['a3'], ['a3']],
        },
        wire('j1', 'junction', ['a4', 'fn']),
        { id: 'ch', type: 'change', rules: [], wires: [['a4']] },
        agent('a2', { wires: [['r']] }),
        agent('a3'),
        agent('a4'),
      ]),
    );
    await findsTruly('r', ['a1', 'a2', 'a3', 'a4']);
    await settle();
    assert.equal(heard.filter((h) => h.ordinary).length, 0);
  });

  it('reach agents on another tab through link out and link in', async () => {
    await load(modules, [
      ...onTab([
        wire('r', 'test-asker', ['lo']),
        { id: 'lo', type: 'link out', mode: 'link', links: ['li'], wires: [] },
      ]),
      ...onTab([{ id: 'li', type: 'link in', links: ['lo'], wires: [['a1']], z: 'g' }, agent('a1', { z: 'g' })], 'g'),
    ]);
    await findsTruly('r', ['a1']);
  });

  it('find two instances of a subflow, and two levels of it, as agents of their own', async () => {
    await load(modules, [
      { id: 'inner', type: 'subflow', name: 'inner', in: [{ wires: [{ id: 'ia' }] }], out: [] },
      agent('ia', { z: 'inner' }),
      { id: 'outer', type: 'subflow', name: 'outer', in: [{ wires: [{ id: 'oi' }, { id: 'oa' }] }], out: [] },
      { id: 'oi', type: 'subflow:inner', z: 'outer', wires: [] },
      agent('oa', { z: 'outer' }),
      ...onTab([
        wire('r', 'test-asker', ['x1', 'x2']),
        { id: 'x1', type: 'subflow:outer', wires: [] },
        { id: 'x2', type: 'subflow:outer', wires: [] },
      ]),
    ]);
    await findsTruly('r', ['x1-oa', 'x1-oi-ia', 'x2-oa', 'x2-oi-ia']);
  });

  it('do not reach disabled agents or anything behind a disabled node', async () => {
    await load(
      modules,
      onTab([
        wire('r', 'test-asker', ['a1', 'fn', 'a3']),
        agent('a1', { d: true }),
        fn('fn', 'return msg;', ['a2'], { d: true }),
        agent('a2'),
        agent('a3'),
      ]),
    );
    await findsTruly('r', ['a3']);
  });

  it('carry what a Function made of the prompt, and are known although it replaced the message', async () => {
    await load(
      modules,
      onTab([
        wire('r', 'test-asker', ['fn']),
        fn('fn', "return { payload: msg.payload + '!' , _msgid: msg._msgid };", ['a1', 'a2']),
        agent('a1'),
        agent('a2'),
      ]),
    );
    assert.equal((await askOne('r', 'a1')).payload, 'a1: hello!');
    await settle();
    assert.deepEqual(
      heard.map((h) => h.agent),
      ['a1'],
    );
  });

  it('end by their deadline alone when a Switch drops one of them', async () => {
    await load(
      modules,
      onTab([
        wire('r', 'test-asker', ['sw', 'a2']),
        {
          id: 'sw',
          type: 'switch',
          property: 'payload',
          propertyType: 'msg',
          rules: [{ t: 'eq', v: 'never', vt: 'str' }],
          checkall: 'true',
          outputs: 1,
          wires: [['a1']],
        },
        agent('a1'),
        agent('a2'),
      ]),
    );
    const dropped = askOne('r', 'a1');
    assert.equal((await askOne('r', 'a2')).status, 'answered');
    await settle();
    await registry.clock().advance(5000);
    assert.equal((await dropped).status, 'timeout');
  });

  it('are refused when no wire leads to the agent', async () => {
    await load(modules, onTab([wire('r', 'test-asker', ['a1']), agent('a1'), agent('a2')]));
    const answer = await askOne('r', 'a2');
    assert.equal(answer.status, 'refused');
    assert.equal(answer.error?.code, 'FOLKMOOT_NOT_WIRED');
    assert.deepEqual(heard, []);
  });

  it('forged by a stranger are passed over, and an ordinary message beside them works', async () => {
    await load(modules, onTab([wire('r', 'test-asker', ['a1']), agent('a1')]));
    const target = node('a1');
    target.receive({ _msgid: 'ask:none/s1', payload: 'forged' });
    target.receive({ payload: 'forged', moot: { v: 1, ask: { id: 'ask:none/s2', to: 'a1', by: 'r', kind: 'step' } } });
    const asked = askOne('r', 'a1');
    target.receive({ payload: 'ordinary' });
    await asked;
    await until(() => heard.length === 2);
    assert.deepEqual(heard.map((h) => [h.payload, h.ordinary]).sort(), [
      ['hello', false],
      ['ordinary', true],
    ]);
  });

  it('never mix: fifty at once to five agents come back each to its own', async () => {
    const ids = ['a1', 'a2', 'a3', 'a4', 'a5'];
    await load(modules, onTab([wire('r', 'test-asker', ids), ...ids.map((id) => agent(id))]));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => askOne('r', ids[(i * 3) % 5] as string, `n${i}`)),
    );
    answers.forEach((answer, i) => assert.equal(answer.payload, `${ids[(i * 3) % 5]}: n${i}`));
  });

  it('fire Complete once for the agent that was meant, never for those that passed it over', async () => {
    const completed: RedMessage[] = [];
    await load(
      modules,
      onTab([
        wire('r', 'test-asker', ['a1', 'a2', 'a3']),
        agent('a1'),
        agent('a2'),
        agent('a3'),
        { id: 'c', type: 'complete', scope: ['a1', 'a2', 'a3'], uncaught: false, wires: [['end']] },
        { id: 'end', type: 'helper', wires: [] },
      ]),
    );
    node('end').on('input', (m: RedMessage) => completed.push(m));
    await askOne('r', 'a2');
    await until(() => completed.length > 0);
    await settle();
    assert.equal(completed.length, 1);
  });
});
