/** A last part that repeats what was streamed goes on from there; another one begins on a line of its own. */
export function restOf(said: string, text: string): string {
  if (said === '') return text;
  if (text.startsWith(said)) return text.slice(said.length);
  return /\s$/.test(said) ? text : `\n${text}`;
}
