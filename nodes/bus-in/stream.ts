/** Passes entries of a stream on to what bus in is wired to, and acknowledges each when the work on it is done. */
import { createBadReports } from '../../engine/conversation/intake-reports.ts';
import { createTownhallSeat, type TalkTurn } from '../../engine/conversation/townhall-seat.ts';
import { streamConversation, streamRequestId } from '../../engine/conversation/townhall.ts';
import { folkmootError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import type { TakenInfo } from '../../engine/moot.ts';
import { openRequests } from '../../engine/plan/run-records.ts';
import { streamKey } from '../../engine/valkey/stream-key.ts';
import type { StreamEntry } from '../../engine/valkey/stream-entry.ts';
import type { Handled } from '../../engine/valkey/stream-group.ts';
import type { Backbone } from '../backbone/lease.ts';
import { processClock } from '../shared/process.ts';
import { leftWords } from '../shared/shared-work.ts';
import type { BusInKit } from './bus-in.ts';
import { hallOf, type StreamHall } from './stream-desk.ts';
import { payloadOf } from './topic-payload.ts';

type Config = BusInKit['config'];

/** Throws FOLKMOOT_BAD_SETTING. */
export function checkStream({ stream, name }: Pick<Config, 'stream' | 'name'>): void {
  if (streamKey(stream) === '' || stream.trim() === '') {
    throw folkmootError('FOLKMOOT_BAD_SETTING', `The stream of "${name || 'bus in'}" is blank.`);
  }
}

const roleOf = ({ node, config }: BusInKit): string => config.role || config.name || node.type;

/** Gives what ends it. */
export async function takeStream(kit: BusInKit, backbone: Backbone): Promise<() => void> {
  const hall = hallOf(backbone);
  const { config } = kit;
  const key = streamKey(config.stream);
  const reports = createBadReports({
    clock: processClock,
    metrics: backbone.metrics,
    report: (problem) => kit.warn(problem.message),
  });
  const malformed = (entry: StreamEntry) =>
    reports.count({ topic: key, reason: 'no role or no text', detail: `Entry ${entry.id} is passed over.` });
  const stops: (() => void)[] = [showState(kit, hall), () => reports.close()];
  const member = {
    group: config.shareWork ? config.shareName : config.form === 'talk' ? roleOf(kit) : config.role || kit.id,
    consumer: `${backbone.processId}-${kit.id}`,
  };
  const taken = (id: string) => ({ stream: key, ...member, id, process: backbone.processId, form: config.form });
  const reader =
    config.form === 'talk' ? talker(kit, hall, { taken, onMalformed: malformed }) : worker(kit, hall, taken, backbone);
  stops.push(reader.close);
  if (config.clearAtStart) await hall.clear(key);
  const group = hall.streams.group({ key, ...member, handle: reader.take });
  stops.push(() => group.close());
  hall.reads(key, group.ready);
  const begun = config.kickoff ? hall.open(key, { role: config.kickoffRole, text: config.kickoff }) : group.ready;
  begun.catch((error: unknown) => {
    if (!kit.signal.aborted) kit.error(error);
  });
  return () => {
    for (const stop of stops.toReversed()) stop();
  };
}

function showState(kit: BusInKit, { streams }: StreamHall): () => void {
  return streams.onState((isUp, reason) => {
    kit.status(isUp ? 'connected' : 'disconnected');
    if (!isUp) kit.warn(`No connection: ${reason ?? 'it was lost'}. It is tried again.`);
  });
}

interface Reader {
  readonly take: (entry: StreamEntry, how: { readonly isAgain: boolean }) => Promise<Handled>;
  readonly close: () => void;
}

type Taken = (entryId: string) => TakenInfo;

interface TalkerOptions {
  readonly taken: Taken;
  readonly onMalformed: (entry: StreamEntry) => void;
}

/** One who takes part in the talk: its flow is asked for words, and what comes back by a bus out node is said. */
function talker(kit: BusInKit, hall: StreamHall, { taken, onMalformed }: TalkerOptions): Reader {
  const { config } = kit;
  const key = streamKey(config.stream);
  const role = roleOf(kit);
  const speak = async (turn: TalkTurn): Promise<string | undefined> => {
    const id = streamRequestId(turn.last.id, kit.id);
    const waiting = hall.desk.expect(id, { deadlineMs: config.replySeconds * 1000 });
    kit.status('thinking');
    kit.send({
      _msgid: kit.RED.util.generateId(),
      payload: turn.text,
      topic: key,
      stream: { role, entries: turn.entries },
      moot: {
        v: 1,
        conversation: streamConversation(key),
        user: turn.last.role,
        request: { id, via: 'stream', replyTo: key, taken: taken(turn.last.id) },
      },
    });
    const said = await waiting;
    kit.status(said.how === 'answered' ? 'connected' : 'failed');
    return said.how === 'answered' || (said.how === 'failed' && !config.fallbackLine) ? said.words : undefined;
  };
  const seat = createTownhallSeat({
    role,
    clock: processClock,
    speak,
    stream: {
      before: (id, count) => hall.streams.before(key, id, count),
      after: (id, count) => hall.streams.after(key, id, count),
      add: (entry) => hall.streams.add(key, { ...entry }),
    },
    fallback: config.fallbackLine,
    replies: config.replyLimit,
    cooldownMs: config.cooldownSeconds * 1000,
    onMalformed: ({ id }) => onMalformed({ id, fields: {} }),
    onProblem: (problem) => kit.warn(problem.message),
    onEnd: () => kit.status('done', `${config.replyLimit}/${config.replyLimit}`),
  });
  return { take: (entry, how) => seat.take(entry, how), close: () => seat.close() };
}

/** Each entry is a message; it is done when its run has ended, or when no run took it. */
function worker(kit: BusInKit, hall: StreamHall, taken: Taken, { store, house }: Backbone): Reader {
  const { desk, entries } = hall;
  /** Marked, so that whoever takes it over because this was not heard in time doesn't do it again. */
  const ended = async (entry: TakenInfo): Promise<Handled> =>
    (await entries.act(entry)) === 'taken' ? 'left' : undefined;
  return {
    async take(entry, { isAgain }) {
      const info = taken(entry.id);
      const id = streamRequestId(entry.id, kit.id);
      const expected = { deadlineMs: kit.config.replySeconds * 1000, takenWithinMs: limits.takerWaitMs };
      // A run that a crash interrupted goes on by itself.
      if (isAgain && (await openRequests(store, house)).has(id)) {
        await desk.expect(id, { ...expected, takenWithinMs: expected.deadlineMs });
        return ended(info);
      }
      const claim = isAgain ? await entries.look(info) : 'held';
      // Whoever comes after this node takes it.
      if (kit.signal.aborted) return 'left';
      // Done before the last start, but not acknowledged; or another one is at it, which goes on when it is back.
      if (claim !== 'held') {
        const why = leftWords(claim);
        if (why) entries.left(info, why);
        return claim === 'taken' ? 'left' : undefined;
      }
      const waiting = desk.expect(id, expected);
      kit.send(messageOf(kit, entry, { isAgain, id, taken: info }));
      await waiting;
      return ended(info);
    },
    close: () => undefined,
  };
}

function messageOf(
  { RED }: BusInKit,
  { id: entryId, fields }: StreamEntry,
  { isAgain, id, taken }: { readonly isAgain: boolean; readonly id: string; readonly taken: TakenInfo },
) {
  const values = Object.entries(fields).map(([name, bytes]) => [name, valueOf(bytes)] as const);
  const [only] = values;
  const user = fields['role']?.toString('utf8') ?? '';
  return {
    _msgid: RED.util.generateId(),
    payload: values.length === 1 && only?.[0] === 'payload' ? only[1] : Object.fromEntries(values),
    topic: taken.stream,
    stream: { id: entryId, isAgain },
    moot: {
      v: 1 as const,
      conversation: streamConversation(taken.stream),
      ...(user ? { user } : {}),
      request: { id, via: 'stream' as const, replyTo: taken.stream, taken },
    },
  };
}

function valueOf(bytes: Buffer): unknown {
  const read = payloadOf(bytes);
  return 'payload' in read ? read.payload : bytes.toString('utf8');
}
