/** `folkmoot chat`: talk to the house and to every other agent on the broker, over A.M.I.C.A.'s topics. */
import { createMqttBus } from '../../engine/bus/mqtt.ts';
import { writeRequest, readAmica } from '../../engine/bus/amica.ts';
import { amicaTopics } from '../../engine/bus/topics.ts';
import { newId } from '../../engine/ids.ts';
import { createInterface } from 'node:readline';
import { userInfo } from 'node:os';
import { brokerAddress } from './addresses.ts';
import { readArgs, type CommandIo } from './command.ts';

export const summary = 'talk to the house';

export const help = `folkmoot chat [--broker ADDRESS]

Each line is a request; what is answered comes below it. "exit" ends it.
`;

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = readArgs({ args: [...args], options: { broker: { type: 'string' } } });
  const bus = createMqttBus({ url: await brokerAddress(values.broker, io.env) });
  const conversationId = newId();
  for await (const line of createInterface({ input: io.in })) {
    const message = line.trim();
    if (message === 'exit') break;
    if (message === '') continue;
    const messageId = newId();
    const answered = Promise.withResolvers<undefined>();
    const subscription = await bus.subscribe(amicaTopics.replies(messageId), (incoming) => {
      const reading = readAmica(incoming);
      if ('fault' in reading || reading.message.kind !== 'response') return;
      io.out.write(reading.message.message);
      if (reading.message.isComplete) answered.resolve(undefined);
    });
    const request = { messageId, conversationId, userName: userInfo().username, message, atMs: Date.now() };
    const written = writeRequest(request);
    await bus.publish(written.topic, written.message);
    await answered.promise;
    io.out.write('\n---\n');
    await subscription.close();
  }
  await bus.close();
  return 0;
}
