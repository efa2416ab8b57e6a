/** A house that is paused does no work for other houses, and says so. */
import assert from 'node:assert/strict';
import { ourTopics } from '../../engine/bus/topics.ts';
import type { MetricsBody } from '../../engine/bus/watch-schemas.ts';
import { deploy, load, nextAt, until } from '../../test/red/red.ts';
import { isThere, modules, northern, remote, say, southern, twoHouses } from '../../test/red/remote-flow.ts';
import { called } from '../../test/red/team-flow.ts';

describe('an agent of a house that is paused', function () {
  this.timeout(20_000);
  const { flow, program } = twoHouses();
  // The southern house does not listen to who pauses the northern one.
  const nodes = (note = '') =>
    flow([northern({ info: note }), southern(), remote()]).map((one) =>
      one.id === 'bs' ? { ...one, allowedSenders: 'nobody' } : one,
    );

  it('refuses asks of other houses in words, counts them, also after a deploy, and goes on afterwards', async () => {
    let counts: MetricsBody | undefined;
    const client = await program('folkmoot/v1/agents/none', ourTopics.metrics, {}, (body) => {
      const told = body as MetricsBody;
      if (told.house === 'north') counts = told;
    });
    let control: unknown;
    await client.subscribeAsync(ourTopics.control, { qos: 1 });
    client.on('message', (topic, payload) => {
      if (topic === ourTopics.control) control = JSON.parse(payload.toString());
    });
    const setPaused = async (paused: boolean) => {
      const body = { paused, shadow: false, by: 'ana', since: new Date().toISOString() };
      await client.publishAsync(ourTopics.control, JSON.stringify(body), { qos: 1, retain: true });
      await until(() => JSON.stringify(control) === JSON.stringify(body));
    };
    const asked = async () => {
      const result = nextAt('result');
      say('turn the kitchen light on');
      const { payload, moot } = await result;
      return [payload, moot?.outcome, called(moot).length];
    };
    const refused = [
      'The house “north” is paused by ana, so nothing is done. Please ask again when it goes on.',
      'refused',
      0,
    ];
    await load(modules, nodes());
    await isThere();
    const before = await asked();
    assert.deepEqual(before.slice(1), ['done', 1]);
    await setPaused(true);
    assert.deepEqual(await asked(), refused);
    await deploy(nodes('changed'), 'nodes');
    assert.deepEqual(await asked(), refused);
    await until(() => counts?.heldBack.paused === 2);
    await setPaused(false);
    assert.deepEqual(await asked(), before);
  });
});
