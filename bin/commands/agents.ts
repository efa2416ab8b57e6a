/** `folkmoot agents`: who is or was on the broker, as retained cards tell and as each home that is there remembers. */
import type { Bus } from '../../engine/bus/bus.ts';
import { readOur } from '../../engine/bus/our-message.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import { systemClock } from '../../engine/clock.ts';
import { newId } from '../../engine/ids.ts';
import { limits } from '../../engine/limits.ts';
import { mergedRoll, readRoll } from '../../engine/registry/merged-roll.ts';
import { createRegistry } from '../../engine/registry/registry.ts';
import { emptyRoll, type Roll } from '../../engine/registry/roll.ts';
import { createEmbeddedStore } from '../../engine/store/embedded.ts';
import { rollTable } from './agents-table.ts';
import { readArgs, type CommandIo } from './command.ts';
import { firstState } from './connection.ts';
import { deafTo, isRefusal, refusedWords } from './hearing.ts';
import { loginHelp, openBus, serverHelp, serverOptions, serverOf } from './server.ts';

export const summary = 'who is or was here: agents, tools, people, homes';

export const help = `folkmoot agents [OPTIONS]

Lists the agents and tools that show a card on the broker, the homes and other
programs that tell that they are there, and the people who asked something.
Whoever was there lately is listed too, as each home remembers.

${serverHelp}
  --here             only those who are here now
  --json             as JSON
  -h, --help         this text

${loginHelp}
Exit code 1 without a connection, and when the server does not let this user hear
who is here.
`;

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = readArgs({
    args: [...args],
    options: {
      ...serverOptions,
      here: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const bus = await openBus(await serverOf(values, io.env));
  try {
    const problem = await firstState(bus, io.signal);
    if (problem !== undefined) {
      io.err.write(`${problem}\n`);
      return 1;
    }
    const { roll, refusal } = await rollOf(bus);
    const deaf = refusal ?? (await missingOf(roll, bus));
    if (deaf !== undefined) io.err.write(`${deaf}\n`);
    if (deaf !== undefined && isEmpty(roll)) return 1;
    const shown = values.here ? onlyHere(roll) : roll;
    io.out.write(values.json ? `${JSON.stringify(shown, null, 2)}\n` : rollTable(shown, Date.now()));
    return deaf === undefined ? 0 : 1;
  } finally {
    await bus.close();
  }
}

const hasAny = (...lists: readonly (readonly unknown[])[]): boolean => lists.some((list) => list.length > 0);
const isEmpty = ({ processes, agents, tools, users }: Roll): boolean => !hasAny(processes, agents, tools, users);

/** What to tell when this user may not hear, or not ask, who is here: of that a broker may say nothing. */
async function missingOf({ processes, agents, tools, users }: Roll, bus: Bus): Promise<string | undefined> {
  const hasOthers = hasAny(agents, tools, users);
  const hasPart = hasOthers || processes.length > 0;
  const id = `hears-${newId()}`;
  const topics = [ourTopics.answers(id), ourTopics.registry(id)];
  const deaf = await deafTo('folkmoot/v1/#', { bus, clock: systemClock, topics, hasPart });
  // Who may only read sees cards without asking for them.
  return deaf?.why === 'refused' && hasOthers ? undefined : deaf?.text;
}

/** `refusal`: what the server did not let us hear, in words. */
async function rollOf(bus: Bus): Promise<{ readonly roll: Roll; readonly refusal: string | undefined }> {
  const store = createEmbeddedStore({ path: ':memory:', clock: systemClock });
  const process = `cli-${newId()}`;
  // What is in no right form is left out here; each home reports it.
  let refusal: string | undefined;
  const report = (problem: Error) => {
    if (isRefusal(problem)) refusal ??= refusedWords([problem]);
  };
  const registry = createRegistry({ bus, store, house: 'cli', process, clock: systemClock, report });
  try {
    await registry.ready;
    const own = registry.roll();
    const online = own.processes.filter(({ status }) => status === 'online');
    const others = await Promise.all(online.map((one) => askedOf(bus, one.process)));
    return { roll: mergedRoll(own, others), refusal };
  } finally {
    await registry.close();
    await store.close();
  }
}

/** Programs that only tell that they are there have nothing to say; a home that doesn't let us ask neither. */
async function askedOf(bus: Bus, process: string): Promise<Roll> {
  try {
    const payload = JSON.stringify({ v: 1, kind: 'list' });
    const topic = ourTopics.registry(process);
    const answer = await bus.request(topic, { payload, onlyNow: true }, { timeoutMs: limits.registryReadyMs });
    const reading = readOur('answer', answer);
    return 'body' in reading && reading.body.status === 'answered' ? readRoll(reading.body.payload) : emptyRoll;
  } catch {
    return emptyRoll;
  }
}

const onlyHere = ({ v, processes, agents, tools, users }: Roll): Roll => ({
  v,
  processes: processes.filter(({ status }) => status === 'online'),
  agents: agents.filter(({ status }) => status === 'online'),
  tools: tools.filter(({ status }) => status === 'online'),
  users: users.filter(({ status }) => status === 'here'),
});
