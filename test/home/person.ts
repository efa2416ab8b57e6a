/** A person who talks to a home over A.M.I.C.A.'s topics with a real MQTT client, and sees what the devices are sent. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { connectAsync, type IPublishPacket, type MqttClient } from 'mqtt';

const requestTopic = '/es/nachobrito/amica/user/request/v1';
const eventTopic = '/es/nachobrito/amica/system/event/v1';
const replyTopic = (id: string) => `/es/nachobrito/amica/replies/${id}`;
const runTopic = 'folkmoot/v1/runs/';
const classes = 'es.nachobrito.amica.domain.model.message.payload';
const answerMs = 20_000;

export interface Part {
  readonly message: string;
  readonly isComplete: boolean;
  readonly sequence: number;
  readonly conversation: string;
}

export interface Command {
  readonly topic: string;
  readonly payload: unknown;
}

/** As on `folkmoot/v1/runs/<run>/events`. */
export interface RunEvent {
  readonly run: string;
  readonly kind: string;
  readonly step?: string;
  readonly agent?: string;
  readonly data: unknown;
}

export interface Reply {
  readonly parts: readonly Part[];
  /** Of the complete part. */
  readonly text: string;
  readonly hasEnded: boolean;
}

export interface SayOptions {
  readonly conversation?: string;
  /** Default: another one in each conversation, for an open question of the same person may be answered in any. */
  readonly user?: string;
  readonly id?: string;
  /** Default 20 s. */
  readonly withinMs?: number;
}

export interface Person {
  readonly client: MqttClient;
  /** Resolves with the complete reply after its ConversationEnded. @throws when it doesn't come. */
  say(text: string, options?: SayOptions): Promise<Reply>;
  /** As `say`, without waiting for the reply: resolves when the broker has it. */
  ask(
    text: string,
    options: { readonly id: string; readonly conversation: string; readonly user: string },
  ): Promise<void>;
  /** Publishes anything on the request topic, as it is. */
  send(body: string | Buffer, properties: Readonly<Record<string, string>>): Promise<void>;
  /** All parts that came for a request. */
  parts(id: string): readonly Part[];
  /** What the devices were sent since the last call, in order. */
  commands(): Command[];
  /** What the devices were sent since the last call, without taking it. */
  peek(): readonly Command[];
  /** Waits for as many commands. @throws with what came when it takes longer. */
  untilCommands(count: number, withinMs: number): Promise<void>;
  /** Events of all runs since the connection, in order. */
  runEvents(): readonly RunEvent[];
  publish(topic: string, payload: unknown): Promise<void>;
  /** Resolves when all that was published before is here: what has not come by then does not come any more. */
  fence(): Promise<void>;
  /**
   * Has the house answer something that does nothing, then as `fence`: what was heard before has been looked at, and what
   * it led to at once is here. Gives the words of the request, by which its run is told from others.
   */
  quiet(): Promise<string>;
  /** The last state that a device told. */
  state(topic: string): unknown;
  close(): Promise<void>;
}

/** Nothing for what others write there. */
function partOf(packet: IPublishPacket, body: Buffer): Part | undefined {
  const { message, isComplete, sequenceNumber } = parsed(body) as {
    message: string;
    isComplete: boolean;
    sequenceNumber?: { value: number };
  };
  if (sequenceNumber === undefined) return undefined;
  const properties = packet.properties?.userProperties ?? {};
  return { message, isComplete, sequence: sequenceNumber.value, conversation: String(properties['CONVERSATION_ID']) };
}

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return body.toString();
  }
};

async function until(isTrue: () => boolean, ms: number): Promise<boolean> {
  const end = Date.now() + ms;
  while (!isTrue()) {
    if (Date.now() > end) return false;
    await pause(5);
  }
  return true;
}

export async function connectPerson(url: string): Promise<Person> {
  const client = await connectAsync(url, { protocolVersion: 5, reconnectPeriod: 0 });
  client.stream.on('error', () => undefined);
  if ('setNoDelay' in client.stream) (client.stream as Socket).setNoDelay(true);
  const parts = new Map<string, Part[]>();
  const ended = new Set<string>();
  const states = new Map<string, unknown>();
  let commands: Command[] = [];
  const runEvents: RunEvent[] = [];
  client.on('message', (topic, body, packet) => {
    if (topic.startsWith(replyTopic(''))) {
      const id = topic.slice(replyTopic('').length);
      const part = partOf(packet, body);
      if (part) parts.set(id, [...(parts.get(id) ?? []), part]);
    } else if (topic === eventTopic) {
      ended.add(String((parsed(body) as { conversationId?: string }).conversationId));
    } else if (topic.startsWith(runTopic)) runEvents.push(parsed(body) as RunEvent);
    else if (topic.endsWith('/set')) commands.push({ topic, payload: parsed(body) });
    else states.set(topic, parsed(body));
  });
  await client.subscribeAsync(['zigbee2mqtt/#', 'home/#', eventTopic, replyTopic('+'), `${runTopic}+/events`], {
    qos: 1,
  });
  const send: Person['send'] = async (body, properties) => {
    // mqtt.js writes a broken packet for an empty list of properties.
    const own = Object.keys(properties).length ? { properties: { userProperties: { ...properties } } } : {};
    await client.publishAsync(requestTopic, body, { qos: 1, ...own });
  };
  const ask: Person['ask'] = (text, { id, conversation, user }) =>
    send(JSON.stringify({ dateTime: new Date().toISOString(), userName: user, message: text }), {
      MESSAGE_ID: id,
      CONVERSATION_ID: conversation,
      PAYLOAD_TYPE: `${classes}.UserRequest`,
    });
  const fence = async () => {
    const topic = `home/fence/${randomUUID()}`;
    await client.publishAsync(topic, '"here"', { qos: 1 });
    if (!(await until(() => states.has(topic), answerMs))) throw new Error(`No fence within ${answerMs} ms`);
  };
  const person: Person = {
    client,
    send,
    ask,
    fence,
    async quiet() {
      const words = 'tell me a joke';
      await person.say(words);
      await fence();
      return words;
    },
    async say(
      text,
      { conversation = randomUUID(), user = `alex-${conversation}`, id = randomUUID(), withinMs = answerMs } = {},
    ) {
      ended.delete(conversation);
      await ask(text, { id, conversation, user });
      const complete = () => parts.get(id)?.find((part) => part.isComplete);
      await until(() => complete() !== undefined && ended.has(conversation), withinMs);
      const last = complete();
      const came = parts.get(id) ?? [];
      if (!last) throw new Error(`No complete reply to "${text}" within ${withinMs} ms; came: ${JSON.stringify(came)}`);
      return { parts: came, text: last.message, hasEnded: ended.has(conversation) };
    },
    parts: (id) => parts.get(id) ?? [],
    commands() {
      const taken = commands;
      commands = [];
      return taken;
    },
    peek: () => commands,
    async untilCommands(count, withinMs) {
      if (await until(() => commands.length >= count, withinMs)) return;
      throw new Error(`Expected ${count} commands within ${withinMs} ms, came: ${JSON.stringify(commands)}`);
    },
    runEvents: () => runEvents,
    async publish(topic, payload) {
      await client.publishAsync(topic, JSON.stringify(payload), { qos: 1 });
    },
    state: (topic) => states.get(topic),
    close: () => client.endAsync(true),
  };
  return person;
}
