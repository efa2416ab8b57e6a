/** Why a command failed, in words for people; what exactly happened is for the log. */
import type { ErrorCode } from '../errors.ts';

const failed = 'The device did not take it';

/** Of our own errors, which name topics and servers. */
const words: Partial<Record<ErrorCode, string>> = {
  FOLKMOOT_BUS_LOST: 'The device can’t be reached at the moment.',
  FOLKMOOT_BUS_FULL: 'Too much waits to be sent already.',
  FOLKMOOT_BUS_REFUSED: 'What was to be sent to the device was refused.',
  FOLKMOOT_LIMIT: 'That was too much for the device at once.',
};

/** Words of ours, ids and code: nothing that a person should read (architecture.md 3). */
const notForPeople =
  /[{}<>[\]]|https?:|\b(?:mutation|blackboard|backbone|asks|ledger|tainted|run id|schema|json|undefined|null)\b|[0-9a-f]{16,}|[0-9a-f]{8}-[0-9a-f]{4}-|\.[cm]?[jt]s\b/i;

/**
 * From what a Catch node brought (`Error: connection refused` → "The device did not take it: connection refused."); a
 * device's topic becomes its name. When a person couldn't read it: only that it failed.
 */
export function failureReason(error: unknown, functionName: string): string {
  const own = words[fieldOf(error, 'code') as ErrorCode];
  if (own) return own;
  const text = withNames(
    messageOf(error)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  );
  const isReadable = text !== '' && text.length <= 200 && !notForPeople.test(text) && !text.includes(functionName);
  return isReadable ? `${failed}: ${/[.!?…]$/.test(text) ? text : `${text}.`}` : `${failed}.`;
}

/** For the log, with all that people are not told. */
export const failureDetail = (error: unknown, functionName: string): string =>
  `"${functionName}" was not carried out: ${messageOf(error) || 'no reason was given'}`;

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined;

function messageOf(error: unknown): string {
  const message = fieldOf(error, 'message') ?? error;
  return typeof message === 'string' ? message.replace(/^(?:[A-Za-z]*Error:\s*)+/, '') : '';
}

/** Levels with slashes in between, perhaps in quotes, perhaps called a topic. */
const levels =
  /(?:\b(?:the )?topic )?(["'“‘]?)(\/?[\p{L}\p{N}_$+#:.-]+(?:\/[\p{L}\p{N}_$+#:.-]*[\p{L}\p{N}_$+#])+)["'”’]?/giu;
/** What is done with a device, at the end of its topic. */
const verb = /^(?:set|get|cmnd|cmd|command|state|stat|power|availability)$/i;

const withNames = (text: string): string =>
  text.replace(levels, (whole, quote: string, topic: string) => (quote || isTopic(topic) ? deviceOf(topic) : whole));

/** `and/or`, `km/h` and dates are none. */
function isTopic(text: string): boolean {
  const parts = text.split('/').filter(Boolean);
  const isNamed = parts.some((part) => part.length > 3 && /\p{L}/u.test(part));
  return isNamed && (parts.length > 2 || parts.some((part) => part.length > 3 && /[_\d]/.test(part)));
}

/** `zigbee2mqtt/kitchen_light/set` → "the kitchen light"; an address is only "the device". */
function deviceOf(topic: string): string {
  const parts = topic.split('/').filter(Boolean);
  const name = (parts.findLast((part) => !verb.test(part)) ?? '').replace(/[_-]+/g, ' ').trim();
  return /^\p{L}{2,}(?: [\p{L}\p{N}]+)*$/u.test(name) ? `the ${name.toLowerCase()}` : 'the device';
}
