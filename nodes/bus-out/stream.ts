/** Says something on a stream, or answers what was taken from one. */
import { isFailure } from '../../engine/conversation/stream-desk.ts';
import { folkmootError } from '../../engine/errors.ts';
import { streamKey } from '../../engine/valkey/stream-key.ts';
import type { Backbone } from '../backbone/lease.ts';
import { hallOf } from '../bus-in/stream-desk.ts';
import { mootOf } from '../shared/message.ts';
import type { RedMessage } from '../shared/red.ts';
import type { BusOutKit } from './bus-out.ts';
import { asPublished, wordsOf } from './out-payload.ts';

/** Throws FOLKMOOT_BAD_INPUT, FOLKMOOT_BAD_SETTING, FOLKMOOT_BUS_LOST. */
export async function sendToStream(kit: BusOutKit, backbone: Backbone, message: RedMessage): Promise<void> {
  const { config } = kit;
  const hall = hallOf(backbone);
  // Who speaks there writes its line itself, in its turn.
  if (config.stream === '') {
    if (answerStream(kit, backbone, message)) return;
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'The message belongs to no stream, and the node names none.');
  }
  if (isPart(message)) return;
  await hall.streams.add(streamKey(config.stream), fieldsOf(kit, backbone, message.payload));
  answerStream(kit, backbone, message);
}

/** Words of a run before its last: what is said on a stream is said once. */
function isPart(message: RedMessage): boolean {
  const { run, outcome, report } = mootOf(message);
  return run !== undefined && outcome === undefined && report === undefined;
}

/** True when the message belongs to what was taken from a stream. */
export function answerStream(kit: BusOutKit, backbone: Backbone, message: RedMessage): boolean {
  const { request, outcome, late } = mootOf(message);
  if (request?.via !== 'stream') return false;
  if (isPart(message) || late) return true;
  const words = wordsOf(message.payload);
  if (words === undefined) return true;
  hallOf(backbone).desk.answer(request.id, { words, how: isFailure(outcome) ? 'failed' : 'answered' });
  return true;
}

function fieldsOf({ config, node }: BusOutKit, { house }: Backbone, payload: unknown): Record<string, string | Buffer> {
  const written = (value: unknown) => {
    const out = asPublished(value);
    return typeof out === 'string' ? out : Buffer.from(out);
  };
  if (config.form === 'talk') {
    const text = (wordsOf(payload) ?? '').trim();
    if (text === '') throw folkmootError('FOLKMOOT_BAD_INPUT', 'msg.payload holds no words to say.');
    return { role: config.role || node.name || house, text };
  }
  const isObject =
    typeof payload === 'object' && payload !== null && !Array.isArray(payload) && !Buffer.isBuffer(payload);
  const fields = isObject ? Object.entries(payload) : [['payload', payload] as const];
  if (fields.length === 0)
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'msg.payload has no property, so there is no entry.');
  return Object.fromEntries(fields.map(([name, value]) => [name, written(value)]));
}
