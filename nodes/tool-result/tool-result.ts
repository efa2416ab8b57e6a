/** Ends the call of a tool with what arrives; an error that Catch brings ends it as failed. */
import { asError } from '../../engine/errors.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import { keptResult } from '../../engine/tools/tool-result.ts';
import { defineNode } from '../shared/define-node.ts';
import { askRegistry } from '../shared/process.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import { callOf, toolCalls, type ResultFate } from '../shared/tool-calls.ts';
import { toolResultFields } from './tool-result.fields.ts';

const warnings: Readonly<Record<Exclude<ResultFate, 'counted'>, string>> = {
  late: 'A result came too late: its call had ended by the time limit or was stopped. Later ones are only counted.',
  double: 'A second result came for a call that had one already; the first counts. Later ones are only counted.',
  unknown:
    'A result came that belongs to no call: its message is not the one that the tool sent. Later ones are only counted.',
};

export default function toolResult(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-tool-result',
    fields: toolResultFields,
    start(kit) {
      const wasted: Record<Exclude<ResultFate, 'counted'>, number> = { late: 0, double: 0, unknown: 0 };
      return {
        input(message, context) {
          if (askRegistry.take(message, kit.id).kind === 'pass') return context.passOver();
          const fate = toolCalls.end(callOf(message), answerOf(message));
          if (fate !== 'counted') {
            wasted[fate] += 1;
            // Said once of each kind; then only counted.
            if (wasted[fate] === 1) kit.warn(warnings[fate]);
          }
          const counts = (['late', 'double', 'unknown'] as const).filter((kind) => wasted[kind] > 0);
          const words = counts.map((kind) => `${wasted[kind]} ${kind}`);
          if (counts.length === 0) kit.status('done');
          else kit.status('waiting', words.join(', '));
        },
      };
    },
  });
}

function answerOf(message: RedMessage): AskAnswer {
  const failed = (what: string): AskAnswer => ({
    status: 'failed',
    payload: null,
    mutations: [],
    error: { code: 'FOLKMOOT_TOOL_FAILED', message: what },
  });
  const { error } = message as { error?: { message?: unknown } };
  if (error !== undefined && error !== null) return failed(String(error.message ?? error));
  try {
    return { status: 'answered', payload: keptResult(message.payload), mutations: [] };
  } catch (thrown) {
    return failed(asError(thrown).message);
  }
}
