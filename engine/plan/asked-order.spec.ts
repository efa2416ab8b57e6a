/** Which of several requests is the later one, whatever a deploy, a restart or a slow store did to the order of their runs. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answered, answerOf, mutation, planner, sampleRunner } from '../../test/plan/sample-team.ts';
import type { RunResult } from './run-request.ts';

const least = 15;
const minute = 60_000;

/** Requests for a temperature: the one asked n-th wants n degrees more. Each is worked on until it is let go. */
function house() {
  const sent: number[] = [];
  const gates = new Map<string, PromiseWithResolvers<undefined>>();
  const gate = (text: string) => {
    const one = gates.get(text) ?? Promise.withResolvers<undefined>();
    gates.set(text, one);
    return one;
  };
  const { runner, clock } = sampleRunner({
    overlap: 'conversation',
    call: planner((text) => answerOf([['climate', text]])),
    async ask(step, { run }) {
      await gate(step.prompt).promise;
      return answered('Done.', [
        mutation(run, step, 'SetTemperature', { room: 'kitchen', celsius: Number(step.prompt) }),
      ]);
    },
    deliver: ({ mutations }) => void sent.push(...mutations.map(({ parameters }) => Number(parameters['celsius']))),
  });
  const begin = async (asked: number): Promise<RunResult> => {
    const text = String(least + asked);
    const request = { id: text, via: 'amica' as const, at: clock.now() - minute + asked / 1000 };
    return (await runner.start({ run: text, text, conversation: text, request })) ?? assert.fail('closed');
  };
  return { begin, sent, clock, letGo: (asked: number) => gate(String(least + asked)).resolve(undefined) };
}

/** Everybody begins once and is let go once afterwards, in any order. */
const courses = fc.integer({ min: 2, max: 8 }).chain((count) => {
  const all = Array.from({ length: count }, (_, asked) => [asked, asked]).flat();
  return fc.shuffledSubarray(all, { minLength: all.length });
});

describe('the request that was asked last', () => {
  it('is what counts, in whatever order runs begin and end; who was overtaken is told, and nobody else', async () => {
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        const { begin, sent, clock, letGo } = house();
        const results = new Map<number, Promise<RunResult>>();
        for (const asked of course) {
          if (results.has(asked)) letGo(asked);
          else results.set(asked, begin(asked));
          for (let n = 0; n < 12; n += 1) await clock.advance(0);
        }
        const ended = await Promise.all(
          [...results].map(async ([asked, end]) => [asked, (await end).payload] as const),
        );
        assert.deepEqual(
          sent,
          sent.toSorted((a, b) => a - b),
          'none after a later one',
        );
        assert.equal(sent.at(-1), least + Math.max(...results.keys()));
        for (const [asked, payload] of ended) {
          const later = /Not done: .*Meanwhile this was asked for: .* (\d+) /.exec(payload)?.[1];
          assert.equal(later === undefined, sent.includes(least + asked), payload);
          if (later !== undefined) assert.ok(Number(later) > least + asked, payload);
        }
      }),
      { numRuns: 40 },
    );
  });
});
