/**
 * Whose an entry is that several share: the server's list of pending entries says who has it now, and a mark under a key
 * that no house owns says who has begun to act on it. The mark decides: of all who try to act exactly one sets it.
 */
import type { Redis } from 'ioredis';
import { asError, isFolkmootError } from '../errors.ts';
import { sleep, type Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { TakenInfo } from '../moot.ts';
import { keyPart, tagged } from '../store/keys.ts';

/** An entry as one member of a group took it. */
export type TakenEntry = Pick<TakenInfo, 'stream' | 'group' | 'consumer' | 'id'>;

/**
 * `held`: it is pending for us, and nobody has begun to act. `begun`: we have. `begun elsewhere`: another has. `taken`: it
 * is pending for another. `over`: it is pending for nobody.
 */
export type Claim = 'held' | 'begun' | 'begun elsewhere' | 'taken' | 'over';

export const isOurs = (claim: Claim): boolean => claim === 'held' || claim === 'begun';

export interface EntryClaims {
  /**
   * Waits for the server, at most `limits.streamWorkMs`. Throws FOLKMOOT_BUS_LOST, FOLKMOOT_BUS_REFUSED, and the signal's
   * reason.
   */
  look(entry: TakenEntry, signal?: AbortSignal): Promise<Claim>;
  /** The same, and marks an entry that is `held`: `begun` from then on, whoever has it pending. */
  act(entry: TakenEntry, signal?: AbortSignal): Promise<Claim>;
}

export interface EntryClaimsOptions {
  readonly clock: Clock;
  /** How long a mark is kept. */
  readonly ageMs: number;
  /** Rejects with FOLKMOOT_BUS_LOST when there was no connection in time. */
  readonly run: <T>(stream: string, command: (client: Redis) => Promise<T>) => Promise<T>;
  /** Aborts when the connection is closed for good. */
  readonly closed: AbortSignal;
}

export function createEntryClaims({ clock, ageMs, run, closed }: EntryClaimsOptions): EntryClaims {
  const untilAnswered = async (
    entry: TakenEntry,
    ask: (client: Redis) => Promise<Claim>,
    signal?: AbortSignal,
  ): Promise<Claim> => {
    const ended = signal ? AbortSignal.any([signal, closed]) : closed;
    for (const end = clock.now() + limits.streamWorkMs; ;) {
      ended.throwIfAborted();
      try {
        return await run(entry.stream, ask);
      } catch (error) {
        if (!isFolkmootError(error, 'FOLKMOOT_BUS_LOST') || clock.now() >= end) throw error;
        await sleep(clock, limits.busReconnectMinMs, ended);
      }
    }
  };
  const look = async (client: Redis, entry: TakenEntry): Promise<Claim> => {
    const mark = await client.get(markOf(entry));
    if (mark !== null) return begunBy(mark, entry);
    const holder = await holderOf(client, entry);
    if (holder === undefined) return 'over';
    return holder === entry.consumer ? 'held' : 'taken';
  };
  const act = async (client: Redis, entry: TakenEntry): Promise<Claim> => {
    const claim = await look(client, entry);
    if (claim !== 'held') return claim;
    if ((await client.set(markOf(entry), entry.consumer, 'PX', ageMs, 'NX')) !== null) return 'begun';
    // Another one was faster.
    return begunBy(await client.get(markOf(entry)), entry);
  };
  return {
    look: (entry, signal) => untilAnswered(entry, (client) => look(client, entry), signal),
    act: (entry, signal) => untilAnswered(entry, (client) => act(client, entry), signal),
  };
}

const markOf = ({ stream, group, id }: TakenEntry): string => tagged(stream, 'did', keyPart(group), id);

const begunBy = (mark: string | null, { consumer }: TakenEntry): Claim =>
  mark === consumer ? 'begun' : 'begun elsewhere';

/** The member for whom it is pending. */
async function holderOf(client: Redis, { stream, group, id }: TakenEntry): Promise<string | undefined> {
  try {
    const [row] = (await client.xpending(stream, group, id, id, 1)) as readonly (readonly [string, string])[];
    return row?.[1];
  } catch (error) {
    // The stream was cleared, and its groups with it.
    if (asError(error).message.startsWith('NOGROUP')) return undefined;
    throw error;
  }
}
