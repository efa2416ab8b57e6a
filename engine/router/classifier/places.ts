/** "… in the mountains, and put a bear there": the place that was said before, for who is told only the second part. */
import type { Token } from '../../model/rules/tokens.ts';
import { keyOf } from './everyday.ts';
import type { Profile, Profiles } from './profile.ts';
import type { Reading } from './reading.ts';

const before = new Set(['in', 'on', 'at', 'to', 'along', 'of']);

/** Values that a function takes and that were said, with the words before them: "in the mountains". */
function placesIn({ clause: { tokens }, evidence }: Reading, profile: Profile): string[] {
  const own = evidence.byAgent.find(({ agentId }) => agentId === profile.agentId);
  const found: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (own?.explained.get(at) !== 'value') continue;
    let end = at + 1;
    while (own.explained.get(end) === 'value' && !tokens[end]?.before) end += 1;
    const words = tokens.slice(at, end).map(({ text }) => text);
    if (holdsPlace(profile, words)) found.push(words.join(' '));
    at = end;
  }
  return found;
}

const holdsPlace = ({ values }: Profile, words: readonly string[]): boolean => values.has(words.map(keyOf).join(' '));

/**
 * The words of a later part with "there" replaced by the one place that an earlier part named, if the agent of the later
 * part knows that place too. Undefined: "there" may be anywhere.
 */
export function withPlace(
  text: string,
  earlier: readonly { readonly agentId: string; readonly readings: readonly Reading[] }[],
  agentId: string,
  { agents }: Profiles,
): string | undefined {
  const profile = agents.find((one) => one.agentId === agentId);
  const named = earlier.flatMap(({ agentId: other, readings }) => {
    const its = agents.find((one) => one.agentId === other);
    return its ? readings.flatMap((reading) => placesIn(reading, its)) : [];
  });
  const places = [...new Set(named)].filter((place) => profile && holdsPlace(profile, place.split(' ')));
  const [place] = places;
  if (!place || places.length > 1) return undefined;
  return text.replace(/\b(?:(in|on|at|over|up|down|out) )?there\b/i, (_all, said: string | undefined) => {
    const preposition = said && before.has(said.toLowerCase()) ? said : 'in';
    return `${preposition} the ${place}`;
  });
}

export const saysThere = (tokens: readonly Token[]): boolean =>
  tokens.some(({ text }, at) => text === 'there' && !['is', 'are', 'was'].includes(tokens[at + 1]?.text ?? ''));
