/** Tells everybody on the connections that a conversation has ended. */
import { writeEnded } from '../../engine/bus/amica.ts';
import { folkmootError } from '../../engine/errors.ts';
import type { Backbone } from '../backbone/lease.ts';
import { mootOf } from '../shared/message.ts';
import type { RedMessage } from '../shared/red.ts';

/** Throws FOLKMOOT_BAD_INPUT for a message of no conversation. */
export async function tellEnded({ bus }: Backbone, message: RedMessage): Promise<void> {
  const { conversation } = mootOf(message);
  if (!conversation) {
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'The message belongs to no conversation that could end.');
  }
  const { topic, message: written } = writeEnded(conversation);
  await bus.publish(topic, written);
}
