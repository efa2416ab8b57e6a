/** Who is or was here, as tables in plain text. */
import type { Roll } from '../../engine/registry/roll.ts';

/** Many brokers do not say so when a user may not read a topic. */
const nobody =
  'Nobody is here, and nobody was lately. On a broker with access rights, only a user that may read folkmoot/v1/# sees who is.\n';

/** Longest text in a column that others fill. */
const most = 60;

/** @param now Milliseconds since the epoch. */
export function rollTable({ processes, agents, tools, users }: Roll, now: number): string {
  const seen = (seenAt: number) => ago(now - seenAt);
  const tables = [
    table(
      ['AGENT', 'STATUS', 'HOUSE', 'SEEN', 'WHAT IT DOES'],
      agents.map((one) => [one.id, one.status, one.house, seen(one.seenAt), one.description]),
    ),
    table(
      ['TOOL', 'STATUS', 'HOUSE', 'SEEN', 'WHAT IT IS FOR'],
      tools.map((one) => [one.id, one.status, one.house, seen(one.seenAt), one.purpose]),
    ),
    table(
      ['PERSON', 'STATUS', 'SEEN'],
      users.map((one) => [one.user, one.status, seen(one.seenAt)]),
    ),
    table(
      ['HOUSE', 'STATUS', 'SEEN', 'PROCESS'],
      processes.map((one) => [one.house, one.status, seen(one.seenAt), one.process]),
    ),
  ].filter((text) => text !== '');
  return tables.length > 0 ? tables.join('\n') : nobody;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const cells = [head, ...rows.map((row) => row.map(plain))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Others' words must not steer a terminal. */
function plain(text: string): string {
  const words = text.replace(/[\p{C}\s]+/gu, ' ').trim() || '–';
  return words.length > most ? `${words.slice(0, most - 1)}…` : words;
}

function ago(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 120) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}
