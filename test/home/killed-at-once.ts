/** Requests whose home is killed right after they were said: nobody is left waiting, and nothing is done twice. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startMosquitto } from '../mosquitto.ts';
import { randomFrom, seed } from '../red/tier.ts';
import { newFolder, startHome } from './home-process.ts';
import { connectPerson } from './person.ts';

/** How long after the request the home may be killed. */
const withinMs = 30;
/** An interrupted one is told so ten seconds after the last start; a loaded computer gets three times that. */
const repliesMs = 30_000;

export interface KilledFigures {
  readonly answered: number;
  readonly interrupted: number;
  readonly commands: number;
}

/** The broker outlives the home. Each request is one command that must not be repeated. */
export async function killAtOnce(kills: number): Promise<KilledFigures> {
  const random = randomFrom(seed());
  const [broker, folder] = await Promise.all([startMosquitto(), newFolder()]);
  const env = { FOLKMOOT_MQTT_URL: broker.url };
  const person = await connectPerson(broker.url);
  let home = await startHome({ folder, env });
  const ids: string[] = [];
  try {
    for (let n = 1; n <= kills; n += 1) {
      const id = randomUUID();
      ids.push(id);
      const text = `tell everyone that parcel ${n} is at the door`;
      await person.ask(text, { id, conversation: randomUUID(), user: `user-${n}` });
      await pause(Math.floor(random() * (withinMs + 1)));
      await home.stop('SIGKILL');
      home = await startHome({ folder, env });
    }
    const completeOf = (id: string) => person.parts(id).filter((part) => part.isComplete);
    const end = Date.now() + repliesMs;
    while (Date.now() < end && !ids.every((id) => completeOf(id).length > 0)) await pause(50);
    assert.deepEqual(
      ids.flatMap((id, n) => (completeOf(id).length === 1 ? [] : [`${n + 1}: ${JSON.stringify(person.parts(id))}`])),
      [],
      'not exactly one complete reply',
    );
    const sent = person.commands().map(({ topic, payload }) => `${topic} ${JSON.stringify(payload)}`);
    assert.deepEqual(
      sent.filter((command, at) => sent.indexOf(command) !== at),
      [],
      'sent twice',
    );
    const interrupted = ids.filter((id) =>
      completeOf(id).some(({ message }) => message.includes('interrupted')),
    ).length;
    return { answered: ids.length - interrupted, interrupted, commands: sent.length };
  } finally {
    await person.close();
    await home.stop();
    await broker.stop();
  }
}
