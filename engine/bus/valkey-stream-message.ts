/** A message of the bus as an entry of its stream: `topic`, `payload`, and what else it has. */
import { streamKey } from '../valkey/stream-key.ts';
import type { BusMessage, Outgoing } from './bus.ts';

export const busStream = streamKey('bus');

/** As they stand in the stream; empty ones are left out. */
export function fieldsOf(topic: string, message: Outgoing, nowMs: number): (string | Buffer)[] {
  const { payload, properties = {}, responseTopic, correlation, expirySeconds } = message;
  return [
    ...['topic', topic],
    ...['payload', typeof payload === 'string' ? payload : Buffer.from(payload)],
    ...(Object.keys(properties).length > 0 ? ['properties', JSON.stringify(properties)] : []),
    ...(responseTopic === undefined ? [] : ['responseTopic', responseTopic]),
    ...(correlation === undefined ? [] : ['correlation', correlation]),
    ...(expirySeconds === undefined ? [] : ['until', String(nowMs + expirySeconds * 1000)]),
  ];
}

/** Nothing for an entry that names no topic, or whose time is over. */
export function messageOf(fields: Readonly<Record<string, Buffer>>, nowMs: number): BusMessage | undefined {
  const text = (name: string) => fields[name]?.toString('utf8');
  const [topic, responseTopic, correlation] = [text('topic'), text('responseTopic'), text('correlation')];
  if (!topic || Number(text('until') ?? Infinity) <= nowMs) return undefined;
  return {
    topic,
    payload: fields['payload'] ?? Buffer.alloc(0),
    properties: propertiesOf(text('properties')),
    retained: false,
    ...(responseTopic === undefined ? {} : { responseTopic }),
    ...(correlation === undefined ? {} : { correlation }),
  };
}

function propertiesOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  try {
    const read = JSON.parse(text) as unknown;
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return {};
    return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}
