/** What Node-RED logs, as plain lines for whoever looks at the terminal: no stack traces, nothing endless. */
interface LogEntry {
  readonly level: number;
  readonly type?: string;
  readonly name?: string;
  readonly id?: string;
  readonly msg?: unknown;
}

/** Node-RED's numbers. */
const errorLevel = 20;
const lineChars = 1_000;
/** Said at each start of an embedded Node-RED, and no news for anybody. */
const noise = ['Encrypted credentials not found', 'Projects disabled'];

function textOf(message: unknown): string {
  if (message instanceof Error) return message.message;
  if (typeof message === 'object' && message !== null && 'message' in message) return String(message.message);
  return String(message);
}

/** One line for an entry, or nothing if it isn't worth one. */
export function logLine(entry: LogEntry): string | undefined {
  const text = textOf(entry.msg);
  if (noise.some((start) => text.startsWith(start)) || /^-+$/.test(text)) return undefined;
  const who = entry.type ? `${entry.type} "${entry.name || entry.id}": ` : '';
  const kind = entry.level <= errorLevel ? 'error' : 'warning';
  return `${new Date().toTimeString().slice(0, 8)} ${kind} ${who}${text}`.slice(0, lineChars);
}

/** Node-RED's `logging` setting: warnings and errors as such lines. */
export function loggingTo(write: (line: string) => void): Record<string, unknown> {
  const handler = () => (entry: LogEntry) => {
    const line = logLine(entry);
    if (line) write(line);
  };
  return { console: { level: 'off', metrics: false, audit: false }, home: { level: 'warn', handler } };
}
