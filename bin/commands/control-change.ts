/** What `folkmoot pause`, `resume` and `shadow` have in common: control is changed, retained, and homes say what they do. */
import type { Bus, BusMessage } from '../../engine/bus/bus.ts';
import { readOur } from '../../engine/bus/our-message.ts';
import { senderOf, senderProperties } from '../../engine/bus/our-properties.ts';
import { ourPatterns, ourTopics } from '../../engine/bus/topics.ts';
import type { ControlBody } from '../../engine/bus/watch-schemas.ts';
import { sleep, systemClock } from '../../engine/clock.ts';
import { newId } from '../../engine/ids.ts';
import { limits } from '../../engine/limits.ts';
import { plain } from '../chat/text.ts';
import { UsageError, type CommandIo } from './command.ts';
import { asSentence, brokerHint, firstState } from './connection.ts';
import { isRefusal } from './hearing.ts';
import { openBus, serverHelp, serverOf, serverOptions, type ServerWords } from './server.ts';
import { nameOfUser } from './user-name.ts';

export type Change = Partial<Pick<ControlBody, 'paused' | 'shadow'>>;

export const controlOptions = { ...serverOptions, user: { type: 'string' } } as const;

export const controlHelp = `\
${serverHelp}
  --user NAME        who does it; default: your name on this computer. Where homes
                     list who may ask, it has to be one of those
  -h, --help         this text`;

/** For the end of a help text. */
export const controlEnd = `\
It is for every home on the broker, and stays until it is changed. Each home that
is there says what it does; one that comes later does the same. Exit code 1 when
the server or a home refuses it.`;

/** What homes said, by the name of each. */
type Answers = ReadonlyMap<string, { readonly state?: ControlBody; readonly refusal?: string }>;

export async function changeControl(
  change: Change,
  { words, user, io }: { readonly words: ServerWords; readonly user: string | undefined; readonly io: CommandIo },
): Promise<number> {
  const by = (user ?? nameOfUser(io.env)).trim();
  if (by === '' || by.length > 200) throw new UsageError('--user is a name of at most 200 characters.');
  const bus = await openBus(await serverOf(words, io.env));
  try {
    const problem = await firstState(bus, io.signal);
    if (problem !== undefined) {
      io.err.write(`${problem}\n`);
      return 1;
    }
    return tell(await sent(change, by, bus), io);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message } = error as Error;
    io.err.write(`${asSentence(message)} ${brokerHint(message)}\n`);
    return 1;
  } finally {
    await bus.close();
  }
}

interface Sent {
  readonly next: ControlBody;
  readonly answers: Answers;
}

/** What is there is known before, so that only what was asked for is changed. */
async function sent(change: Change, by: string, bus: Bus): Promise<Sent> {
  const answers = new Map<string, { state?: ControlBody; refusal?: string }>();
  const here = new Set<string>();
  let current: ControlBody | undefined;
  const heard = Promise.withResolvers<undefined>();
  const topic = ourTopics.answers(`cli-${newId()}`);
  await bus.subscribe(ourTopics.control, (message) => {
    const reading = readOur('control', message);
    if ('body' in reading && !isFuture(reading.body)) current = reading.body;
  });
  await bus.subscribe(ourPatterns.presence, (message) => {
    const reading = readOur('presence', message);
    if ('body' in reading && reading.body.status === 'online') here.add(reading.body.house);
  });
  await bus.subscribe(topic, (message) => {
    const { house = 'a home' } = senderOf(message.properties);
    answers.set(house, answerOf(message));
    if ([...here].every((one) => answers.has(one))) heard.resolve(undefined);
  });
  // What is retained comes at once, where this user may hear it.
  await sleep(systemClock, limits.registryReadyMs / 4);
  const { paused = false, shadow = false } = { ...current, ...change };
  const since = new Date(Math.max(Date.now(), current ? Date.parse(current.since) + 1 : 0)).toISOString();
  const next = { paused, shadow, by, since };
  const more = { responseTopic: topic, correlation: newId(), properties: senderProperties({ user: by }) };
  await bus.publish(ourTopics.control, { payload: JSON.stringify(next), retain: true, ...more });
  await Promise.race([heard.promise, sleep(systemClock, limits.registryReadyMs)]);
  return { next, answers };
}

const isFuture = ({ since }: ControlBody): boolean => Date.parse(since) > Date.now() + limits.controlAheadMs;

function answerOf(message: BusMessage): { readonly state?: ControlBody; readonly refusal?: string } {
  const reading = readOur('answer', message);
  if (!('body' in reading)) return { refusal: 'It says something that can not be read.' };
  const { status, payload } = reading.body;
  if (status === 'answered' && typeof payload === 'object') return { state: payload as ControlBody };
  return { refusal: typeof payload === 'string' ? payload : 'It does not say why.' };
}

function tell({ next, answers }: Sent, io: CommandIo): number {
  let isTaken = true;
  for (const [house, { state, refusal }] of [...answers].sort(([a], [b]) => a.localeCompare(b))) {
    const isRefused = refusal !== undefined || state?.since !== next.since;
    if (isRefused) isTaken = false;
    const why = refusal ?? `It goes by a newer word of ${plain(String(state?.by))}.`;
    (isRefused ? io.err : io.out).write(
      isRefused ? `${plain(house)} does not take it: ${plain(why)}\n` : `${plain(house)}: ${stateWords(next)}\n`,
    );
  }
  if (answers.size === 0) io.out.write(`Told to the broker: ${stateWords(next)}. No home answered.\n`);
  return isTaken ? 0 : 1;
}

const stateWords = ({ paused, shadow }: ControlBody): string =>
  [paused ? 'paused' : 'going on', ...(shadow ? ['in shadow: nothing is sent to devices'] : [])].join(', ');
