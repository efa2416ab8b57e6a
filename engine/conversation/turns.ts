/**
 * What belongs to one request in its conversation, in A.M.I.C.A.'s order (seed-contracts.md A7): what its person said, what
 * was asked of tools, the answer.
 *
 * The person's row is written before anybody is asked, so that rows of others come behind it; of a request that nobody is
 * asked for, together with the answer. It is written once: not when it stands there already, written by this house before a
 * restart or by another agent that has the same request. Where another one may answer in place of this house, nothing is
 * written until this house does, and then all of it; what waits so is in memory only, and its tools' rows are lost in a
 * crash.
 */
import { parseAmicaDate } from '../bus/amica-date.ts';
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import { saidIn } from './conversation.ts';
import type { ConversationMessage, Conversations, NewMessage } from './conversation.ts';

/** What a person said. */
export interface Said {
  readonly conversation: string;
  readonly user?: string;
  /** Absent: it is not known any more, and no row is written for it. */
  readonly text?: string;
}

export interface Turns {
  /**
   * A request came, in its person's own words; flows may change them before anybody is asked.
   * @param options.mayGiveWay Another one may answer in its place.
   */
  open(id: string, said: Said, options?: { readonly mayGiveWay?: boolean }): void;
  /**
   * Somebody is about to be asked for it. Resolves when the person's row stands.
   * @param startedAt Of the run, in milliseconds since the epoch: when that was before a restart, a row of the same words
   *   since then is its own.
   */
  begin(id: string, run: string, said: Said, startedAt?: () => Promise<number | undefined>): Promise<void>;
  /** Rows of who was asked in a run; of a run that is nobody's turn, they are written as they are. */
  add(run: string, conversation: string, rows: readonly NewMessage[]): Promise<void>;
  /** Its end. A blank text leaves no row. */
  answer(id: string, said: Said, source: string, text: string): Promise<void>;
  /** Another one answered. */
  drop(id: string): void;
}

interface Turn {
  readonly said: Said;
  /** Rows that wait for the answer. */
  readonly held: NewMessage[] | undefined;
  readonly runs: Set<string>;
  startedAt?: () => Promise<number | undefined>;
  /** The person's row is there, or is being written. */
  stands: boolean;
  /** Writing, one after the other. */
  tail: Promise<void>;
}

/** So many rows are looked through for the person's: what an agent can ask of tools, twice over, and some more. */
const looksBack = 4 * limits.toolCalls + limits.planHistory;

export function createTurns(conversations: Pick<Conversations, 'append' | 'readLast'>, clock: Clock): Turns {
  const turns = new Map<string, Turn>();
  const madeAt = clock.now();

  const turnOf = (id: string, said: Said, mayGiveWay = false): Turn => {
    const known = turns.get(id);
    if (known) return known;
    const turn: Turn = {
      said,
      held: mayGiveWay ? [] : undefined,
      runs: new Set<string>(),
      stands: false,
      tail: Promise.resolve(),
    };
    turns.set(id, turn);
    const oldest = turns.keys().next().value;
    if (turns.size > limits.repliesOpen && oldest !== undefined) turns.delete(oldest);
    return turn;
  };
  const personRow = async (turn: Turn): Promise<NewMessage[]> => {
    const { conversation, user: source = 'user', text = '' } = turn.said;
    if (turn.stands || !text.trim()) return [];
    turn.stands = true;
    const startedAt = (await turn.startedAt?.()) ?? madeAt;
    const rows = await conversations.readLast(conversation, looksBack);
    const found = rowsOfSaid(rows, turn.said, startedAt < madeAt ? startedAt : undefined);
    // Asked twice at once, each has a row of its own.
    const others = [...turns.values()].filter((one) => one !== turn && one.stands && isSame(one.said, turn.said));
    return found.length > others.length ? [] : [{ messageType: 'USER_MESSAGE', source, text }];
  };
  const write = (turn: Turn, rows: readonly NewMessage[]): Promise<void> => {
    const done = turn.tail.then(async () => {
      const stood = turn.stands;
      try {
        await conversations.append(turn.said.conversation, [...(await personRow(turn)), ...rows]);
      } catch (error) {
        turn.stands = stood;
        throw error;
      }
    });
    turn.tail = done.catch(() => undefined);
    return done;
  };

  return {
    open: (id, said, { mayGiveWay } = {}) => void turnOf(id, said, mayGiveWay),
    async begin(id, run, said, startedAt) {
      const turn = turnOf(id, said);
      turn.runs.add(run);
      if (startedAt) turn.startedAt = startedAt;
      if (!turn.held) await write(turn, []);
    },
    async add(run, conversation, rows) {
      const turn = [...turns.values()].find((one) => one.runs.has(run) && one.said.conversation === conversation);
      if (turn?.held) turn.held.push(...rows);
      else await (turn ? write(turn, rows) : conversations.append(conversation, rows));
    },
    async answer(id, said, source, text) {
      const turn = turnOf(id, said);
      const answer: NewMessage[] = text.trim() ? [{ messageType: 'AGENT_MESSAGE', source, text }] : [];
      await write(turn, [...(turn.held ?? []), ...answer]).finally(() => turns.delete(id));
    },
    drop: (id) => void turns.delete(id),
  };
}

const isSame = (one: Said, other: Said): boolean =>
  one.conversation === other.conversation && one.user === other.user && one.text === other.text;

/**
 * Where rows of what a person said stand among rows, oldest first: of the same name and words, after which no agent has
 * spoken, or written since then.
 */
export function rowsOfSaid(
  rows: readonly ConversationMessage[],
  { user = 'user', text = '' }: Omit<Said, 'conversation'>,
  since = Infinity,
): readonly number[] {
  const words = text.slice(0, limits.promptChars).trim();
  const answered = rows.findLastIndex((row) => row.messageType === 'AGENT_MESSAGE' && saidIn(row) !== '');
  return [...rows.entries()].flatMap(([at, { messageType, source, text: kept, timestamp }]) => {
    const isSaid = messageType === 'USER_MESSAGE' && source === user && saidIn({ text: kept ?? '' }) === words;
    return isSaid && (at > answered || (parseAmicaDate(timestamp) ?? -Infinity) >= since) ? [at] : [];
  });
}
