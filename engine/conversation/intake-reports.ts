/** Bad messages, counted by kind (topic, reason) and reported once a minute for each kind, so that no flood fills a log. */
import type { BusMetrics } from '../bus/metrics.ts';
import type { Clock, Timer } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';

export interface BadReportsOptions {
  readonly clock: Clock;
  /** Gets a FOLKMOOT_MESSAGE_INVALID. */
  readonly report: (problem: Error) => void;
  /** Where each is counted too. */
  readonly metrics?: Pick<BusMetrics, 'dropped'> | undefined;
}

export interface BadMessage {
  readonly topic: string;
  /** A few fixed words: part of the kind. */
  readonly reason: string;
  readonly detail: string;
  readonly payload?: Uint8Array;
  /** Who sent it could have been told, but too many replies waited. */
  readonly isUnanswered?: boolean;
}

export interface BadReports {
  count(bad: BadMessage): void;
  /** All of one kind since the start; without a reason all of the topic. */
  counted(topic: string, reason?: string): number;
  /** Of all, those that got no reply because too many waited. */
  readonly unanswered: number;
  close(): void;
}

interface Kind {
  readonly topic: string;
  readonly reason: string;
  total: number;
  since: number;
  /** Without a reply, of those since. */
  unanswered: number;
  timer: Timer | undefined;
}

/** The first of a kind is reported at once, what follows once a minute with the count since. */
export function createBadReports({ clock, report, metrics }: BadReportsOptions): BadReports {
  const kinds = new Map<string, Kind>();
  let unanswered = 0;

  const kindOf = (topic: string, reason: string): Kind => {
    const key = `${topic}\n${reason}`;
    const known = kinds.get(key);
    if (known) return known;
    // Topics come from outside: without a cap they would be kept for ever.
    const isFull = kinds.size >= limits.badKinds && topic !== otherTopics;
    if (isFull) return kindOf(otherTopics, reason);
    const kind = { topic, reason, total: 0, since: 0, unanswered: 0, timer: undefined };
    kinds.set(key, kind);
    return kind;
  };

  const wait = (kind: Kind) => {
    kind.timer = clock.setTimer(() => {
      kind.timer = undefined;
      if (kind.since === 0) return;
      const count = kind.since === 1 ? '1 more message' : `${kind.since} more messages`;
      const silent = kind.unanswered > 0 ? ` ${kind.unanswered} got no reply: too many replies waited.` : '';
      kind.since = 0;
      kind.unanswered = 0;
      report(invalid(`${count} on "${shown(kind.topic)}" could not be used (${kind.reason}).${silent}`));
      wait(kind);
    }, limits.badReportEveryMs);
  };

  return {
    count({ topic, reason, detail, payload, isUnanswered = false }) {
      const kind = kindOf(topic, reason);
      kind.total += 1;
      metrics?.dropped(topic, reason);
      if (isUnanswered) unanswered += 1;
      if (kind.timer) {
        kind.since += 1;
        if (isUnanswered) kind.unanswered += 1;
        return;
      }
      const sample = payload && payload.length > 0 ? ` It was ${payload.length} bytes: ${shownPayload(payload)}.` : '';
      const silent = isUnanswered ? ' It got no reply: too many replies wait.' : '';
      report(invalid(`A message on "${shown(topic)}" could not be used (${reason}): ${detail}${sample}${silent}`));
      wait(kind);
    },
    counted(topic, reason) {
      const found = [...kinds.values()].filter((kind) => kind.topic === topic && (!reason || kind.reason === reason));
      return found.reduce((sum, kind) => sum + kind.total, 0);
    },
    get unanswered() {
      return unanswered;
    },
    close() {
      for (const kind of kinds.values()) clock.clearTimer(kind.timer);
      kinds.clear();
    },
  };
}

const otherTopics = 'other topics';

const invalid = (what: string) => folkmootError('FOLKMOOT_MESSAGE_INVALID', what);

const shown = (topic: string): string => printable(topic, 100);

/** The beginning of a payload as printable text in quotes, never longer than `limits.badPayloadChars`. */
export function shownPayload(payload: Uint8Array): string {
  const text = Buffer.from(payload.subarray(0, limits.badPayloadChars * 4)).toString('utf8');
  return `"${printable(text, limits.badPayloadChars - 2)}"`;
}

/** Control characters as escapes, so that a payload can't write lines of its own into a log. */
function printable(text: string, most: number): string {
  let result = '';
  for (const character of text) {
    const written = /[\p{C}\u2028\u2029]/u.test(character)
      ? `\\u{${character.codePointAt(0)?.toString(16)}}`
      : character;
    if (result.length + written.length > most - 1) return `${result}…`;
    result += written;
  }
  return result;
}
