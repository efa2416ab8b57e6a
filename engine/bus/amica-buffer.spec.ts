/** What A.M.I.C.A.'s command line shows of what is sent to it: the traces of seed-contracts.md A5, and our own replies. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createJavaBuffer, type JavaBuffer } from '../../test/amica-buffer.ts';
import { fakeClock } from '../clock.ts';
import { createReplyDesk } from '../conversation/reply-desk.ts';
import { forcedWords } from '../conversation/reply-words.ts';
import type { AmicaOutgoing } from './amica.ts';
import { amicaTopics } from './topics.ts';

/** `2!@1700`: number 2, complete, 1700 ms after the request; without a time 0. */
function arrive(buffer: JavaBuffer, trace: string): void {
  for (const word of trace.split(' ')) {
    const [, name = '', number = '', mark = '', at = '0'] = /^([A-Z]?)(-?\d+)(!?)(?:@(\d+))?$/.exec(word) ?? [];
    buffer.arrive(
      { sequence: Number(number), isComplete: mark === '!', message: `${name}${number}${mark}` },
      Number(at),
    );
  }
}

const quickly = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index)).join(' ');

const traces: readonly { arrivals: string; delivered: string; waiting: readonly number[]; isDone: boolean }[] = [
  { arrivals: '2! 1', delivered: '1 2!', waiting: [], isDone: true },
  { arrivals: '2 2 1', delivered: '1 2', waiting: [], isDone: false },
  { arrivals: '1@0 3@1 4!@1700', delivered: '1 3', waiting: [4], isDone: false },
  { arrivals: '0!@900', delivered: '', waiting: [0], isDone: false },
  { arrivals: '0!@9000', delivered: '0!', waiting: [], isDone: true },
  { arrivals: 'A1 B1 A2 A3@2000', delivered: 'A1 A2 A3', waiting: [1], isDone: false },
  {
    arrivals: quickly(2, 52),
    delivered: '2',
    waiting: quickly(3, 52).split(' ').map(Number),
    isDone: false,
  },
];

describe('the Java command line’s buffer', () => {
  for (const { arrivals, delivered, waiting, isDone } of traces) {
    it(`shows ${delivered || 'nothing'} of ${arrivals.length > 40 ? `${arrivals.slice(0, 40)}…` : arrivals}`, () => {
      const buffer = createJavaBuffer();
      arrive(buffer, arrivals);
      assert.deepEqual(
        [buffer.delivered.map(({ message }) => message).join(' '), buffer.waiting, buffer.isDone],
        [delivered, waiting, isDone],
      );
    });
  }
});

describe('our replies in the Java command line’s buffer', () => {
  const part = fc.record({ text: fc.string({ maxLength: 12 }), afterMs: fc.integer({ min: 0, max: 9_000 }) });

  it('come out whole, whatever the parts and their times', async () => {
    const property = fc.asyncProperty(
      fc.array(part, { maxLength: 70 }),
      part,
      fc.boolean(),
      fc.array(fc.boolean(), { maxLength: 71 }),
      async (parts, last, isRepeating, twice) => {
        const clock = fakeClock();
        const sentAt = clock.now();
        const buffer = createJavaBuffer();
        let count = 0;
        const desk = createReplyDesk({
          clock,
          agentId: 'house-agent',
          async publish({ topic, message }: AmicaOutgoing) {
            if (topic === amicaTopics.events) return assert.ok(buffer.isDone, 'the end was told before the answer');
            const body = JSON.parse(String(message.payload)) as {
              message: string;
              isComplete: boolean;
              sequenceNumber: { value: number };
            };
            const response = {
              message: body.message,
              isComplete: body.isComplete,
              sequence: body.sequenceNumber.value,
            };
            // A broker may deliver a message of quality 1 twice.
            const times = twice[count++] ? 2 : 1;
            for (let time = 0; time < times; time += 1) buffer.arrive(response, clock.now() - sentAt);
          },
          record: async () => undefined,
          onProblem: (problem) => assert.fail(problem.message),
        });
        desk.expect({ id: 'm', conversation: 'c' }, { deadlineMs: 600_000 });
        for (const { text, afterMs } of parts) {
          await clock.advance(afterMs);
          void desk.part('m', text);
        }
        await clock.advance(last.afterMs);
        const said = parts.map(({ text }) => text).join('');
        const whole = `${isRepeating ? said : ''}${last.text || 'end'}`;
        void desk.finish('m', whole);
        await clock.advance(1_000);
        assert.ok(buffer.isDone);
        const shown = buffer.delivered.map(({ message }) => message).join('');
        const answer = `${said}${whole}`.trim() === '' ? forcedWords('silence') : whole;
        // What was streamed is not said twice; another text begins on a line of its own.
        const isRest = said !== '' && !answer.startsWith(said);
        assert.equal(shown, isRest ? `${said}${/\s$/.test(said) ? '' : '\n'}${answer}` : answer);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
});
