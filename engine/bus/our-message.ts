/**
 * Reading what comes on our own topics: never trusted, never throwing. What can't be used is counted, reported once a
 * minute for each kind and reason, and dropped.
 */
import type { Clock } from '../clock.ts';
import { createPacer } from '../conversation/intake-pacer.ts';
import { createBadReports } from '../conversation/intake-reports.ts';
import type { ErrorObject, ValidateFunction } from '../language/ajv.ts';
import { ajv } from '../language/ajv.ts';
import { limits } from '../limits.ts';
import type { BusMessage } from './bus.ts';
import { readForeignJson } from './foreign-json.ts';
import type { OurBodies } from './our-payloads.ts';
import { ourSchemas } from './our-schemas.ts';

export type OurKind = keyof OurBodies;

export type OurFault = 'too large' | 'empty' | 'binary' | 'too deep' | 'malformed JSON' | 'wrong field';

export type OurReading<K extends OurKind> =
  { readonly body: OurBodies[K] } | { readonly fault: OurFault; readonly detail: string };

/** Reads one body. The first of a kind loads ajv. */
export function readOur<K extends OurKind>(kind: K, { payload }: Pick<BusMessage, 'payload'>): OurReading<K> {
  if (payload.length > limits.busPayloadBytes) {
    const detail = `The payload has ${payload.length} bytes; ${limits.busPayloadBytes} are the most.`;
    return { fault: 'too large', detail };
  }
  const json = readForeignJson(payload, limits.jsonDepth);
  if ('fault' in json) return json;
  const validate = validatorOf(kind);
  if (validate(json.value)) return { body: json.value as OurBodies[K] };
  return { fault: 'wrong field', detail: detailOf(validate.errors ?? []) };
}

const validators = new Map<OurKind, ValidateFunction>();

function validatorOf(kind: OurKind): ValidateFunction {
  const known = validators.get(kind);
  if (known) return known;
  const made = ajv().compile(ourSchemas[kind]);
  validators.set(kind, made);
  return made;
}

const detailOf = (errors: readonly ErrorObject[]): string =>
  errors
    .slice(0, limits.findings)
    .map((error) => `${error.instancePath.slice(1) || 'the body'} ${error.message ?? 'is wrong'}`)
    .join('; ')
    .concat('.');

export interface OurMessages {
  /** The body; nothing when it was no good, which is counted and reported. @param onFault Gets what is wrong then. */
  read<K extends OurKind>(kind: K, message: BusMessage, onFault?: (detail: string) => void): OurBodies[K] | undefined;
  /** Sends a word about a bad message: a few a second, so that nobody can make us shout. Too many are left out. */
  paced(send: () => void): void;
  /** Drops what the schema let through, with a reason of a few fixed words. */
  drop(kind: OurKind, message: BusMessage, reason: string, detail: string): void;
  /** Dropped since the start; without a reason all of the kind. */
  dropped(kind: OurKind, reason?: string): number;
  close(): void;
}

/** @param options.report Gets a FOLKMOOT_MESSAGE_INVALID, at once for the first of a kind and reason, then once a minute. */
export function createOurMessages(options: {
  readonly clock: Clock;
  readonly report: (problem: Error) => void;
}): OurMessages {
  const reports = createBadReports(options);
  const { badRepliesPerSecond: perSecond, badRepliesWaiting: waiting } = limits;
  const pacer = createPacer({ clock: options.clock, perSecond, waiting });
  // Topics hold ids that others choose, so kinds are counted.
  const nameOf = (kind: OurKind) => ourSchemas[kind].title;
  const drop = (kind: OurKind, { topic, payload }: BusMessage, reason: string, detail: string) =>
    reports.count({ topic: nameOf(kind), reason, detail: `${topic.slice(0, 200)}: ${detail}`, payload });
  return {
    read(kind, message, onFault) {
      const reading = readOur(kind, message);
      if ('body' in reading) return reading.body;
      drop(kind, message, reading.fault, reading.detail);
      onFault?.(reading.detail);
      return undefined;
    },
    paced: (send) => void pacer.add(send),
    drop,
    dropped: (kind, reason) => reports.counted(nameOf(kind), reason),
    close() {
      pacer.close();
      reports.close();
    },
  };
}
