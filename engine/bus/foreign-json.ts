/** JSON from outside: bytes that are text, nested no deeper than what code can walk, parsed without throwing. */

export type ForeignJson =
  | { readonly value: unknown }
  | { readonly fault: 'empty' | 'binary' | 'too deep' | 'malformed JSON'; readonly detail: string };

/** @param depth Most levels of arrays and objects within each other. */
export function readForeignJson(payload: Uint8Array, depth: number): ForeignJson {
  if (payload.length === 0) return { fault: 'empty', detail: 'There is no payload.' };
  const text = readText(payload);
  if (text === undefined) return { fault: 'binary', detail: 'The payload is not text in UTF-8.' };
  if (text.trim() === '') return { fault: 'empty', detail: 'The payload is blank.' };
  if (isDeeper(text, depth)) {
    return { fault: 'too deep', detail: `Arrays and objects are nested deeper than ${depth} levels.` };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: 'malformed JSON', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** The bytes as text; nothing when they are not UTF-8 or hold zero bytes. */
export function readText(payload: Uint8Array): string | undefined {
  if (payload.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch {
    return undefined;
  }
}

/** Counts brackets outside of quoted text, so that no parser has to follow a hostile one down. */
function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (isQuoted) {
      if (character === 0x5c) at += 1;
      else if (character === 0x22) isQuoted = false;
    } else if (character === 0x22) isQuoted = true;
    else if (character === 0x5b || character === 0x7b) {
      depth += 1;
      if (depth > most) return true;
    } else if (character === 0x5d || character === 0x7d) depth -= 1;
  }
  return false;
}
