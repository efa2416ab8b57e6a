import assert from 'node:assert/strict';
import { call, garden, namesOf } from '../../test/library/garden.ts';
import { fakeClock } from '../clock.ts';
import { execute } from './execute.ts';
import { createRegistry } from './registry.ts';

describe('A registry', () => {
  it('finds the handler of a function before that of its category, and the default one last', () => {
    const registry = createRegistry();
    const [own, ofCategory, otherwise] = [() => 'own', () => 'category', () => 'default'];
    registry.register({ name: 'MowLawn', category: 'lawn' }, own);
    registry.register({ name: 'WaterLawn', category: 'lawn' });
    registry.register({ name: 'OpenGate' });
    registry.registerCategory('lawn', ofCategory);
    assert.equal(registry.handlerOf('MowLawn'), own);
    assert.equal(registry.handlerOf('WaterLawn'), ofCategory);
    assert.throws(() => registry.handlerOf('OpenGate'), { code: 'FOLKMOOT_NO_HANDLER' });
    registry.registerDefault(otherwise);
    assert.equal(registry.handlerOf('OpenGate'), otherwise);
    assert.equal(registry.handlerOf('WaterLawn'), ofCategory);
    assert.equal(registry.handlerOf('MowLawn'), own);
    assert.equal(registry.handlerOf('NobodyKnowsThis'), otherwise);
  });

  it('knows what was registered after it was first used', () => {
    const registry = createRegistry();
    registry.register({ name: 'MowLawn' });
    assert.deepEqual(registry.language().functions.length, 1);
    registry.register({ name: 'WaterLawn' });
    assert.ok(registry.language().find('WaterLawn'));
  });

  it('refuses the same function, category handler or default handler a second time', () => {
    const registry = createRegistry();
    const nothing = () => undefined;
    registry.register({ name: 'MowLawn' }, nothing);
    registry.registerCategory('lawn', nothing);
    registry.registerDefault(nothing);
    assert.throws(() => registry.register({ name: 'MowLawn' }, nothing), { code: 'FOLKMOOT_HANDLER_TWICE' });
    assert.throws(() => registry.registerCategory('lawn', nothing), { code: 'FOLKMOOT_HANDLER_TWICE' });
    assert.throws(() => registry.registerDefault(nothing), { code: 'FOLKMOOT_HANDLER_TWICE' });
  });

  it('lists the functions of a category', () => {
    assert.deepEqual(
      garden()
        .registry.functionsOf('lawn-waste')
        .map(({ name }) => name),
      ['ProduceCutGrass'],
    );
  });

  it('names the function that is not well formed when its functions are used', () => {
    const registry = createRegistry();
    registry.register({ name: 'no name' });
    assert.throws(() => registry.language(), { code: 'FOLKMOOT_LANGUAGE_INVALID' });
  });
});

describe('Executing', () => {
  it('collects errors and goes on', async () => {
    const { registry, done } = garden();
    registry.register({ name: 'Fail' }, () => {
      throw new Error('The mower is stuck.');
    });
    const ended: unknown[] = [];
    const newly = [call('MowLawn'), call('Fail'), call('NoSuch'), call('CollectWaste')];
    const execution = await execute({ registry, newly, previously: [] }, { onEnd: (end) => ended.push(end) });
    assert.deepEqual(done, ['MowLawn front', 'CollectWaste front']);
    assert.deepEqual(namesOf(execution.errors), ['Fail', 'NoSuch']);
    assert.equal(execution.errors[0]?.error.message, 'The mower is stuck.');
    assert.deepEqual(ended, [execution]);
  });

  it('tells a call without a name from others', async () => {
    const { registry, done } = garden();
    const { errors } = await execute({ registry, newly: [call(''), call('MowLawn')], previously: [] });
    assert.deepEqual([namesOf(errors), done], [['<unknown>'], ['MowLawn front']]);
    assert.match(errors[0]?.error.message ?? '', /a call without a name/);
  });

  it('is cancelled at its start: nothing runs, and there is no end to be told of', async () => {
    const { registry, done } = garden();
    const execution = await execute(
      { registry, newly: [call('MowLawn')], previously: [] },
      { onStart: () => ({ ok: false }), onEnd: () => done.push('end') },
    );
    assert.equal(execution.ran, false);
    assert.deepEqual(done, []);
  });

  it('runs earlier calls first when a program begins from nothing', async () => {
    const { registry, done } = garden();
    const board = { registry, newly: [call('CollectWaste')], previously: [call('MowLawn'), call('ProduceCutGrass')] };
    await execute(board, { onStart: () => ({ ok: true, alsoPrevious: true }) });
    assert.deepEqual(done, ['MowLawn front', 'CollectWaste front']);
  });

  it('leaves out what only reads: it was answered while the agents worked', async () => {
    const { registry, done } = garden();
    registry.register({ name: 'ReadHeight', risk: 'read' }, () => done.push('ReadHeight'));
    const board = { registry, newly: [call('MowLawn'), call('ReadHeight')], previously: [] };
    const execution = await execute(board);
    assert.deepEqual([done, namesOf(execution.done), execution.errors], [['MowLawn front'], ['MowLawn'], []]);
  });

  it('gives up a handler that takes too long, tells it so, and goes on', async () => {
    const { registry, done } = garden();
    const clock = fakeClock();
    let aborted = false;
    registry.register({ name: 'Hang' }, (_call, { signal }) => {
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise(() => undefined);
    });
    const running = execute({ registry, newly: [call('Hang'), call('MowLawn')], previously: [] }, { clock });
    await clock.advance(30_000);
    const { errors } = await running;
    assert.deepEqual(namesOf(errors), ['Hang']);
    assert.match(errors[0]?.error.message ?? '', /longer than 30 s/);
    assert.ok(aborted);
    assert.deepEqual(done, ['MowLawn front']);
    assert.equal(clock.waiting, 0);
  });

  it('stops between two calls when it is aborted', async () => {
    const { registry, done } = garden();
    const stop = new AbortController();
    registry.register({ name: 'Stop' }, () => stop.abort(new Error('enough')));
    const board = { registry, newly: [call('Stop'), call('MowLawn')], previously: [] };
    await assert.rejects(execute(board, { signal: stop.signal }), /enough/);
    assert.deepEqual(done, []);
  });
});
