/** `folkmoot watch`: what happens on the broker, a line for each thing, as it comes. */
import type { Bus, BusMessage } from '../../engine/bus/bus.ts';
import { createMqttBus } from '../../engine/bus/mqtt.ts';
import { asError } from '../../engine/errors.ts';
import { usualKinds, watchedOf, watchKinds, type WatchKind } from '../watch/lines.ts';
import { brokerAddress } from './addresses.ts';
import { readArgs, UsageError, type CommandIo } from './command.ts';

export const summary = 'see what happens, live';

export const help = `folkmoot watch [OPTIONS]

Shows what happens on the broker, a line for each thing, as it comes: what
people ask and are answered, runs, boards, who comes and goes. Ctrl-C ends it.
A lost connection is told and made anew.

  --broker ADDRESS   mqtt://HOST:PORT; default: that of the running home, then
                     FOLKMOOT_MQTT_URL, then mqtt://127.0.0.1:1883
  --only KINDS       some of ${Object.keys(watchKinds).join(', ')},
                     with commas between; default: all but metrics
  --run ID           only of the run whose id begins so
  --json             each as one line of JSON: at, kind, topic, body
  -h, --help         this text
`;

interface Options {
  readonly isJson: boolean;
  readonly run: string | undefined;
}

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = readArgs({
    args: [...args],
    options: {
      broker: { type: 'string' },
      only: { type: 'string' },
      run: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const kinds = values.run === undefined ? kindsOf(values.only) : (['runs'] as const);
  const address = await brokerAddress(values.broker, io.env);
  const bus = createMqttBus({ url: address });
  const stopTelling = tellConnection(bus, io);
  try {
    await watch(bus, kinds, { isJson: values.json, run: values.run }, io);
  } finally {
    stopTelling();
    await bus.close();
  }
  return 0;
}

function kindsOf(only: string | undefined): readonly WatchKind[] {
  if (only === undefined) return usualKinds;
  const named = only.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !Object.hasOwn(watchKinds, name));
  if (unknown === undefined) return named as WatchKind[];
  throw new UsageError(`--only knows ${Object.keys(watchKinds).join(', ')}, not "${unknown}".`);
}

/** Resolves when the command is asked to end. */
async function watch(bus: Bus, kinds: readonly WatchKind[], options: Options, io: CommandIo): Promise<void> {
  const show = (message: BusMessage) => void io.out.write(lineOf(message, options));
  for (const pattern of kinds.flatMap((kind) => [...watchKinds[kind]])) {
    // What may not be heard by this user keeps nobody from the rest.
    bus.subscribe(pattern, show).catch((error: unknown) => {
      if (!io.signal.aborted) io.err.write(`${asError(error).message}\n`);
    });
  }
  await new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve();
    else io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** With its line break; empty for what isn't shown. */
function lineOf(message: BusMessage, { isJson, run }: Options): string {
  const watched = watchedOf(message);
  if (!watched || (run !== undefined && !watched.run?.startsWith(run))) return '';
  const at = new Date();
  if (isJson) return `${JSON.stringify({ at: at.toISOString(), kind: watched.kind, ...jsonOf(message) })}\n`;
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
    if (state === 'down') io.err.write(`No connection to the broker: ${reason ?? 'it was lost'}. It is tried again.\n`);
    if (state === 'up') wasUp = true;
  });
}
