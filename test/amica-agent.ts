/** An agent that answers over A.M.I.C.A.'s topics, byte by byte as other programs do; not built on any of our code. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import mqtt from 'mqtt';

const types = 'es.nachobrito.amica.domain.model.message.payload';

export interface Asked {
  readonly id: string;
  readonly conversation: string;
  readonly userName: string;
  readonly message: string;
  /** Properties of the request as they came. */
  readonly properties: Readonly<Record<string, string>>;
}

export interface AmicaAgent {
  readonly asked: readonly Asked[];
  /** Publishes a body on the reply topic of a request. `agentId`: as one more property, which Java agents don't have. */
  send(to: Asked, body: string, agentId?: string): Promise<void>;
  close(): Promise<void>;
}

/** The shipped Java agent's one answer: number 0, and a zone in brackets. */
export const javaAnswer = (message: string): string =>
  `{"message":${JSON.stringify(message)},"dateTime":"2026-03-04T06:06:19.5+01:00[Europe/Madrid]","isComplete":true,"sequenceNumber":{"value":0}}`;

/** One part of a streamed answer. */
export const streamPart = (message: string, value: number, isComplete = false): string =>
  `{"message":${JSON.stringify(message)},"dateTime":"2026-03-04T05:06:18.100Z","isComplete":${isComplete},"sequenceNumber":{"value":${value}}}`;

/** @param answer What it does with each request. */
export async function amicaAgent(
  url: string,
  answer: (asked: Asked, agent: AmicaAgent) => Promise<void> | void = () => undefined,
): Promise<AmicaAgent> {
  const client = await mqtt.connectAsync(url, { protocolVersion: 5 });
  const asked: Asked[] = [];
  const agent: AmicaAgent = {
    asked,
    async send({ id, conversation }, body, agentId) {
      const userProperties = {
        MESSAGE_ID: randomUUID(),
        CONVERSATION_ID: conversation,
        PAYLOAD_TYPE: `${types}.AgentResponse`,
        ...(agentId ? { AGENT_ID: agentId } : {}),
      };
      const topic = `/es/nachobrito/amica/replies/${id}`;
      await client.publishAsync(topic, body, { qos: 0, properties: { userProperties } });
    },
    close: () => client.endAsync(true),
  };
  client.on('message', (_, payload, packet) => {
    const properties = (packet.properties?.userProperties ?? {}) as Record<string, string>;
    const { userName, message } = JSON.parse(payload.toString()) as { userName: string; message: string };
    const { MESSAGE_ID: id = '', CONVERSATION_ID: conversation = '' } = properties;
    const one = { id, conversation, userName, message, properties };
    asked.push(one);
    void answer(one, agent);
  });
  await client.subscribeAsync('/es/nachobrito/amica/user/request/v1', { qos: 1 });
  return agent;
}

/** Words one by one, as a model makes them. */
export async function streamWords(
  agent: AmicaAgent,
  to: Asked,
  text: string,
  everyMs: number,
  agentId?: string,
): Promise<void> {
  const words = text.match(/\S+\s*/g) ?? [];
  for (const [index, word] of words.entries()) {
    await agent.send(to, streamPart(word, index + 1, index === words.length - 1), agentId);
    await pause(everyMs);
  }
}
