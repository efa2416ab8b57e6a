/** Rules and units of sense as they were saved, and their conditions as JSONata. */
import { folkmootError, asError } from '../../engine/errors.ts';
import type { Evaluate, Rule } from '../../engine/events/sense.ts';
import { evaluateExpression, prepareExpression } from '../shared/jsonata.ts';
import type { Red, RedNode } from '../shared/red.ts';
import type { SenseRule } from './sense.fields.ts';

const longestHoldSeconds = 7 * 86_400;

/** Throws FOLKMOOT_RULE_INVALID. */
export function rulesOf(saved: readonly SenseRule[]): Rule[] {
  return saved.map((item, index) => {
    const rule = (typeof item === 'object' && item !== null ? item : {}) as Partial<Record<keyof SenseRule, unknown>>;
    const seconds = Number(rule.holdsForSeconds ?? 0);
    if (!Number.isFinite(seconds) || seconds < 0 || seconds > longestHoldSeconds)
      throw folkmootError(
        'FOLKMOOT_RULE_INVALID',
        `Rule ${index + 1} has to hold for "${String(rule.holdsForSeconds)}" seconds; 0 to ${longestHoldSeconds} are possible.`,
      );
    return {
      condition: typeof rule.condition === 'string' ? rule.condition : '',
      holdsForMs: seconds * 1000,
      sentence: typeof rule.sentence === 'string' ? rule.sentence : '',
    };
  });
}

export function unitsOf(saved: readonly unknown[]): Record<string, string> {
  const pairs = saved.flatMap((item) => {
    const { property, unit } = (item ?? {}) as { property?: unknown; unit?: unknown };
    return typeof property === 'string' && typeof unit === 'string' && unit !== '' ? [[property, unit] as const] : [];
  });
  return Object.fromEntries(pairs);
}

/** Prepares all conditions. Throws FOLKMOOT_RULE_INVALID for one that isn't JSONata. */
export function conditionsOf(RED: Red, node: RedNode, rules: readonly Rule[]): Evaluate {
  const prepared = new Map(rules.map(({ condition }, index) => [condition, prepare(RED, node, condition, index)]));
  return (condition, scope) => evaluateExpression(RED, prepared.get(condition), scope);
}

function prepare(RED: Red, node: RedNode, condition: string, index: number): unknown {
  if (condition.trim() === '') return undefined;
  try {
    return prepareExpression(RED, node, condition);
  } catch (thrown) {
    const { message } = asError(thrown);
    throw folkmootError(
      'FOLKMOOT_RULE_INVALID',
      `The condition of rule ${index + 1} is not JSONata: ${message}.`,
      thrown,
    );
  }
}
