/** An agent that answers over A.M.I.C.A.'s channels on a Valkey server, byte by byte; not built on any of our code. */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { AmicaAgent, Asked } from './amica-agent.ts';

const types = 'es.nachobrito.amica.domain.model.message.payload';
const requests = 'es.nachobrito.amica.user.request.v1';

/** @param login User and password of the server, where it asks for them. */
export async function amicaValkeyAgent(
  port: number,
  answer: (asked: Asked, agent: AmicaAgent) => Promise<void> | void,
  login: { readonly username?: string; readonly password?: string } = {},
): Promise<AmicaAgent> {
  const client = new Redis({ port, host: '127.0.0.1', ...login });
  const listener = client.duplicate();
  const asked: Asked[] = [];
  const agent: AmicaAgent = {
    asked,
    async send({ id, conversation }, body) {
      const channel = `es.nachobrito.amica.replies.${id}`;
      const frame = [randomUUID(), conversation, channel, `${types}.AgentResponse`, body].join('@@');
      await client.publish(channel, frame);
    },
    close() {
      client.disconnect();
      listener.disconnect();
      return Promise.resolve();
    },
  };
  listener.on('message', (_, frame: string) => {
    const [id = '', conversation = '', channel = '', type = '', body = ''] = frame.split('@@');
    const { userName, message } = JSON.parse(body) as { userName: string; message: string };
    const one = { id, conversation, userName, message, properties: { PAYLOAD_TYPE: type, channel } };
    asked.push(one);
    void answer(one, agent);
  });
  await listener.subscribe(requests);
  return agent;
}
