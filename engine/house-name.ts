/** Names of houses: they stand in topics, in front of agents' ids and in user properties. */

/** Longer ones are not read from messages. */
const most = 128;

/** Which rule a name breaks, as a sentence without its full stop and capital; nothing when it is right. */
export function houseNameFault(name: string): string | undefined {
  if (/[/+#]/.test(name)) return 'the name of a house has no /, + and # in it';
  if (/\p{C}/u.test(name)) return 'the name of a house has no line breaks or other control characters in it';
  return name.length > most ? `the name of a house has at most ${most} characters` : undefined;
}
