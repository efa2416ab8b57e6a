/** A toolbox on a wire: agents that are wired to it may use its tools. */
import { asError, folkmootError, isFolkmootError } from '../../engine/errors.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import { checkArguments } from '../../engine/tools/tool-arguments.ts';
import { keptResult } from '../../engine/tools/tool-result.ts';
import type { Toolbox } from '../../engine/tools/toolbox.ts';
import type { TakenAsk } from '../shared/ask-registry.ts';
import { defineNode } from '../shared/define-node.ts';
import { askRegistry } from '../shared/process.ts';
import type { Red } from '../shared/red.ts';
import { nothing, unknown } from '../tool/tool-ends.ts';
import { toolboxOf } from '../toolbox/toolbox.ts';
import { createOffered, type ToolsKit } from './offered.ts';
import { toolsFields } from './tools.fields.ts';

export default function tools(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-tools',
    fields: toolsFields,
    start(kit) {
      const offered = createOffered(kit);
      const box = (): Toolbox => toolboxOf(RED, kit.config.toolbox);
      const cards = () => offered(box());
      setImmediate(() => watch(kit, box));
      return {
        role: { kinds: ['tool'], card: () => (isThere(box) ? cards() : undefined) },
        async input(message, context) {
          const taken = askRegistry.take(message, kit.id);
          if (taken.kind === 'pass') return context.passOver();
          if (taken.kind === 'ordinary') {
            const what = 'Tools do nothing by themselves: they are asked over a wire from an agent’s “may ask” output.';
            throw folkmootError('FOLKMOOT_BAD_INPUT', what);
          }
          const card = cards().find(({ name }) => name === taken.ask.info.name);
          kit.status('thinking');
          taken.ask.end(card ? await answer(box(), card, taken.ask, message.payload) : away());
          if (!kit.signal.aborted) showState(kit, box());
        },
        close: () => askRegistry.endTakenBy(kit.id, unknown),
      };
    },
  });
}

const isThere = (box: () => Toolbox): boolean => {
  try {
    box();
    return true;
  } catch {
    return false;
  }
};

/** The config node stands before or after this one; what it comes to is shown, and told once when it is missing. */
function watch(kit: ToolsKit, box: () => Toolbox): void {
  if (kit.signal.aborted) return;
  try {
    const found = box();
    const stop = found.onChange(() => showState(kit, found));
    kit.signal.addEventListener('abort', stop, { once: true });
    showState(kit, found);
  } catch (error) {
    kit.error(error);
  }
}

const shown = { starting: 'connecting', up: 'connected', down: 'disconnected', closed: 'disconnected' } as const;

function showState(kit: ToolsKit, box: Toolbox): void {
  if (!kit.signal.aborted) kit.status(shown[box.state]);
}

const ended = (status: AskAnswer['status'], code: string, message: string, payload: string | null): AskAnswer => ({
  ...{ status, ...nothing, payload },
  error: { code, message },
});

const away = (): AskAnswer => ended('failed', 'FOLKMOOT_TOOL_AWAY', 'The tool is not there at the moment.', null);

type Card = Parameters<typeof checkArguments>[0];

async function answer(box: Toolbox, card: Card, { signal }: TakenAsk, given: unknown): Promise<AskAnswer> {
  const checked = checkArguments(card, given);
  if (!checked.ok) return ended('refused', 'FOLKMOOT_COMMAND_INVALID', checked.finding, checked.forPeople);
  try {
    const result = await box.call(card.name, checked.arguments, signal);
    return { status: 'answered', payload: keptResult(result), mutations: [] };
  } catch (thrown) {
    if (signal.aborted) return { status: 'cancelled', ...nothing };
    const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_TOOL_FAILED';
    return ended('failed', code, asError(thrown).message, null);
  }
}
