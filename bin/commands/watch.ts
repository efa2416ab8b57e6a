/** `folkmoot watch`: what happens on the broker, a line for each thing, as it comes. */
import type { Bus, BusMessage } from '../../engine/bus/bus.ts';
import { isAmicaTopic } from '../../engine/bus/topics.ts';
import { systemClock } from '../../engine/clock.ts';
import { usualKinds, watchedOf, watchKinds, type WatchKind } from '../watch/lines.ts';
import { readArgs, UsageError, type CommandIo } from './command.ts';
import { asSentence, unusable } from './connection.ts';
import { deafTo, isRefusal, refusedWords } from './hearing.ts';
import { loginHelp, openBus, serverHelp, serverOf, serverOptions } from './server.ts';

export const summary = 'see what happens, live';

export const help = `folkmoot watch [OPTIONS]

Shows what happens on the broker, a line for each thing, as it comes: what
people ask and are answered, runs, boards, who comes and goes. What homes drop, as
it is in no right form, is shown with the reason. Ctrl-C ends it.
A lost connection is told and made anew.

${serverHelp}
  --only KINDS       some of ${Object.keys(watchKinds).join(', ')},
                     with commas between; default: all but metrics
  --run ID           only of the run whose id begins so
  --json             each as one line of JSON: at, kind, topic, body; dropped: why
                     homes pass it over
  -h, --help         this text

${loginHelp}
When the server does not let this user hear something, it says so and goes on with
the rest, and the exit code is 1; it ends at once where nothing is left.
`;

interface Options {
  readonly isJson: boolean;
  readonly run: string | undefined;
}

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = readArgs({
    args: [...args],
    options: {
      ...serverOptions,
      only: { type: 'string' },
      run: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const kinds = values.run === undefined ? kindsOf(values.only) : (['runs'] as const);
  const bus = await openBus(await serverOf(values, io.env));
  const stopTelling = tellConnection(bus, io);
  try {
    return (await watch(bus, kinds, { isJson: values.json, run: values.run }, io)) ? 0 : 1;
  } finally {
    stopTelling();
    await bus.close();
  }
}

function kindsOf(only: string | undefined): readonly WatchKind[] {
  if (only === undefined) return usualKinds;
  const named = only.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !Object.hasOwn(watchKinds, name));
  if (unknown === undefined) return named as WatchKind[];
  throw new UsageError(`--only knows ${Object.keys(watchKinds).join(', ')}, not "${unknown}".`);
}

/** Resolves when the command is asked to end, or nothing may be heard; false when something may not. */
async function watch(bus: Bus, kinds: readonly WatchKind[], options: Options, io: CommandIo): Promise<boolean> {
  const say = (text: string) => void (io.signal.aborted || io.err.write(`${text}\n`));
  const asked = aborted(io.signal);
  if (!(await Promise.race([firstUp(bus, say), asked.then(() => false)]))) return false;
  let hasOurs = false;
  const show = (message: BusMessage) => {
    hasOurs ||= !isAmicaTopic(message.topic);
    io.out.write(lineOf(message, options));
  };
  const patterns = kinds.flatMap((kind): readonly string[] => watchKinds[kind]);
  const settled = await Promise.race([Promise.allSettled(patterns.map((one) => bus.subscribe(one, show))), asked]);
  const refused = (settled ?? []).flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (refused.length > 0) say(refusedWords(refused));
  if (refused.length === patterns.length) return false;
  const isQuiet = refused.length === 0 && patterns.some((pattern) => !isAmicaTopic(pattern));
  const deaf = isQuiet ? await Promise.race([deafTo('folkmoot/v1/#', { bus, clock: systemClock }), asked]) : undefined;
  if (deaf && !hasOurs) say(deaf.text);
  await asked;
  return refused.length === 0 && (!deaf || hasOurs);
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

/** Resolves with the first connection that can be used, or false with one that can't; what goes wrong is said. */
function firstUp(bus: Bus, say: (text: string) => void): Promise<boolean> {
  return new Promise((resolve) => {
    bus.onState((state) => void (state === 'up' && resolve(true)));
    bus.onProblem((problem) => {
      if (bus.state === 'up') return isRefusal(problem) ? say(refusedWords([problem])) : undefined;
      say(unusable(problem));
      resolve(false);
    });
  });
}

/** With its line break; empty for what isn't shown. */
function lineOf(message: BusMessage, { isJson, run }: Options): string {
  const watched = watchedOf(message);
  if (!watched || (run !== undefined && !watched.run?.startsWith(run))) return '';
  const at = new Date();
  const dropped = watched.dropped === undefined ? {} : { dropped: watched.dropped };
  if (isJson)
    return `${JSON.stringify({ at: at.toISOString(), kind: watched.kind, ...jsonOf(message), ...dropped })}\n`;
  if (watched.text === undefined) return '';
  return `${at.toTimeString().slice(0, 8)} ${watched.kind.padEnd(8)} ${watched.text}\n`;
}

function jsonOf({ topic, payload, retained, properties }: BusMessage): object {
  const text = Buffer.from(payload).toString('utf8');
  const more = {
    ...(retained ? { retained } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  };
  try {
    return { topic, ...more, body: text === '' ? null : (JSON.parse(text) as unknown) };
  } catch {
    return { topic, ...more, body: text };
  }
}

/** On the other stream, so that lines can be piped. */
function tellConnection(bus: Bus, io: CommandIo): () => void {
  let wasUp = false;
  return bus.onState((state, reason) => {
    if (state === 'up') io.err.write(wasUp ? 'Connected again.\n' : 'Connected. Ctrl-C ends it.\n');
    if (state === 'down')
      io.err.write(`No connection to the broker: ${asSentence(reason ?? 'it was lost')} It is tried again.\n`);
    if (state === 'up') wasUp = true;
  });
}
