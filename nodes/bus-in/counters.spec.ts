/** What the connections carried, dropped and refused, as messages in a flow. */
import assert from 'node:assert/strict';
import type { MetricsBody } from '../../engine/bus/watch-schemas.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { arrivals, load, node, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import backbone from '../backbone/backbone.ts';
import busOut from '../bus-out/bus-out.ts';
import busIn from './bus-in.ts';

describe('counters of the connections', function () {
  this.timeout(20_000);
  let broker: TestBroker;
  before(async () => {
    broker = await startMosquitto();
    await startServer();
  });
  after(async () => {
    await stopServer();
    await broker.stop();
  });
  afterEach(unload);

  it('come as messages soon after something was carried', async () => {
    await load([backbone, busIn, busOut] as never[], [
      { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:' },
      ...onTab([
        { id: 'counters', type: 'folkmoot-bus-in', mode: 'counters', backbone: 'b', wires: [['seen']] },
        { id: 'heard', type: 'folkmoot-bus-in', mode: 'topic', topic: 'tea', backbone: 'b', wires: [[]] },
        { id: 'out', type: 'folkmoot-bus-out', mode: 'topic', topic: 'tea', backbone: 'b', wires: [] },
        { id: 'seen', type: 'helper', wires: [] },
      ]),
    ]);
    const seen = arrivals('seen');
    const last = () => (seen.at(-1)?.payload as MetricsBody | undefined)?.topics['tea'];
    node('out').receive({ payload: 'is ready' });
    await until(() => last()?.in === 1);
    assert.equal(last()?.out, 1);
    assert.equal(seen.at(-1)?.topic, 'folkmoot/v1/metrics');
  });
});
