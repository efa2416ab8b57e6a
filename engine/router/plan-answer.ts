/** Reads the planner's answer: the tool call `make_plan`, or the same as JSON text. */
import { limits } from '../limits.ts';
import type { ModelReply } from '../model/call.ts';
import type { PendingQuestion, PlanAnswer } from '../model/model.ts';

/** JSON Schema of the tool `make_plan`. */
export const makePlanSchema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What the person is told.' },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          agent: { type: 'string', description: 'Who of the team.' },
          prompt: { type: 'string', description: 'The request rewritten for that one.' },
          parameters: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
          after: { type: 'array', items: { type: 'integer' } },
        },
        required: ['agent', 'prompt'],
      },
    },
    questions: {
      type: 'array',
      items: {
        type: 'object',
        properties: { request: { type: 'string' }, question: { type: 'string' } },
        required: ['request', 'question'],
      },
    },
    declined: { type: 'boolean' },
    dropsQuestion: { type: 'boolean', description: 'The person no longer wants what the open question was about.' },
  },
  required: ['message', 'steps'],
} as const;

/** The answer in its form, or in one sentence what could not be read. Lengths are cut, wrong parts left out. */
export function readPlanAnswer(
  reply: Pick<ModelReply, 'text' | 'calls'>,
): { readonly answer: PlanAnswer } | { readonly finding: string } {
  const call = reply.calls.find(({ name }) => name === 'make_plan');
  if (call?.unreadable !== undefined) return { finding: 'the arguments of make_plan were no JSON.' };
  const found = call ? parsed(call.args) : parsed(reply.text);
  if (!isRecord(found)) return { finding: 'it was no call of make_plan and no JSON of that form.' };
  const inner = Object.values(found)[0];
  const body = !('steps' in found) && !('message' in found) && isRecord(inner) ? inner : found;
  if (!('steps' in body) && !('message' in body)) return { finding: '"message" and "steps" are missing.' };
  const steps = body['steps'] ?? [];
  if (!Array.isArray(steps)) return { finding: '"steps" has to be a list.' };
  const read: PlanAnswer['steps'][number][] = [];
  for (const step of steps as unknown[]) {
    if (!isRecord(step) || typeof step['agent'] !== 'string' || typeof step['prompt'] !== 'string')
      return { finding: 'each step needs "agent" and "prompt" as text.' };
    read.push({
      agent: step['agent'].slice(0, 200),
      prompt: step['prompt'].trim().slice(0, limits.requestChars),
      parameters: parametersOf(step['parameters']),
      after: Array.isArray(step['after']) ? step['after'].map(Number).filter(Number.isInteger) : [],
    });
  }
  return {
    answer: {
      message: typeof body['message'] === 'string' ? body['message'].trim().slice(0, limits.requestChars) : '',
      steps: read,
      questions: questionsOf(body['questions']),
      declined: body['declined'] === true,
      dropsQuestion: body['dropsQuestion'] === true,
    },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON as models write it: alone, in a fence, or with words around it. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const start = value.indexOf('{');
  const end = value.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  try {
    return JSON.parse(value.slice(start, end + 1));
  } catch {
    return undefined;
  }
}

/** Lists of text by name; single values become lists. */
function parametersOf(value: unknown): Record<string, string[]> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, given]) => {
      const list = (Array.isArray(given) ? (given as unknown[]) : [given])
        .filter((item) => ['string', 'number', 'boolean'].includes(typeof item))
        .map((item) => String(item).slice(0, 500))
        .slice(0, 50);
      return list.length ? [[name, list]] : [];
    }),
  );
}

function questionsOf(value: unknown): PendingQuestion[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[])
    .flatMap((item) =>
      isRecord(item) && typeof item['question'] === 'string' && item['question'].trim()
        ? [
            {
              request: (typeof item['request'] === 'string' ? item['request'] : '').slice(0, limits.requestChars),
              question: item['question'].trim().slice(0, 1_000),
            },
          ]
        : [],
    )
    .slice(0, limits.planSteps);
}
