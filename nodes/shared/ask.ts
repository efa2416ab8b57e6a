/** Asking over a wire: a real message goes out, the answer comes back through the registry (asks.md 3, 4). */
import { folkmootError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import type { AskAnswer, AskKind, AskInfo, Moot } from '../../engine/moot.ts';
import { outside } from '../../engine/plan/outside.ts';
import type { AskEnd } from './ask-registry.ts';
import { flowsReady } from './flows-ready.ts';
import { askRegistry, processClock, runFeed } from './process.ts';
import type { Red, RedNode } from './red.ts';
import { reach } from './walk.ts';

export interface AskOptions {
  readonly RED: Red;
  readonly asker: RedNode;
  /** Position of the asker's asks output. */
  readonly port: number;
  readonly id: string;
  /** Node id. */
  readonly to: string;
  readonly kind: AskKind;
  /** The tool's. */
  readonly name?: string;
  /** Nothing may be done: whoever answers only says what it would do. */
  readonly proposeOnly?: true;
  readonly payload: unknown;
  readonly topic?: unknown;
  readonly parts?: { readonly id: string; readonly index: number; readonly count: number };
  /** Data of the step only: every agent on the wire gets a copy. */
  readonly moot: Moot;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly onText?: (text: string) => void;
  /** Nobody took it within two seconds: something on the wire surely dropped it. */
  readonly onNotTaken?: () => void;
}

/** Never rejects: an ask ends as answered, refused, failed, timeout or cancelled. */
export async function ask(options: AskOptions): Promise<AskAnswer> {
  const end = await askUntilEnd(options);
  runFeed.answered({ id: options.id, status: end.status });
  return end;
}

async function askUntilEnd(options: AskOptions): Promise<AskAnswer> {
  for (let sent = 0; sent <= limits.askResends; sent += 1) {
    try {
      await flowsReady(options.RED, options.signal);
    } catch {
      return ended('cancelled');
    }
    if (!reach(options.RED, options.asker, options.port, options.kind).has(options.to)) return notWired(sent);
    const end = await sendOnce(options);
    if (options.signal.aborted) return ended('cancelled');
    if (end.status !== 'restarted') return end;
  }
  return ended('cancelled', 'FOLKMOOT_CANCELLED', 'The agent was restarted too often.');
}

async function sendOnce(options: AskOptions): Promise<AskEnd> {
  const { asker, id, kind, to, name, proposeOnly } = options;
  const info: AskInfo = {
    ...{ id, to, by: asker.id, kind },
    ...(name ? { name } : {}),
    ...(proposeOnly ? { proposeOnly } : {}),
  };
  const end = askRegistry.open({
    info,
    deadlineMs: options.deadlineMs,
    signal: options.signal,
    ...(options.onText ? { onText: options.onText } : {}),
  });
  const message = {
    _msgid: id,
    topic: options.topic,
    payload: options.payload,
    ...(options.parts ? { parts: options.parts } : {}),
    moot: { ...options.moot, ask: info },
  };
  runFeed.asked(info);
  // A graph's context would follow the message into the agent and make it a child of this run (asks.md 5).
  outside(() => asker.send([...Array.from({ length: options.port }, () => null), message]));
  const notTaken = processClock.setTimer(() => {
    if (!askRegistry.isTaken(id)) options.onNotTaken?.();
  }, limits.askTakenWarnMs);
  return end.finally(() => processClock.clearTimer(notTaken));
}

function notWired(sent: number): AskAnswer {
  return sent === 0
    ? ended('refused', 'FOLKMOOT_NOT_WIRED', 'The agent cannot be reached from the “may ask” output.')
    : ended('cancelled', 'FOLKMOOT_CANCELLED', 'The agent was removed while it worked.');
}

function ended(
  status: 'cancelled' | 'refused',
  code: 'FOLKMOOT_CANCELLED' | 'FOLKMOOT_NOT_WIRED' = 'FOLKMOOT_CANCELLED',
  what = 'It was stopped.',
): AskAnswer {
  return { status, payload: null, mutations: [], error: { code, message: folkmootError(code, what).message } };
}
