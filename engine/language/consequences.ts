/** What a call brings with it: MowLawn brings ProduceCutGrass (contracts.md 2). */
import { canonical } from '../ids.ts';
import { limits } from '../limits.ts';
import { checkCall } from './check-call.ts';
import type { GoodCall, ProposedCall } from './check-call.ts';
import type { Language } from './language.ts';

/**
 * The consequences of a call, and theirs, each once, in order of causes; at most `limits.consequences`.
 * One whose values would not be allowed is left out: a language may not bring about what it forbids.
 */
export function consequencesOf(language: Language, call: ProposedCall): GoodCall[] {
  const found: GoodCall[] = [];
  const seen = new Set([canonical([call.function, call.parameters])]);
  const queue: ProposedCall[] = [call];
  for (let cause = queue.shift(); cause; cause = queue.shift()) {
    const given = cause.parameters;
    for (const { function: name, parameters } of language.find(cause.function)?.consequences ?? []) {
      const checked = checkCall(language, { function: name, parameters: filled(parameters, given) });
      if (!checked.ok || found.length >= limits.consequences) continue;
      const key = canonical([name, checked.parameters]);
      if (seen.has(key)) continue;
      seen.add(key);
      found.push(checked);
      queue.push({ function: name, parameters: checked.parameters });
    }
  }
  return found;
}

/** Templates with values; one that needs a value which isn't there is left out. */
function filled(
  templates: Readonly<Record<string, string>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, template] of Object.entries(templates)) {
    const whole = /^\{([A-Za-z][A-Za-z0-9_]*)\}$/.exec(template)?.[1];
    if (whole !== undefined) {
      if (Object.hasOwn(given, whole)) result[name] = given[whole];
      continue;
    }
    let complete = true;
    const text = template.replace(/\{([A-Za-z][A-Za-z0-9_]*)\}/g, (_, one: string) => {
      complete &&= Object.hasOwn(given, one);
      return String(given[one]);
    });
    if (complete) result[name] = text;
  }
  return result;
}
