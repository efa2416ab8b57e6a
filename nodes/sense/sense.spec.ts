import assert from 'node:assert/strict';
import { arrivals, core, deploy, load, nextAt, node, onTab, settle, unload, until } from '../../test/red/red.ts';
import { limits } from '../../engine/limits.ts';
import { onFakeTime } from '../../test/red/fake-time.ts';
import type { RedMessage } from '../shared/red.ts';
import sense from './sense.ts';

const modules = [sense, ...core('catch', 'complete')] as never[];
const flow = (more: object = {}) =>
  onTab([
    { id: 's', type: 'folkmoot-sense', ignoreFirstSeconds: 0, wires: [['event'], ['dropped']], ...more },
    { id: 'c', type: 'catch', scope: ['s'], uncaught: false, wires: [['caught']] },
    { id: 'k', type: 'complete', scope: ['s'], uncaught: false, wires: [['completed']] },
    ...['event', 'dropped', 'caught', 'completed'].map((id) => ({ id, type: 'helper', wires: [] })),
  ]);
const hall = (payload: unknown, more: object = {}) =>
  node('s').receive({ topic: 'zigbee2mqtt/hall_motion', payload, ...more });
const dark = {
  condition: 'occupancy and illuminance < 50',
  holdsForSeconds: 0,
  sentence: 'it is dark and somebody is in the hall: {{illuminance}} lx',
};

describe('sense node', () => {
  const clock = onFakeTime();

  it('loads with defaults: passes news on as events, nothing in the first seconds', async () => {
    await load(
      modules,
      onTab([
        { id: 's', type: 'folkmoot-sense', wires: [['event'], ['dropped']] },
        ...['event', 'dropped'].map((id) => ({ id, type: 'helper', wires: [] })),
      ]),
    );
    const dropped = nextAt('dropped');
    hall({ occupancy: true });
    assert.equal((await dropped)['reason'], 'just started');
    await clock().advance(2000);
    const event = nextAt('event');
    hall({ occupancy: true });
    assert.deepEqual((await event).payload, [
      { source: 'hall_motion', kind: 'occupancy', value: true, previous: true, time: '2026-01-01T00:00:02.000Z' },
    ]);
  });

  it('tells the sentence of a rule with the batch in a fresh moot that keeps depth, and keeps the rest of the message', async () => {
    await load(modules, flow({ rules: [dark] }));
    const event = nextAt('event');
    hall(
      { occupancy: true, illuminance: 12 },
      { _msgid: 'm1', custom: { kept: 1 }, moot: { v: 1, run: 'old', depth: 2, outcome: 'done' } },
    );
    const message = await event;
    assert.equal(message.payload, 'it is dark and somebody is in the hall: 12 lx');
    assert.deepEqual(
      [message._msgid, message.topic, message['custom']],
      ['m1', 'zigbee2mqtt/hall_motion', { kept: 1 }],
    );
    assert.deepEqual(Object.keys(message.moot ?? {}).sort(), ['depth', 'event', 'v']);
    assert.deepEqual(
      message.moot?.event?.map(({ kind, value }) => [kind, value]),
      [
        ['occupancy', true],
        ['illuminance', 12],
      ],
    );
  });

  for (const condition of [
    'value = 12',
    'previous = 70',
    'unit = "lx"',
    'kind = "illuminance"',
    'source = "hall_motion"',
    'state.occupancy = true',
    'occupancy and illuminance < 50',
  ]) {
    it(`asks ${condition} of what came`, async () => {
      const units = [{ property: 'illuminance', unit: 'lx' }];
      await load(modules, flow({ units, rules: [{ condition, holdsForSeconds: 0, sentence: 'so it is' }] }));
      const events = arrivals('event');
      const dropped = arrivals('dropped');
      node('s').receive({ topic: 'zigbee2mqtt/plug', payload: { power: 1 } });
      await until(() => events.length + dropped.length === 1);
      assert.equal(events.length, 0);
      hall({ occupancy: true, illuminance: 70 });
      hall({ illuminance: 12 });
      await until(() => events.length > 0);
      assert.equal(events[0]?.payload, 'so it is');
    });
  }

  it('says why it dropped something', async () => {
    await load(modules, flow({ rules: [dark] }));
    const dropped = arrivals('dropped');
    hall({ occupancy: true, illuminance: 300 });
    hall({ occupancy: true, illuminance: 300 });
    await until(() => dropped.length === 2);
    hall({ occupancy: true }, { retain: true });
    hall('{"occupancy":');
    hall(undefined);
    await until(() => dropped.length === 5);
    assert.deepEqual(
      dropped.map((message) => message['reason']),
      ['no rule', 'unchanged', 'retained', 'not JSON', 'empty'],
    );
    assert.equal(dropped[3]?.payload, '{"occupancy":');
  });

  it('drops the same message when it comes twice, by the id of its sender or of Node-RED', async () => {
    await load(modules, flow({ dropUnchanged: false }));
    const reasons: unknown[] = [];
    node('dropped').on('input', (message: RedMessage) => reasons.push(message['reason']));
    const events = arrivals('event');
    hall({ on: 1 }, { _msgid: 'a' });
    hall({ on: 1 }, { _msgid: 'a' });
    hall({ on: 1 }, { _msgid: 'b', userProperties: { MESSAGE_ID: 'x' } });
    hall({ on: 1 }, { _msgid: 'c', userProperties: { MESSAGE_ID: 'x' } });
    await until(() => events.length + reasons.length === 4);
    assert.deepEqual(reasons, ['repeated', 'repeated']);
  });

  it('waits until a condition has held, once', async () => {
    const rule = {
      condition: 'kind = "power" and value < 5 and highest > 100',
      holdsForSeconds: '60',
      sentence: 'the washing is done',
    };
    await load(modules, flow({ rules: [rule] }));
    const events = arrivals('event');
    for (const power of [2, 400, 50, 3, 2]) {
      node('s').receive({ topic: 'zigbee2mqtt/washing_machine_plug', payload: { power } });
      await settle();
      await clock().advance(20_000);
    }
    await clock().advance(19_000);
    assert.equal(events.length, 0);
    await clock().advance(1_000);
    await settle();
    assert.deepEqual(
      events.map(({ payload }) => payload),
      ['the washing is done'],
    );
    await clock().advance(600_000);
    await settle();
    assert.equal(events.length, 1);
  });

  it('lets units travel, from its settings and from the message', async () => {
    await load(modules, flow({ units: [{ property: 'illuminance', unit: 'lx' }] }));
    const events = arrivals('event');
    hall({ illuminance: 12 });
    node('s').receive({ topic: 'home/hall/temperature', payload: 70, unit: '°F' });
    await until(() => events.length === 2);
    assert.deepEqual(
      events.map(({ moot }) => moot?.event?.[0]?.unit),
      ['lx', '°F'],
    );
  });

  it('gives a condition that cannot be worked out to Catch with its code, once, and goes on', async () => {
    await load(
      modules,
      flow({ rules: [{ condition: '$number(action) > 1', holdsForSeconds: 0, sentence: 'x' }, dark] }),
    );
    const caught = arrivals('caught');
    const events = arrivals('event');
    hall({ action: 'single', occupancy: false, illuminance: 1 });
    hall({ action: 'double' });
    hall({ occupancy: true });
    await until(() => events.length === 1);
    await settle();
    assert.equal(caught.length, 1);
    const error = caught[0]?.error as { code: string; message: string };
    assert.equal(error.code, 'FOLKMOOT_RULE_INVALID');
    assert.match(error.message, /condition of rule 1/);
  });

  it('says on input that a condition is not JSONata, a time none, or the connections are missing', async () => {
    const broken = [
      [{ rules: [{ ...dark, condition: 'occupancy and (' }] }, 'FOLKMOOT_RULE_INVALID'],
      [{ rules: [{ ...dark, holdsForSeconds: 'long' }] }, 'FOLKMOOT_RULE_INVALID'],
      [{ backbone: 'gone' }, 'FOLKMOOT_MISSING_CONFIG'],
      [{ debounceSeconds: 'soon' }, 'FOLKMOOT_BAD_SETTING'],
    ] as const;
    for (const [settings, code] of broken) {
      await load(modules, flow(settings));
      const caught = nextAt('caught');
      hall({ occupancy: true });
      assert.equal(((await caught).error as { code: string }).code, code);
      await unload();
    }
  });

  it('passes over what was asked of somebody else', async () => {
    await load(modules, flow());
    const all = [arrivals('event'), arrivals('dropped'), arrivals('completed')];
    node('s').receive({ _msgid: 'ask:r/1', payload: 'switch the light on' });
    await settle();
    assert.deepEqual(
      all.map(({ length }) => length),
      [0, 0, 0],
    );
  });

  it('goes on waiting over a deploy, and forgets with the node', async () => {
    const done = { condition: 'power < 5', holdsForSeconds: 60, sentence: 'done at {{power}} W' };
    // The same connections in both, so that what is kept in memory only is still there.
    const other = { id: 'other', type: 'folkmoot-sense', z: 'tab', wires: [[], []] };
    const before = [...flow({ rules: [done] }), other];
    await load(modules, before);
    node('s').receive({ topic: 'zigbee2mqtt/plug', payload: { power: 2 }, moot: { v: 1, depth: 3 } });
    await settle();
    await clock().advance(30_000);
    await deploy([...flow({ rules: [done], name: 'other name' }), other], 'nodes');
    const event = nextAt('event');
    await clock().advance(29_999);
    await settle();
    await clock().advance(1);
    const message = await event;
    assert.deepEqual([message.payload, message.topic, message.moot?.depth], ['done at 2 W', 'zigbee2mqtt/plug', 3]);
    node('s').receive({ topic: 'zigbee2mqtt/plug', payload: { power: 20 } });
    node('s').receive({ topic: 'zigbee2mqtt/plug', payload: { power: 3 } });
    await settle();
    await deploy([other, ...onTab([])], 'nodes');
    await deploy(before, 'nodes');
    const events = arrivals('event');
    await clock().advance(120_000);
    await settle();
    assert.deepEqual(events, []);
  });

  it('closes while a rule, a batch and a debounce are waiting, survives the deploy of nodes, and works on', async () => {
    const busy = flow({ rules: [{ ...dark, holdsForSeconds: 30 }], debounceSeconds: 1, coalesceSeconds: 1 });
    await load(modules, busy);
    hall({ occupancy: true, illuminance: 1 });
    await settle();
    await clock().advance(2000);
    hall({ illuminance: 2 });
    await settle();
    const changed = flow({ rules: [dark] });
    await deploy(changed, 'nodes');
    await settle();
    // What it saw last is kept by its connections, which outlive the deploy, and written within a second.
    await clock().advance(limits.stateSaveMs);
    assert.equal(clock().waiting, 0);
    const event = nextAt('event');
    hall({ occupancy: true, illuminance: 3 });
    assert.match(String((await event).payload), /3 lx/);
  });
});
