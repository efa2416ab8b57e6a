/** Standing orders: an event's sentence acts only if it is that of an order, but for values. */
import type { StandingOrder } from '../../agent/definition.ts';
import { listsOf } from './lists.ts';
import { quantitiesOf } from './quantities.ts';
import { readSentence } from './tokens.ts';
import type { Words } from './words.ts';

/** Orders whose words are those of the event's sentence; numbers with their units don't count, `{{…}}` stands for any value. */
export function fittingOrders(event: string, orders: readonly StandingOrder[], words: Words): StandingOrder[] {
  const said = wordsOnly(event, '', words);
  return orders.filter((order) => ['0', any].some((value) => fits(said, wordsOnly(order.when, value, words))));
}

const any = 'xanyvaluex';
const longestValue = 4;

/** @param value Stands in the place of `{{…}}`: a number goes out with its unit, `any` stays. */
function wordsOnly(text: string, value: string, words: Words): string[] {
  const { tokens } = readSentence(text.replace(/\{\{[^}]*\}\}|\{[^}]*\}/g, ` ${value} `), words);
  const numbers = quantitiesOf(tokens, listsOf(words)).filter(({ isVague }) => !isVague);
  return tokens.filter((_, at) => !numbers.some(({ from, to }) => from <= at && at < to)).map((token) => token.text);
}

/** The value's own place may be empty: its number was taken out. */
function fits(said: readonly string[], order: readonly string[]): boolean {
  const [first, ...rest] = order;
  if (first === undefined) return said.length === 0;
  if (first !== any) return said[0] === first && fits(said.slice(1), rest);
  const reach = Math.min(longestValue, said.length);
  return Array.from({ length: reach + 1 }, (_, count) => count).some((count) => fits(said.slice(count), rest));
}
