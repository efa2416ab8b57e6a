/** Numbers with their units, as spans of words. */
import type { Lists } from './lists.ts';
import { longestAt } from './lists.ts';
import type { Token } from './tokens.ts';

export interface Quantity {
  /** First and behind last token. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly unit?: string;
  /** "one" without a unit is a pronoun as often as a number. */
  readonly isVague: boolean;
}

/** All numbers of a text in order; "twenty two", "minus 3", "19 point 5", "1 and a half hours" are one each. */
export function quantitiesOf(tokens: readonly Token[], lists: Lists): Quantity[] {
  const stems = tokens.map((token) => token.stem);
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length;) {
    const number = numberAt(tokens, at);
    if (!number) {
      at++;
      continue;
    }
    const unit = longestAt(stems, number.to, lists.units);
    const to = number.to + (unit?.length ?? 0);
    const from = at > 0 && tokens[at - 1]?.text === 'minus' ? at - 1 : at;
    found.push({
      from,
      to,
      value: from < at ? -number.value : number.value,
      ...(unit ? { unit: lists.unitNames.get(unit.join(' ')) ?? '' } : {}),
      isVague: !unit && number.to === at + 1 && tokens[at]?.text === 'one',
    });
    at = to;
  }
  return found;
}

function numberAt(tokens: readonly Token[], at: number): { value: number; to: number } | undefined {
  const first = tokens[at];
  if (first?.value === undefined) return undefined;
  const { value, to } = spoken(tokens, at, first.value);
  const digit = tokens[to + 1]?.value;
  if (tokens[to]?.text === 'point' && digit !== undefined && digit >= 0 && digit < 10)
    return { value: Number(`${value}.${digit}`), to: to + 2 };
  const isHalf = ['and', 'a', 'half'].every((word, index) => tokens[to + index]?.text === word);
  return isHalf ? { value: value + 0.5, to: to + 3 } : { value, to };
}

/** "two hundred", "twenty two"; digits stand by themselves. */
function spoken(tokens: readonly Token[], at: number, value: number): { value: number; to: number } {
  const [first, next] = [tokens[at], tokens[at + 1]];
  const alone = { value, to: at + 1 };
  if (!first || next?.value === undefined || /\d/.test(first.text + next.text) || !/^-?$/.test(next.before))
    return alone;
  if (next.value === 100 && value < 10) return { value: value * 100, to: at + 2 };
  const isTens = value >= 20 && value < 100 && next.value > 0 && next.value < 10;
  return isTens ? { value: value + next.value, to: at + 2 } : alone;
}
