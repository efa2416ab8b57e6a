/** Somebody who speaks to the house over A.M.I.C.A.'s topics, as any MQTT 5 client would. */
import { randomUUID } from 'node:crypto';
import mqtt from 'mqtt';
import type { MqttClient } from 'mqtt';

const types = 'es.nachobrito.amica.domain.model.message.payload';
const requestTopic = '/es/nachobrito/amica/user/request/v1';
const eventTopic = '/es/nachobrito/amica/system/event/v1';

export interface ReplyPart {
  readonly message: string;
  readonly isComplete: boolean;
  readonly sequence: number;
  readonly agent: string;
  readonly conversation: string;
}

export interface AmicaClient {
  readonly client: MqttClient;
  /** Sends a request; gives its id. */
  ask(message: string, conversation?: string, id?: string): Promise<string>;
  /** Anything on the request topic. */
  send(payload: string | Buffer, properties?: Record<string, string>): Promise<void>;
  /** What came on the reply topic of a request so far. */
  parts(id: string): readonly ReplyPart[];
  /** Conversations whose end was told, in order, repeats included. */
  readonly ended: readonly string[];
  /** Reply parts and ends in the order in which they came. */
  readonly order: readonly string[];
  close(): Promise<void>;
}

export async function amicaClient(url: string): Promise<AmicaClient> {
  const client = await mqtt.connectAsync(url, { protocolVersion: 5 });
  const replies = new Map<string, ReplyPart[]>();
  const ended: string[] = [];
  const order: string[] = [];
  client.on('message', (topic, payload, packet) => {
    const body = JSON.parse(payload.toString()) as Record<string, unknown>;
    const properties = (packet.properties?.userProperties ?? {}) as Record<string, string>;
    if (topic === eventTopic) {
      ended.push(String(body['conversationId']));
      return void order.push(`ended ${String(body['conversationId'])}`);
    }
    const id = topic.split('/').at(-1) ?? '';
    const sequence = (body['sequenceNumber'] as { value: number }).value;
    const isComplete = body['isComplete'] === true;
    order.push(`${id} ${sequence}${isComplete ? '!' : ''}`);
    const part = {
      message: String(body['message']),
      isComplete,
      sequence,
      agent: properties['AGENT_ID'] ?? '',
      conversation: properties['CONVERSATION_ID'] ?? '',
    };
    replies.set(id, [...(replies.get(id) ?? []), part]);
  });
  await client.subscribeAsync(['/es/nachobrito/amica/replies/+', eventTopic], { qos: 1 });
  const send = async (payload: string | Buffer, properties: Record<string, string> = {}) => {
    // An empty list of properties makes mqtt.js write what no broker understands.
    const some = Object.keys(properties).length > 0 ? { properties: { userProperties: properties } } : {};
    await client.publishAsync(requestTopic, payload, { qos: 1, ...some });
  };
  return {
    client,
    send,
    async ask(message, conversation = randomUUID(), id = randomUUID()) {
      const payload = JSON.stringify({ dateTime: new Date().toISOString(), userName: 'ana', message });
      await send(payload, { MESSAGE_ID: id, CONVERSATION_ID: conversation, PAYLOAD_TYPE: `${types}.UserRequest` });
      return id;
    },
    parts: (id) => replies.get(id) ?? [],
    ended,
    order,
    close: () => client.endAsync(true),
  };
}
