/** What every adapter of the bus port does for those who share work: a part of `bus.contract.ts`. */
import assert from 'node:assert/strict';
import { isFolkmootError } from '../errors.ts';
import type { Bus } from './bus.ts';
import { arrived, newTopic, textOf, until } from './bus.contract.ts';
import type { BusMaker } from './bus.contract.ts';

const isBadSetting = (error: unknown): boolean => isFolkmootError(error, 'FOLKMOOT_BAD_SETTING');
const share = { share: 'team' };

async function sharedByTwo(first: Bus, others: Bus): Promise<void> {
  const topic = newTopic();
  const shared: string[] = [];
  const alone: string[] = [];
  await first.subscribe(topic, (message) => void shared.push(textOf(message)), share);
  await others.subscribe(topic, (message) => void shared.push(textOf(message)), share);
  await first.subscribe(topic, (message) => void alone.push(textOf(message)));
  const sent = Array.from({ length: 20 }, (_, index) => String(index));
  await Promise.all(sent.map((payload) => first.publish(topic, { payload })));
  await until('all', () => shared.length >= sent.length && alone.length >= sent.length);
  await arrived(first);
  await arrived(others);
  assert.deepEqual(alone, sent);
  assert.deepEqual(shared.toSorted(), sent.toSorted());
}

export function describeSharing(maker: BusMaker, make: BusMaker['make']): void {
  it('gives each message to one of those who share the work, and to everybody else', async () => {
    if (maker.sharesWork === 'unknown') return;
    const first = await make();
    const refused = (name: string) =>
      assert.rejects(
        first.subscribe(newTopic(), () => undefined, { share: name }),
        isBadSetting,
      );
    if (maker.sharesWork === false) return refused('team');
    await sharedByTwo(first, maker.isShared ? await make() : first);
    await refused('a/b');
  });
}
