/** Calls of tools that wait for their result: a tool node begins them, any tool result node ends them. */
import { limits } from '../../engine/limits.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import type { TakenAsk } from './ask-registry.ts';
import type { RedMessage } from './red.ts';

/** What became of a result: `late` after the time limit or a stop, `double` after another one, `unknown` of no call. */
export type ResultFate = 'counted' | 'late' | 'double' | 'unknown';

export interface ToolCalls {
  open(ask: TakenAsk): void;
  end(id: string | undefined, answer: AskAnswer): ResultFate;
}

/** `_msgid` of a call's message (contracts.md 4). */
export const callIdOf = (askId: string): string => `call:${askId}`;

/** The call that a message belongs to, by `moot.call.id`, else by its `_msgid`. */
export function callOf(message: Partial<RedMessage>): string | undefined {
  const shown: unknown = message.moot?.call?.id;
  if (typeof shown === 'string') return shown;
  return typeof message._msgid === 'string' ? /^call:(.+)$/.exec(message._msgid)?.[1] : undefined;
}

export function createToolCalls(): ToolCalls {
  const open = new Map<string, TakenAsk>();
  /** Newest last. */
  const over = new Map<string, 'answered' | 'stopped'>();
  function close(id: string, how: 'answered' | 'stopped'): void {
    open.delete(id);
    over.delete(id);
    over.set(id, how);
    const [oldest] = over.keys();
    if (over.size > limits.endedToolCalls && oldest !== undefined) over.delete(oldest);
  }
  return {
    open(ask) {
      const { id } = ask.info;
      over.delete(id);
      open.set(id, ask);
      ask.signal.addEventListener(
        'abort',
        () => {
          if (open.get(id) === ask) close(id, 'stopped');
        },
        { once: true },
      );
    },
    end(id, answer) {
      const ask = id === undefined ? undefined : open.get(id);
      if (id !== undefined && ask) {
        close(id, 'answered');
        return ask.end(answer) ? 'counted' : 'late';
      }
      const how = id === undefined ? undefined : over.get(id);
      return how === undefined ? 'unknown' : how === 'answered' ? 'double' : 'late';
    },
  };
}

/** One for the process: a result may come by any way, also from another tab. */
export const toolCalls: ToolCalls = createToolCalls();
