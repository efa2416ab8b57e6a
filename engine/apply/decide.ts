/** What is to be done with a command: checked again, whoever proposed it. */
import type { DeviceMessage } from '../devices/device.ts';
import { deviceMessages } from '../devices/device-messages.ts';
import { mutationText } from '../graphql/mutation-text.ts';
import { schemasOf } from '../graphql/schema.ts';
import type { ReadSchema } from '../graphql/schema.ts';
import { checkCall } from '../language/check-call.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import type { Language } from '../language/language.ts';
import type { Moot, Mutation, Outcome } from '../moot.ts';
import { reasons, type Result } from './report.ts';
import { rowFor, type PlacedRow, type Row } from './rows.ts';

/** A command with typed parameters and the row that carries it out. */
export interface Order {
  readonly kind: 'order';
  readonly mutation: Mutation;
  readonly spec: FunctionSpec;
  readonly place: PlacedRow;
  /** Of a device row: what is published. */
  readonly messages?: readonly DeviceMessage[];
}

export type Decision = Order | { readonly kind: 'settled'; readonly result: Result };

interface Handlers {
  readonly rows: readonly Row[];
  /** Whether somebody gets what is sent to a row; default: yes. */
  readonly isConnected?: (row: number) => boolean;
}

/** Nothing that isn't in the language is carried out, nothing critical without a row that says so. */
export function decide(mutation: Mutation, language: Language, { rows, isConnected }: Handlers): Decision {
  const call = checkCall(language, mutation);
  if (!call.ok) return refused(mutation, call.spec, call.spec ? call.forPeople : reasons.notInLanguage);
  const { spec } = call;
  const typed = withText({ ...mutation, function: spec.name, parameters: call.parameters, risk: spec.risk }, language);
  if (!typed) return refused(mutation, spec, reasons.notInLanguage);
  if (!spec.effect) return { kind: 'settled', result: { mutation: typed, state: 'board only', spec } };
  const place = rowFor(rows, spec, language.devices);
  if (!place) return refused(typed, spec, reasons.noRow);
  // A door was to be opened when somebody wanted it, not whenever a lamp starts anew.
  if (spec.risk === 'critical' && mutation.again !== undefined) return refused(typed, spec, reasons.criticalAgain);
  if (spec.risk === 'critical' && !place.row.runWithoutAsking) return refused(typed, spec, reasons.critical);
  if (place.row.kind === 'device') return byDevice({ kind: 'order', mutation: typed, spec, place }, language);
  if (isConnected?.(place.index) === false) return refused(typed, spec, reasons.unconnected);
  return { kind: 'order', mutation: typed, spec, place };
}

/** With what is to be published; refused with the reason where the device can't do that. */
function byDevice(order: Order, { devices = [] }: Language): Decision {
  const plan = deviceMessages(order.mutation, devices);
  return 'why' in plan ? refused(order.mutation, order.spec, plan.why) : { ...order, messages: plan.messages };
}

/** The text is made of what was checked: one that came along could say something else. Undefined: no text says this. */
function withText({ graphql: _text, ...mutation }: Mutation, language: Language): Mutation | undefined {
  const isOf = ({ functions }: ReadSchema) => functions.some(({ name }) => name === mutation.function);
  // Several languages may have names that differ in case only.
  const schema = schemasOf(language.graphql).find(isOf);
  if (!schema) return mutation;
  const text = mutationText([schema], mutation);
  return text === undefined ? undefined : { ...mutation, graphql: text };
}

/** Runs that ended so may act; a cancelled or failed one may not, even if it is wired here. */
const actingOutcomes: readonly (Outcome | undefined)[] = [undefined, 'done', 'asked'];

export const mayAct = ({ outcome }: Pick<Moot, 'outcome'>): boolean => actingOutcomes.includes(outcome);

/** A command that would have been carried out, had its run ended well. */
export const notFinished = (decision: Decision): Result =>
  decision.kind === 'settled'
    ? decision.result
    : { mutation: decision.mutation, spec: decision.spec, state: 'refused', reason: reasons.notFinished };

const refused = (mutation: Mutation, spec: FunctionSpec | undefined, reason: string): Decision => ({
  kind: 'settled',
  result: { mutation, state: 'refused', reason, ...(spec ? { spec } : {}) },
});
