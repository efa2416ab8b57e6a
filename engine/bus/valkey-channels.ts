/** MQTT's patterns as Valkey's channels: `+` and `#` become globs, which let more through and are looked at once more. */
import { amicaChannel, isAmicaTopic, readAmicaFrame } from './amica-frame.ts';
import type { BusMessage } from './bus.ts';
import { fromMqttTopic, toMqttTopic, topicMatches } from './topics.ts';
import { readFrame } from './valkey-frame.ts';

export interface Channel {
  readonly isGlob: boolean;
  readonly name: string;
}

const escaped = (text: string): string => text.replace(/[*?[\]\\]/g, '\\$&');

/** What to subscribe to for a pattern. Throws FOLKMOOT_MESSAGE_INVALID for one of A.M.I.C.A.'s with a dot. */
export function channelOf(pattern: string): Channel {
  const isAmica = isAmicaTopic(pattern);
  if (!/[+#]/.test(pattern)) return { isGlob: false, name: isAmica ? amicaChannel(pattern) : pattern };
  if (isAmica) amicaChannel(pattern);
  const glob = pattern
    .split('/')
    .map((level) => (level === '+' || level === '#' ? '*' : escaped(level)))
    .join('/')
    // `a/#` is `a` too.
    .replace(/\/\*$/, pattern.endsWith('#') ? '*' : '/*');
  return { isGlob: true, name: isAmica ? fromMqttTopic(glob) : glob };
}

/** On which topics a message of a channel may be for this pattern. */
function topicFor(pattern: string, channel: string): { readonly topic: string; readonly isAmica: boolean } {
  if (isAmicaTopic(pattern)) return { topic: toMqttTopic(channel), isAmica: true };
  // Of a pattern for everything it is not known whose a name with dots is.
  const isDotted = /^[+#]/.test(pattern) && !channel.includes('/') && channel.includes('.');
  return isDotted ? { topic: toMqttTopic(channel), isAmica: true } : { topic: channel, isAmica: false };
}

export type ChannelReading =
  { readonly message: BusMessage; readonly untilMs: number } | { readonly fault: string; readonly topic: string };

/** Reads what came on a channel for one pattern; nothing when it is not for it. */
export function readChannel(pattern: string, channel: string, bytes: Buffer): ChannelReading | undefined {
  const { topic, isAmica } = topicFor(pattern, channel);
  if (!isAmica) return topicMatches(pattern, topic) ? readFrame(topic, bytes) : undefined;
  if (!topicMatches(pattern, topic)) return undefined;
  const read = readAmicaFrame(bytes);
  if ('fault' in read) return isAmicaTopic(pattern) ? { fault: read.fault, topic } : readFrame(channel, bytes);
  const { properties, payload } = read;
  return { message: { topic, payload, properties, retained: false }, untilMs: Infinity };
}
