import assert from 'node:assert/strict';
import { aBus, openHouse, someAgent, type House } from '../../test/registry-house.ts';
import type { Bus } from '../bus/bus.ts';
import { ourTopics } from '../bus/topics.ts';
import { fakeClock, type FakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { presenceWill } from './presence.ts';

describe('the registry', () => {
  let clock: FakeClock;
  let bus: Bus;
  let houses: House[];
  beforeEach(() => {
    clock = fakeClock();
    bus = aBus(clock);
    houses = [];
  });
  afterEach(async () => {
    for (const house of houses) await house.close();
    await bus.close();
    assert.equal(clock.waiting, 0);
  });
  const open = async (house: string, more: Partial<Parameters<typeof openHouse>[0]> = {}) => {
    const opened = await openHouse({ bus, clock, house, ...more });
    houses.push(opened);
    await arrived();
    return opened;
  };
  const arrived = () => clock.advance(0);
  const join = (house: House, agentId: string, more = {}) => {
    const ids: string[] = [];
    return { card: house.cards.join(someAgent(agentId, more), (id) => ids.push(id)), ids };
  };
  const shown = ({ registry }: House) => registry.agents().map(({ id, status }) => `${id} ${status}`);
  const publish = (topic: string, body: unknown, retain = true) =>
    bus.publish(topic, { payload: typeof body === 'string' ? body : JSON.stringify(body), retain });

  it('knows the agents of all houses, also those that were there before', async () => {
    const north = await open('north');
    join(north, 'lamp-agent');
    await arrived();
    const south = await open('south');
    join(south, 'lawn-agent');
    await arrived();
    assert.deepEqual(shown(north), ['lamp-agent online', 'lawn-agent online']);
    assert.deepEqual(shown(south).sort(), shown(north));
    const card = south.registry.agent('lamp-agent')?.card;
    assert.equal(card?.house, 'north');
    assert.ok(card && !('instructions' in card), 'standing orders are nobody else’s business');
  });

  it('shows agents as offline when their process goes, with or without a word', async () => {
    const north = await open('north');
    join(north, 'lamp-agent');
    const south = await open('south');
    await arrived();
    const { topic, payload } = presenceWill(north.identity);
    await publish(topic, payload);
    await arrived();
    assert.deepEqual(shown(south), ['lamp-agent offline']);
    await publish(topic, { ...JSON.parse(payload), status: 'online' });
    await arrived();
    assert.deepEqual(shown(south), ['lamp-agent online']);
    await north.presence.close();
    await arrived();
    assert.deepEqual(shown(south), ['lamp-agent offline']);
  });

  it('shows one without a last will as offline when it says no more that it is there', async () => {
    const north = await open('north');
    const south = await open('south', { repeatSeconds: limits.presenceRepeatSeconds });
    join(south, 'lawn-agent');
    await clock.advance(10 * limits.presenceRepeatSeconds * 1000);
    assert.deepEqual(shown(north), ['lawn-agent online']);
    // It dies: nothing more comes.
    const body = { v: 1, process: 'silent', house: 'h', status: 'online', since: '2026-01-01T00:00:00Z', seconds: 20 };
    await publish(ourTopics.presence('silent'), body, false);
    await publish(ourTopics.agent('plain'), { v: 1, agentId: 'plain', name: 'plain', process: 'silent' });
    await clock.advance(59_000);
    assert.equal(north.registry.agent('plain')?.status, 'online');
    await clock.advance(1_000);
    assert.equal(north.registry.agent('plain')?.status, 'offline');
    await publish(ourTopics.presence('silent'), body, false);
    await arrived();
    assert.equal(north.registry.agent('plain')?.status, 'online');
  });

  it('shows an agent that was deleted as gone', async () => {
    const north = await open('north');
    const { card } = join(north, 'lamp-agent');
    const south = await open('south');
    await arrived();
    card.remove();
    await arrived();
    assert.deepEqual(shown(south), ['lamp-agent gone']);
    assert.equal(south.registry.agent('lamp-agent')?.card, undefined);
  });

  it('gives an agent its house’s name in front where another house holds its id', async () => {
    const north = await open('north');
    const first = join(north, 'lamp-agent');
    await arrived();
    const south = await open('the south');
    const second = join(south, 'lamp-agent');
    await arrived();
    assert.deepEqual(first.ids, ['lamp-agent']);
    assert.deepEqual(second.ids, ['the-south-lamp-agent']);
    assert.deepEqual(shown(north), ['lamp-agent online', 'the-south-lamp-agent online']);
    assert.equal(north.registry.agent('the-south-lamp-agent')?.card?.agentId, 'lamp-agent');
  });

  it('says once what to do when two are called the same house and have the same agents', async () => {
    const first = await open('pi', { process: 'one' });
    const second = await open('pi', { process: 'two' });
    for (const house of [first, second]) for (const id of ['lamp-agent', 'lawn-agent']) join(house, id);
    await arrived();
    await arrived();
    const said = [...first.problems, ...second.problems].filter((text) => text.includes('another name'));
    assert.ok(said.length >= 1 && first.problems.length <= 1 && second.problems.length <= 1);
    assert.match(said[0] ?? '', /is the house "pi" too, .* FOLKMOOT_HOUSE/);
  });

  it('settles who keeps an id that two houses took at once: the older one', async () => {
    const north = await open('north', { since: '2026-01-01T00:00:00.000Z' });
    const south = await open('south', { since: '2026-01-02T00:00:00.000Z' });
    const one = join(south, 'lamp-agent');
    const two = join(north, 'lamp-agent');
    for (let turn = 0; turn < 10; turn += 1) await arrived();
    assert.deepEqual([two.ids.at(-1), one.ids.at(-1)], ['lamp-agent', 'south-lamp-agent']);
    assert.deepEqual(shown(north).sort(), ['lamp-agent online', 'south-lamp-agent online']);
    assert.equal(south.registry.agent('lamp-agent')?.card?.house, 'north');
  });

  it('takes another name when somebody overwrites its card again and again', async () => {
    const north = await open('north', { since: '2026-01-01T00:00:00.000Z' });
    const { ids } = join(north, 'lamp-agent');
    await arrived();
    for (let turn = 0; turn <= limits.cardContests + 1; turn += 1) {
      await publish(ourTopics.agent('lamp-agent'), {
        v: 1,
        agentId: 'lamp-agent',
        name: 'x',
        since: '2026-02-01T00:00:00Z',
      });
      await arrived();
    }
    assert.deepEqual(ids, ['lamp-agent', 'north-lamp-agent']);
  });

  it('takes away cards of its own process whose agents are no more', async () => {
    const north = await open('north');
    await publish(ourTopics.agent('old-agent'), {
      v: 1,
      agentId: 'old-agent',
      name: 'old',
      house: 'north',
      process: north.identity.process,
    });
    join(north, 'lamp-agent');
    await arrived();
    assert.equal(shown(north).length, 2);
    await clock.advance(limits.deployLingerMs);
    assert.deepEqual(shown(north).sort(), ['lamp-agent online', 'old-agent gone']);
  });

  it('takes away the card of an id that its agent has no more since a deploy, and leaves that of one made anew', async () => {
    const north = await open('north');
    await clock.advance(limits.deployLingerMs);
    const [changed, same] = [join(north, 'lamp-agent'), join(north, 'lawn-agent')];
    await arrived();
    changed.card.close();
    same.card.close();
    join(north, 'light-agent');
    join(north, 'lawn-agent');
    await arrived();
    assert.equal(shown(north).length, 3);
    await clock.advance(limits.deployLingerMs);
    await arrived();
    assert.deepEqual(shown(north).sort(), ['lamp-agent gone', 'lawn-agent online', 'light-agent online']);
  });

  it('counts a program without a presence as here while its card is', async () => {
    const north = await open('north');
    await publish(ourTopics.agent('plain'), { v: 1, agentId: 'plain', name: 'plain program' });
    await arrived();
    assert.deepEqual(shown(north), ['plain online']);
    await publish(ourTopics.agent('plain'), '');
    await arrived();
    assert.deepEqual(shown(north), ['plain gone']);
  });

  it('drops what is no card or is on the topic of another, and goes on', async () => {
    const north = await open('north');
    const card = { v: 1, agentId: 'plain', name: 'plain program' };
    await publish(ourTopics.agent('other'), card);
    await publish(ourTopics.agent('plain'), { ...card, v: 7 });
    await publish(ourTopics.presence('somebody'), {
      v: 1,
      process: 'else',
      house: 'h',
      status: 'online',
      since: '2026-01-01',
    });
    await publish(ourTopics.tool('t'), 'nonsense');
    await publish(ourTopics.agent('plain'), card);
    await arrived();
    assert.deepEqual(shown(north), ['plain online']);
    assert.equal(north.problems.length, 4);
    assert.equal(north.registry.messages.dropped('card', 'wrong topic'), 1);
  });

  it('remembers who was here over a restart, people too, for a time', async () => {
    const store = createEmbeddedStore({ path: ':memory:', clock });
    const first = await openHouse({ bus, clock, house: 'north', store });
    join(first, 'lamp-agent');
    first.registry.heardUser('  anna ');
    first.registry.heardUser('');
    await clock.advance(limits.registrySaveMs);
    await first.close();
    const otherBus = aBus(clock);
    const second = await openHouse({ bus: otherBus, clock, house: 'north', store });
    const { agents, users, processes } = second.registry.roll();
    assert.deepEqual(
      agents.map(({ id, status }) => [id, status]),
      [['lamp-agent', 'offline']],
    );
    assert.deepEqual(
      users.map(({ user, status }) => [user, status]),
      [['anna', 'here']],
    );
    assert.equal(processes.length, 1);
    await clock.advance(limits.userHereMs + 1);
    assert.equal(second.registry.roll().users[0]?.status, 'away');
    await clock.advance(limits.registryAgeMs);
    assert.deepEqual([second.registry.roll().agents, second.registry.roll().users], [[], []]);
    await second.close();
    await otherBus.close();
    await store.close();
  });

  it('holds at most so many, and those that are here the longest', async () => {
    const north = await open('north');
    await publish(ourTopics.agent('first'), { v: 1, agentId: 'first', name: 'first' });
    await arrived();
    for (let n = 0; n < limits.registryEntries + 50; n += 1) {
      const topic = ourTopics.agent(`agent-${n}`);
      await publish(topic, { v: 1, agentId: `agent-${n}`, name: 'x' }, false);
      await publish(topic, '', false);
      if (n % 100 === 0) await arrived();
    }
    await arrived();
    assert.equal(north.registry.agents().length, limits.registryEntries);
    assert.equal(north.registry.agent('first')?.status, 'online');
  });

  it('tells whoever asks for it', async () => {
    const north = await open('north');
    join(north, 'lamp-agent');
    await arrived();
    const asked = bus.request(
      ourTopics.registry(north.identity.process),
      { payload: JSON.stringify({ v: 1, kind: 'list' }) },
      { timeoutMs: 1000 },
    );
    await arrived();
    const { payload } = JSON.parse(Buffer.from((await asked).payload).toString()) as { payload: { agents: unknown[] } };
    assert.equal(payload.agents.length, 1);
  });
});
