/** A process with one agent on a broker, for specs that kill it: `node registry-house.child.ts <broker> <house>`. */
import { createMqttBus } from '../engine/bus/mqtt.ts';
import { systemClock } from '../engine/clock.ts';
import { openHouse, someAgent } from './registry-house.ts';
import { presenceWill } from '../engine/registry/presence.ts';

const [url = '', house = ''] = process.argv.slice(2);
const identity = { house, process: `p-${house}`, since: new Date().toISOString() };
const bus = createMqttBus({ url, clientId: `folkmoot-p-${house}`, will: presenceWill(identity) });
const opened = await openHouse({ bus, clock: systemClock, ...identity });
opened.cards.join(someAgent('lamp-agent'), () => undefined);
opened.serve('lamp-agent', ({ payload }) => {
  if (payload !== 'never') {
    return Promise.resolve({ status: 'answered', payload: `done: ${String(payload)}`, mutations: [] });
  }
  process.stdout.write('begun\n');
  return new Promise(() => undefined);
});
await opened.cards.settled();
process.stdout.write('ready\n');
