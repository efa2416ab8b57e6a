/** A.M.I.C.A.'s dates: Java's ISO_ZONED_DATE_TIME, up to nanoseconds, with a zone's name in brackets (seed-contracts.md A4). */

/** As text of a schema's pattern, with the bare number of seconds that is taken too. */
export const amicaDatePattern = (): string => `${form.source}|^-?\\d{1,11}(?:\\.\\d{1,9})?$`;

const form =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2}(?::\d{2})?)(?:\[[A-Za-z0-9_+\-/:]{1,64}\])?$/;

/** Milliseconds since the epoch; nothing for what a Java agent would refuse. A bare number counts seconds, as there. */
export function parseAmicaDate(text: string): number | undefined {
  if (/^-?\d{1,11}(?:\.\d{1,9})?$/.test(text)) return Math.trunc(Number(text) * 1000);
  const match = form.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '0', zone = 'Z'] = match;
  const plain = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const local = Date.parse(`${plain}Z`);
  // Date.parse takes the 30th of February for the 2nd of March.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 19) !== plain) return undefined;
  return local + Math.trunc(Number(`0.${fraction}`) * 1000) - offsetMs(zone);
}

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours = 0, minutes = 0, seconds = 0] = zone.slice(1).split(':').map(Number);
  const size = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return zone.startsWith('-') ? -size : size;
}

/** As we write it: `2026-03-04T05:06:07.123Z`. */
export const writeAmicaDate = (atMs: number): string => new Date(atMs).toISOString();
