/** The part of the bus contract about what is retained. */
import assert from 'node:assert/strict';
import type { BusMessage } from './bus.ts';
import { arrived, newTopic, textOf, until } from './bus.contract.ts';
import type { BusMaker } from './bus.contract.ts';

export function describeRetained(make: BusMaker['make']): void {
  it('gives what is retained to who comes later, marked so, until it is emptied or expires', async () => {
    const bus = await make();
    const topic = newTopic();
    const got: BusMessage[] = [];
    await bus.publish(topic, { payload: 'kept', retain: true });
    const first = await bus.subscribe(topic, (message) => void got.push(message));
    await until('the retained message', () => got.length === 1);
    assert.deepEqual([textOf(got[0] as BusMessage), got[0]?.retained], ['kept', true]);
    await first.close();
    await bus.publish(topic, { payload: '', retain: true });
    await bus.subscribe(topic, (message) => void got.push(message));
    await arrived(bus);
    assert.equal(got.length, 1);
  });

  it('gives what is retained to who joins a pattern, and not once more to who listened to it already', async () => {
    const bus = await make();
    const topic = newTopic();
    await bus.publish(topic, { payload: 'kept', retain: true });
    const got: string[] = [];
    const listen = (name: string) => bus.subscribe(topic, (message) => void got.push(`${name} ${textOf(message)}`));
    await listen('first');
    await until('the retained message', () => got.length === 1);
    await listen('second');
    await until('it again, for the second', () => got.includes('second kept'));
    await bus.publish(topic, { payload: 'new', retain: true });
    await until('what is new', () => got.includes('first new') && got.includes('second new'));
    await arrived(bus);
    assert.deepEqual(got.sort(), ['first kept', 'first new', 'second kept', 'second new']);
    await bus.publish(topic, { payload: '', retain: true });
  });
}
