/** What a stream is called on the server (contracts.md 7). */

/** `key:` in front: taken literally, so that streams of others can be reached; else one of ours. */
export const streamKey = (name: string): string =>
  name.startsWith('key:') ? name.slice('key:'.length) : `folkmoot:stream:${name}`;
