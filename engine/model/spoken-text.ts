/** The part of a model's words that is for people: no JSON, no thinking aloud, no calls. */
import { callMark } from './written/call-marks.ts';
import { spokenAndThought } from './written/thinking.ts';

/** A whole reply's text without what was thought aloud. */
export const spokenText = (text: string): string => spokenAndThought(text).say;

/**
 * Passes streamed text on, unless the reply is JSON, still thinks aloud or begins to call a tool.
 * @returns Give it each piece as it comes.
 */
export function createTextGate(onText: (text: string) => void): (piece: string) => void {
  let all = '';
  let passed = 0;
  return (piece) => {
    all += piece;
    const spoken = withoutMarks(spokenText(all)).trimStart();
    if (/^(?:[{[]|`)/.test(spoken) || spoken.length <= passed) return;
    onText(spoken.slice(passed));
    passed = spoken.length;
  };
}

/** What may begin such a mark is held back until it is known. */
const longestMark = 24;

function withoutMarks(text: string): string {
  const begun = callMark.exec(text);
  const known = begun ? text.slice(0, begun.index) : text;
  const last = Math.max(...['<', '[', '◁', '✿', '```', 'functools'].map((sign) => known.lastIndexOf(sign)));
  const tail = last < 0 ? '' : known.slice(last);
  const mayBeMark = tail !== '' && tail.length < longestMark && !/[\s>\]]/.test(tail.slice(1));
  return mayBeMark ? known.slice(0, last) : known;
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
