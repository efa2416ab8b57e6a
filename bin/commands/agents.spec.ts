/** `folkmoot agents` over a real broker, with two houses and a program that is none of ours. */
import assert from 'node:assert/strict';
import { createMqttBus } from '../../engine/bus/mqtt.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import { systemClock } from '../../engine/clock.ts';
import { presenceWill } from '../../engine/registry/presence.ts';
import type { Roll } from '../../engine/registry/roll.ts';
import type { TestBroker } from '../../test/broker.ts';
import { callFolkmoot } from '../../test/command-line.ts';
import { freePort } from '../../test/free-port.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { openHouse, someAgent, type House } from '../../test/registry-house.ts';

describe('folkmoot agents', () => {
  let broker: TestBroker;
  let houses: { readonly house: House; close(): Promise<void> }[];
  beforeEach(async () => {
    broker = await startMosquitto();
    houses = [];
  });
  afterEach(async () => {
    for (const { close } of houses) await close();
    await broker.stop();
  });
  const open = async (name: string) => {
    const since = new Date().toISOString();
    const identity = { house: name, process: `p-${name}`, since };
    const bus = createMqttBus({ url: broker.url, clientId: `folkmoot-p-${name}`, will: presenceWill(identity) });
    const house = await openHouse({ bus, clock: systemClock, ...identity });
    const close = async () => {
      await house.close();
      await bus.close();
    };
    houses.push({ house, close });
    return { house, bus, close };
  };
  const agents = (words: readonly string[] = []) => callFolkmoot(['agents', '--broker', broker.url, ...words]);

  it('says that nobody is there', async () => {
    const { code, out, err } = await agents();
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^Nobody is here, and nobody was lately\. .*only a user that may read/);
  });

  it('lists who is or was here, people too, as a table and as JSON', async () => {
    const north = await open('north');
    north.house.cards.join(someAgent('lamp-agent', { description: 'turns\u001b[31m lamps' }), () => undefined);
    const south = await open('south');
    south.house.cards.join(someAgent('lawn-agent'), () => undefined);
    south.house.registry.heardUser('anna');
    await north.house.cards.settled();
    await south.house.cards.settled();
    await south.house.presence.close();
    const card = { v: 1, toolId: 'scale', name: 'scale', purpose: 'weighs', schema: {}, channel: 'bus' };
    await north.bus.publish(ourTopics.tool('scale'), { payload: JSON.stringify(card), retain: true });
    await north.bus.publish(ourTopics.agent('broken'), { payload: 'nonsense', retain: true });
    const { code, out, err } = await agents();
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^lamp-agent +online +north +now +turns \[31m lamps$/m);
    assert.match(out, /^lawn-agent +offline +south/m);
    assert.match(out, /^scale +online +– +now +weighs$/m);
    assert.match(out, /^north +online +now +p-north$/m);
    assert.doesNotMatch(out, /anna|broken|\u001b/);
    const json = JSON.parse((await agents(['--json'])).out) as Roll;
    assert.deepEqual(
      json.agents.map(({ id, status }) => [id, status]),
      [
        ['lamp-agent', 'online'],
        ['lawn-agent', 'offline'],
      ],
    );
    const here = JSON.parse((await agents(['--json', '--here'])).out) as Roll;
    assert.deepEqual(
      here.agents.map(({ id }) => id),
      ['lamp-agent'],
    );
  });

  it('asks each home that is there whom it remembers', async () => {
    const north = await open('north');
    north.house.registry.heardUser('anna');
    const { out } = await agents();
    assert.match(out, /^anna +here +now$/m);
  });

  it('says in words when there is no broker, and what is possible', async () => {
    const { code, err } = await callFolkmoot(['agents', '--broker', `mqtt://127.0.0.1:${await freePort()}`]);
    assert.equal(code, 1);
    assert.match(err, /no connection to .*npm start/);
    assert.equal((await callFolkmoot(['agents', '--sideways'])).code, 2);
    assert.match((await callFolkmoot(['agents', '--help'])).out, /folkmoot agents/);
  });
});
