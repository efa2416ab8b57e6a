/** The unit that stands behind a number. */
import { longestAt } from '../../model/rules/lists.ts';
import type { Token } from '../../model/rules/tokens.ts';
import { lists } from './profile-words.ts';

/** Its name in the rules' list of units: "18 degrees", "40 %". Undefined: none. */
export function unitAt(tokens: readonly Token[], at: number): string | undefined {
  const found = longestAt(
    tokens.map(({ stem }) => stem),
    at,
    lists.units,
  );
  return found && lists.unitNames.get(found.join(' '));
}
