/**
 * What A.M.I.C.A.'s Java agents need to read a conversation back (seed-contracts.md A7): they rebuild the whole chat from
 * the list, so one row that they can't read makes all of it unreadable. Written from their rules, not from our code.
 */

const types = new Set(['USER_MESSAGE', 'AGENT_MESSAGE', 'TOOL_EXECUTION']);
const texts = ['source', 'text', 'timestamp', 'agentThinking'];
/** Java's ISO_ZONED_DATE_TIME: an offset with a colon or Z, perhaps a zone behind it. */
const zonedDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d(:\d\d)?)(\[[\w/+-]+\])?$/;

/** Throws for the first row that a Java agent could not read; gives the types of all. */
export function readAsJava(list: readonly string[]): readonly string[] {
  return list.map((text, n) => {
    const fault = faultOf(JSON.parse(text));
    if (fault) throw new Error(`Row ${n}: ${fault}: ${text}`);
    return (JSON.parse(text) as { messageType: string }).messageType;
  });
}

function faultOf(row: unknown): string | undefined {
  if (!row || typeof row !== 'object' || Array.isArray(row)) return 'no object';
  const fields = row as Record<string, unknown>;
  const type = fields['messageType'];
  if (typeof type !== 'string' || !types.has(type)) return 'unknown messageType';
  const wrong = texts.find((name) => fields[name] !== undefined && typeof fields[name] !== 'string');
  if (wrong) return `${wrong} is no text`;
  const empty = Object.keys(fields).find((name) => isEmpty(fields[name]));
  if (empty) return `${empty} is empty, which Java leaves out`;
  if (
    !zonedDate.test(String(fields['timestamp'])) ||
    Number.isNaN(Date.parse(String(fields['timestamp']).replace(/\[.*/, '')))
  )
    return 'timestamp is no zoned date';
  const requests = fields['executionRequests'] ?? [];
  if (!Array.isArray(requests)) return 'executionRequests is no list';
  if (!requests.every(isRequest)) return 'an entry of executionRequests is not in the form';
  const hasText = typeof fields['text'] === 'string' && fields['text'].trim() !== '';
  if (type === 'AGENT_MESSAGE') return hasText || requests.length ? undefined : 'neither text nor calls';
  if (!hasText) return 'no text';
  return type === 'TOOL_EXECUTION' && requests.length === 0 ? 'no call that it answers' : undefined;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

function isRequest(value: unknown): boolean {
  if (!value || typeof value !== 'object') return false;
  return ['id', 'toolName', 'toolArguments'].every((name) => {
    const field = (value as Record<string, unknown>)[name];
    return field === undefined || (typeof field === 'string' && field !== '');
  });
}
