/** What a function is for, told by its description. */
import type { Lists } from './lists.ts';

/** "Open or close the blinds (shades, shutters) of a room": all words between the verb and what stands around the things. */
export function thingsIn([, ...rest]: readonly string[], lists: Lists): readonly string[] {
  const end = rest.findIndex((stem) => lists.behindThings.has(stem));
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .filter((stem) => !lists.small.has(stem) && !lists.prepositions.has(stem) && !lists.directions.has(stem));
}
