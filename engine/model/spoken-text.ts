/** The part of a model's words that is for people: no JSON, no thinking aloud. */

const thinking = /<think>[\s\S]*?(?:<\/think>|$)/g;

/** A whole reply's text without `<think>` parts. */
export const spokenText = (text: string): string => text.replace(thinking, '').trim();

/**
 * Passes streamed text on, unless the reply is JSON or still thinks aloud.
 * @returns Give it each piece as it comes.
 */
export function createTextGate(onText: (text: string) => void): (piece: string) => void {
  let all = '';
  let passed = 0;
  return (piece) => {
    all += piece;
    // What may yet become a mark is held back until it is known.
    if ('<think>'.startsWith(all.trimStart()) || /<think>(?![\s\S]*<\/think>)/.test(all)) return;
    const spoken = all.replace(thinking, '').trimStart();
    if (/^(?:[{[]|`)/.test(spoken) || spoken.length <= passed) return;
    onText(spoken.slice(passed));
    passed = spoken.length;
  };
}

/** The JSON object in a reply: the whole text, or what stands in a fence or between words. Undefined when there is none. */
export function jsonIn(text: string): Record<string, unknown> | undefined {
  const spoken = spokenText(text);
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(spoken)?.[1];
  const braced = spoken.slice(spoken.indexOf('{'), spoken.lastIndexOf('}') + 1);
  for (const candidate of [spoken, fenced, braced]) {
    if (!candidate?.trim().startsWith('{')) continue;
    try {
      return JSON.parse(candidate) as Record<string, unknown>;
    } catch {
      // The next candidate may be readable.
    }
  }
  return undefined;
}
