/** Values as models write them: JSON, or a Python literal, with a last comma or a last bracket too little. */

export interface ReadValue {
  readonly value: unknown;
  /** Where it ends in the text. */
  readonly end: number;
}

const words: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};
const deepest = 20;

/** Undefined where no value begins, or it is none. Brackets that lack at the very end are taken for closed. */
export function looseValue(text: string, from = 0, depth = 0): ReadValue | undefined {
  const at = skipSpace(text, from);
  const sign = text[at];
  if (sign === undefined || depth > deepest) return undefined;
  if (sign === '{') return objectAt(text, at, depth);
  if (sign === '[') return listAt(text, at, depth);
  if (sign === '"' || sign === "'") return stringAt(text, at);
  const plain = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true|True|false|False|null|None)/.exec(
    text.slice(at, at + 40),
  )?.[0];
  if (plain === undefined) return undefined;
  return { value: Object.hasOwn(words, plain) ? words[plain] : Number(plain), end: at + plain.length };
}

export const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at += 1;
  return at;
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function stringAt(text: string, start: number): ReadValue | undefined {
  const quote = text[start];
  let value = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === quote) return { value, end: at + 1 };
    if (sign !== '\\') {
      value += sign;
      continue;
    }
    at += 1;
    const escaped = text[at] ?? '';
    const code = escaped === 'u' ? /^[0-9a-fA-F]{4}/.exec(text.slice(at + 1))?.[0] : undefined;
    value += code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[escaped] ?? escaped);
    if (code) at += 4;
  }
  return undefined;
}

function objectAt(text: string, start: number, depth: number): ReadValue | undefined {
  const found: [string, unknown][] = [];
  for (let at = skipSpace(text, start + 1); ;) {
    if (text[at] === '}' || at >= text.length)
      return { value: Object.fromEntries(found), end: Math.min(at + 1, text.length) };
    const key = keyAt(text, at);
    const colon = key && skipSpace(text, key.end);
    if (!key || colon === undefined || text[colon] !== ':') return undefined;
    const value = looseValue(text, colon + 1, depth + 1);
    if (!value) return undefined;
    found.push([String(key.value), value.value]);
    at = skipSpace(text, value.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== '}' && at < text.length) return undefined;
  }
}

const keyAt = (text: string, at: number): ReadValue | undefined =>
  text[at] === '"' || text[at] === "'" ? stringAt(text, at) : undefined;

function listAt(text: string, start: number, depth: number): ReadValue | undefined {
  const found: unknown[] = [];
  for (let at = skipSpace(text, start + 1); ;) {
    if (text[at] === ']' || at >= text.length) return { value: found, end: Math.min(at + 1, text.length) };
    const value = looseValue(text, at, depth + 1);
    if (!value) return undefined;
    found.push(value.value);
    at = skipSpace(text, value.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== ']' && at < text.length) return undefined;
  }
}

/** `room="hall", on=False)`: the arguments of a call as Python writes it, up to its bracket. */
export function keywordArguments(text: string, from: number): ReadValue | undefined {
  const found: [string, unknown][] = [];
  for (let at = skipSpace(text, from); ;) {
    if (text[at] === ')') return { value: Object.fromEntries(found), end: at + 1 };
    const key = /^([A-Za-z_]\w*)\s*=\s*/.exec(text.slice(at));
    const value = key && looseValue(text, at + key[0].length);
    if (!key || !value) return undefined;
    found.push([key[1] ?? '', value.value]);
    at = skipSpace(text, value.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== ')') return undefined;
  }
}
