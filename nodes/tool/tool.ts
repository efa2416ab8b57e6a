/** A piece of flow as a tool: who is wired to it by an asks output may call it; a tool result node ends the call. */
import { asError, folkmootError } from '../../engine/errors.ts';
import type { AskAnswer, Moot, Parameters } from '../../engine/moot.ts';
import { checkArguments } from '../../engine/tools/tool-arguments.ts';
import type { BuiltInTool } from '../../engine/tools/packs/local-system.ts';
import { keptResult } from '../../engine/tools/tool-result.ts';
import type { TakenAsk } from '../shared/ask-registry.ts';
import { requireChosen } from '../shared/chosen.ts';
import { defineNode, type InputContext, type NodeKit } from '../shared/define-node.ts';
import { askRegistry } from '../shared/process.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import { callIdOf, toolCalls } from '../shared/tool-calls.ts';
import { standingTool, type StandingTool } from './state-tool.ts';
import { cancelled, notNow, nothing, unknown } from './tool-ends.ts';
import { toolFields } from './tool.fields.ts';

type ToolKit = NodeKit<typeof toolFields>;

export default function tool(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-tool',
    fields: toolFields,
    start(kit) {
      requireChosen(RED, kit.config.policy, 'policy');
      const tool = standingTool(kit);
      const hasEffect = tool.card()?.effect === true;
      return {
        role: { kinds: ['tool'], card: tool.card },
        async input(message, context) {
          const taken = askRegistry.take(message, kit.id);
          if (taken.kind === 'pass') return context.passOver();
          if (taken.kind === 'ordinary') {
            const what = 'A tool does nothing by itself: it is asked over a wire from an agent’s “may ask” output.';
            throw folkmootError('FOLKMOOT_BAD_INPUT', what);
          }
          await answer(kit, tool, taken.ask, message, context);
        },
        // What acts is never begun anew: nobody knows how far it came.
        async close(removed) {
          askRegistry.endTakenBy(kit.id, removed ? cancelled : hasEffect ? unknown : { status: 'restarted' });
          await tool.close();
        },
      };
    },
  });
}

async function answer(
  kit: ToolKit,
  { card, builtIn }: StandingTool,
  ask: TakenAsk,
  message: RedMessage,
  context: InputContext,
): Promise<void> {
  const now = card();
  const checked = now ? checkArguments(now, message.payload) : notNow;
  if (!checked.ok) {
    ask.end({
      status: 'refused',
      payload: checked.forPeople,
      mutations: [],
      error: { code: 'FOLKMOOT_COMMAND_INVALID', message: checked.finding },
    });
    return kit.status('done');
  }
  kit.status('thinking');
  if (builtIn) ask.end(await runBuiltIn(builtIn, checked.arguments as Parameters));
  else {
    toolCalls.open(ask);
    context.send(callMessage(ask.info.id, checked.arguments, message));
    await ended(ask.signal, kit.signal);
  }
  if (!kit.signal.aborted) kit.status('done');
}

async function runBuiltIn(builtIn: BuiltInTool, given: Parameters): Promise<AskAnswer> {
  try {
    return { status: 'answered', payload: keptResult(await builtIn.run(given)), mutations: [] };
  } catch (thrown) {
    return { status: 'failed', ...nothing, error: { code: 'FOLKMOOT_TOOL_FAILED', message: asError(thrown).message } };
  }
}

const nobody: Moot = { v: 1 };

/** A message of its own: what goes back to the asker is the result alone (contracts.md 4). */
function callMessage(id: string, payload: unknown, { topic, moot }: RedMessage): Partial<RedMessage> {
  const { run, conversation, user, tainted } = moot ?? nobody;
  return {
    _msgid: callIdOf(id),
    ...(topic === undefined ? {} : { topic }),
    payload,
    moot: {
      v: 1,
      ...(run ? { run } : {}),
      ...(conversation ? { conversation } : {}),
      ...(user ? { user } : {}),
      ...(tainted ? { tainted } : {}),
      call: { id },
    },
  };
}

const ended = (...signals: readonly AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const any = AbortSignal.any([...signals]);
    if (any.aborted) resolve();
    else any.addEventListener('abort', () => resolve(), { once: true });
  });
