/**
 * Which entries of a board a GraphQL agent sees, as gpt-multi-atomic-agents does it with text (seed-contracts.md B5, row
 * 63): for data of others, whose schemas need not be readable. Where they are, names come from the schema itself, and so
 * all mutations of a text count, not only the first.
 */

/** The first mutation's name of a text that holds `type Mutation {` exactly once; nothing else counts there. */
export function acceptedName(schema: string): string | undefined {
  const [, body, ...more] = schema.split('type Mutation {');
  if (body === undefined || more.length) return undefined;
  const [before = ''] = body.split('(');
  const name = [...before].filter((letter) => /^[a-zA-Z0-9_]$/.test(letter)).join('');
  return name || undefined;
}

/** Whether a mutation's text calls one of the names: `name(` or `name (` is in it. */
export const callsOneOf = (text: string, names: readonly string[]): boolean =>
  names.some((name) => text.includes(`${name}(`) || text.includes(`${name} (`));
