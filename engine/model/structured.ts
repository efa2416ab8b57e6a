/** Asks a model for one answer in a form of ours: a tool call, or the same as JSON text; one more try with the finding. */
import { ajv } from '../language/ajv.ts';
import type { ValidateFunction } from '../language/ajv.ts';
import { isFolkmootError } from '../errors.ts';
import type { JsonSchema } from '../language/json-schema.ts';
import { limits } from '../limits.ts';
import type { Usage } from '../moot.ts';
import { callModel } from './call.ts';
import type { ModelCall, ModelReply } from './call.ts';
import type { Model } from './model.ts';
import { jsonIn } from './spoken-text.ts';
import { addUsage, emptyUsage } from './usage.ts';

export interface StructuredCall<T> {
  readonly model: Model;
  /** The tool's name: the task. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** The call without tools. @param finding What was wrong with the first answer. */
  readonly call: (finding: string | undefined) => ModelCall;
  /** What the schema cannot say; a finding for the model, or what the answer means. */
  readonly check: (
    answer: unknown,
  ) => { readonly value: T } | { readonly finding: string; readonly forPeople?: string };
}

export type Structured<T> = { readonly usage: Usage } & (
  | { readonly ok: true; readonly value: T }
  /**
   * `words`: what it said instead, or what is wrong with its answer; for people. `isRefused`: it had the form, but `check`
   * did not take it.
   */
  | { readonly ok: false; readonly finding: string; readonly words: string; readonly isRefused: boolean }
);

type Read<T> =
  { readonly value: T } | { readonly finding: string; readonly words: string; readonly isRefused?: boolean };

/** Throws what calling the model throws; an answer that can't be read is no error but a finding. */
export async function askStructured<T>(options: StructuredCall<T>): Promise<Structured<T>> {
  let usage = emptyUsage;
  let finding: string | undefined;
  let last: Exclude<Read<T>, { value: T }> = { finding: '', words: '' };
  for (let tried = 0; tried <= limits.regenerations; tried += 1) {
    const read = await once(options, finding, (more) => (usage = addUsage(usage, more)));
    if ('value' in read) return { ok: true, value: read.value, usage };
    finding = read.finding;
    last = read;
  }
  return { ok: false, isRefused: false, ...last, usage };
}

async function once<T>(
  { model, name, schema, call, check }: StructuredCall<T>,
  finding: string | undefined,
  count: (usage: Usage) => void,
): Promise<Read<T>> {
  let reply: ModelReply;
  try {
    const tool = { name, description: 'Your answer.', schema };
    reply = await callModel(model, { ...call(finding), tools: [tool] });
  } catch (error) {
    if (!isFolkmootError(error, 'FOLKMOOT_MODEL_UNREADABLE')) throw error;
    count({ ...emptyUsage, modelCalls: 1 });
    return { finding: 'The answer was empty.', words: '' };
  }
  count(reply.usage);
  const answer = reply.calls.find((one) => one.name === name)?.args ?? jsonIn(reply.text);
  if (!answer) {
    const words = /^(?:[{[]|```)/.test(reply.text) ? '' : reply.text.slice(0, limits.claimChars);
    return { finding: `Answer with the tool ${name}, or with one JSON object of its form alone.`, words };
  }
  const validate = validatorOf(schema);
  if (!validate(answer)) {
    const wrong = (validate.errors ?? []).slice(0, limits.findings);
    return {
      finding: wrong.map((error) => `${error.instancePath || 'It'} ${error.message ?? ''}.`).join(' '),
      words: '',
    };
  }
  const checked = check(answer);
  return 'value' in checked ? checked : { finding: checked.finding, words: checked.forPeople ?? '', isRefused: true };
}

const validators = new WeakMap<JsonSchema, ValidateFunction>();

function validatorOf(schema: JsonSchema): ValidateFunction {
  const validate = validators.get(schema) ?? ajv().compile(schema);
  validators.set(schema, validate);
  return validate;
}
