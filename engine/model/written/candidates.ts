/** Where in an answer calls are written, and what is left of it for people. */
import { keywordArguments, looseValue, skipSpace } from './loose-value.ts';
import { isInCode } from './thinking.ts';

export interface Candidate {
  readonly name: string;
  readonly given: unknown;
}

export interface Candidates {
  readonly calls: readonly Candidate[];
  readonly say: string;
}

interface Found {
  readonly from: number;
  readonly to: number;
  readonly calls: readonly Candidate[];
}

type Finder = (text: string, isOffered: (name: string) => boolean) => Found[];

const exampleWords =
  /\b(?:examples?|e\.g\.|for instance|such as|something like|looks? like|like this|would|could|if you|in this format|beispiel|etwa so|zum beispiel|par exemple|por ejemplo|you wrote|you said|you sent|quote)\b|["“„«]\s*$/i;

const denying =
  /\b(?:not|won['’]t|can['’]t|cannot|never|don['’]t|didn['’]t|without|refuse|instead of|nicht|kein\w*|ne pas)\b/i;
const askingFirst = /\b(?:shall i|should i|may i|do you want|would you like|soll ich|darf ich|dois-je)\b/i;

/** What stands around a call says whether it is meant: an example, one that is refused, or one that is asked about first. */
function isExample(text: string, at: number, end = text.length): boolean {
  const before = text.slice(0, at).trimEnd();
  const sentence = before.slice(Math.max(before.lastIndexOf('. '), before.lastIndexOf('\n\n'), 0));
  const isQuoted = /^\s*>/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at + 1));
  return isQuoted || exampleWords.test(sentence) || denying.test(sentence) || askingFirst.test(text.slice(end));
}

/** One call, or several, of a value: `{name, arguments}`, `{function: {name, arguments}}`, a list of such. */
function callsOfValue(value: unknown): Candidate[] | undefined {
  if (Array.isArray(value)) {
    const all = value.map(callsOfValue);
    return value.length > 0 && all.every((one) => one !== undefined) ? all.flat() : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const one = value as Readonly<Record<string, unknown>>;
  if (Array.isArray(one['tool_calls'])) return callsOfValue(one['tool_calls']);
  if (typeof one['function'] === 'object' && one['function'] !== null) return callsOfValue(one['function']);
  const name = one['name'] ?? one['function'] ?? one['tool'] ?? one['tool_name'];
  const given = ['arguments', 'parameters', 'args', 'tool_input', 'input']
    .map((key) => one[key])
    .find((found) => found !== undefined);
  return typeof name === 'string' && given !== undefined
    ? [{ name: name.replace(/^functions?\./, ''), given }]
    : undefined;
}

/** Values one after the other, parted by commas, semicolons or new lines. */
function callsAt(text: string, from: number): { calls: Candidate[]; end: number } | undefined {
  const calls: Candidate[] = [];
  let end = from;
  for (let at = skipSpace(text, from); text[at] === '{' || text[at] === '['; at = skipSpace(text, end)) {
    const read = looseValue(text, at);
    const found = read && callsOfValue(read.value);
    if (!found) break;
    calls.push(...found);
    end = read.end;
    const next = skipSpace(text, end);
    if (text[next] === ';' || text[next] === ',') end = next + 1;
  }
  return calls.length ? { calls, end } : undefined;
}

/** `name(key=value)`, perhaps `name.call(…)` or `print(name(…))`. */
function pythonAt(text: string, from: number): { calls: Candidate[]; end: number } | undefined {
  const calls: Candidate[] = [];
  let end = from;
  for (let at = skipSpace(text, from); ; at = skipSpace(text, end)) {
    const head =
      /^(?:\[\s*)?(?:print\(\s*)?(?:[a-z_]+\s*=\s*)?(?:default_api\.|functions?\.)?([A-Za-z_][\w.-]*?)(?:\.call)?\(/.exec(
        text.slice(at, at + 200),
      );
    const given = head && keywordArguments(text, at + head[0].length);
    if (!head || !given) break;
    calls.push({ name: head[1] ?? '', given: given.value });
    end = given.end;
    while (/[)\];,]/.test(text[skipSpace(text, end)] ?? '')) end = skipSpace(text, end) + 1;
  }
  return calls.length ? { calls, end } : undefined;
}

/** `<function=name>{…}</function>` and `<function=name><parameter=key>value</parameter></function>`. */
function functionTagAt(text: string, from: number): { calls: Candidate[]; end: number } | undefined {
  const head = /^<function[=\s]+(?:name=)?"?([\w.-]+)"?\s*>?/.exec(text.slice(from));
  if (!head) return undefined;
  const start = from + head[0].length;
  const close = text.indexOf('</function>', start);
  const until = close < 0 ? text.length : close;
  const end = close < 0 ? text.length : close + '</function>'.length;
  const parameters = [
    ...text.slice(start, until).matchAll(/<parameter[=\s]+(?:name=)?"?([\w.-]+)"?\s*>([\s\S]*?)<\/parameter>/g),
  ];
  if (parameters.length) {
    const given = Object.fromEntries(
      parameters.map(([, key = '', value = '']) => [key, value.replace(/^\n|\n$/g, '').trim()]),
    );
    return { calls: [{ name: head[1] ?? '', given }], end };
  }
  const read = looseValue(text, start);
  const isEmpty = text.slice(start, until).trim() === '';
  return read || isEmpty ? { calls: [{ name: head[1] ?? '', given: read?.value ?? {} }], end } : undefined;
}

type Reader = (text: string, from: number) => { calls: Candidate[]; end: number } | undefined;

const first =
  (...readers: readonly Reader[]): Reader =>
  (text, from) => {
    for (const read of readers) {
      const found = read(text, from);
      if (found) return found;
    }
    return undefined;
  };

/** `name` and its arguments behind a mark of their own. */
const named =
  (joint: RegExp): Reader =>
  (text, from) => {
    const head = new RegExp(`^\\s*(?:function)?\\s*${joint.source}`).exec(text.slice(from));
    if (!head) return undefined;
    const start = from + head[0].length;
    const fence = /^\s*```(?:json)?\s*/.exec(text.slice(start))?.[0].length ?? 0;
    const read = looseValue(text, start + fence);
    if (!read) return undefined;
    const after = /^\s*```/.exec(text.slice(read.end))?.[0].length ?? 0;
    return { calls: [{ name: head[1] ?? '', given: read.value }], end: read.end + after };
  };

/** Marks by which models begin calls; what is read behind each, and the marks that end it. */
const marks: readonly { readonly begin: RegExp; readonly read: Reader; readonly end: RegExp }[] = [
  {
    begin:
      /<tool_calls?>|<function_?calls?>|<\|tool_calls?\|>|<\|tool_call_(?:begin|start)\|>|<tool_use>|<\|plugin\|>/g,
    read: first(
      callsAt,
      (text, from) => functionTagAt(text, skipSpace(text, from)),
      pythonAt,
      named(/([\w.-]+)\s*(?=\{)/),
    ),
    end: /^\s*(?:<\/?tool_calls?>|<\/?function_?calls?>|<\|\/?tool_calls?\|>|<\|tool_call_end\|>|<\/tool_use>)/,
  },
  {
    begin: /\[TOOL_CALLS\]/g,
    read: first(callsAt, named(/([\w.-]+)\s*(?:\[CALL_ID\][\w-]+\s*)?\[ARGS\]/), named(/([\w.-]+)\s*(?=\{)/)),
    end: /^\s*\[\/TOOL_CALLS\]/,
  },
  { begin: /<\|python_tag\|>/g, read: first(callsAt, pythonAt), end: /^\s*<\|eom_id\|>/ },
  { begin: /functools(?=\s*\[)/g, read: callsAt, end: /^(?!)/ },
  {
    begin: /<function[=\s]+(?:name=)?"?[\w.-]+"?/g,
    read: (text, from) => functionTagAt(text, text.lastIndexOf('<function', from - 1)),
    end: /^(?!)/,
  },
  {
    begin: /<｜tool▁call▁begin｜>/g,
    read: first(named(/<｜tool▁sep｜>\s*([\w.-]+)\s*/), named(/([\w.-]+)\s*<｜tool▁sep｜>\s*/)),
    end: /^\s*<｜tool▁call▁end｜>/,
  },
  {
    begin: /<\|channel\|>\s*commentary\s+to=\s*(?=functions?\.)/g,
    read: named(/functions?\.([\w.-]+)[^<]*(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>/),
    end: /^\s*<\|call\|>/,
  },
  { begin: /✿FUNCTION✿:?/g, read: named(/([\w.-]+)\s*✿ARGS✿:?\s*/), end: /^\s*✿RETURN✿:?/ },
  {
    begin: /^(?:Thought:[^\n]*\n+)?Action:[ \t]*(?=[\w.-]+[ \t]*\n\s*Action Input:)/gm,
    read: named(/([\w.-]+)\s*Action Input:\s*/),
    end: /^(?!)/,
  },
  { begin: /```(?:tool_code|tool_call)\s*\n/g, read: first(callsAt, pythonAt), end: /^\s*```/ },
];

/** Frames around calls, which are left over. */
const frames =
  /<｜tool▁calls▁(?:begin|end)｜>|<\|tool_calls_section_(?:begin|end)\|>|<\/?tool_calls?>\s*$|<\|start\|>assistant\s*$/g;

/** A call that the end of the answer came in between: nobody knows what was meant, and people need not see it. */
function isCutOff(rest: string): boolean {
  if (!/^\s*[[{]/.test(rest)) return false;
  const plain = rest.replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, '');
  const count = (sign: RegExp) => plain.match(sign)?.length ?? 0;
  return count(/[[{]/g) > count(/[\]}]/g);
}

const marked: Finder = (text) => {
  const found: Found[] = [];
  for (const { begin, read, end } of marks)
    for (const match of text.matchAll(begin)) {
      const at = match.index;
      const isFence = match[0].startsWith('```');
      if (found.some((one) => at >= one.from && at < one.to) || (!isFence && isInCode(text, at)) || isExample(text, at))
        continue;
      const got = read(text, at + match[0].length);
      if (!got && isCutOff(text.slice(at + match[0].length))) found.push({ from: at, to: text.length, calls: [] });
      if (got && !isExample(text, at, got.end))
        found.push({ from: at, to: got.end + (end.exec(text.slice(got.end))?.[0].length ?? 0), calls: got.calls });
    }
  return found;
};

/** Nothing but calls: bare, or in the one fence at the end. */
const bare: Finder = (text, isOffered) => {
  const trimmed = skipSpace(text, 0);
  const whole = first(callsAt)(text, trimmed);
  if (whole && isTail(text.slice(whole.end))) return [{ from: trimmed, to: whole.end, calls: whole.calls }];
  const alone = pythonAt(text, trimmed);
  if (alone && isTail(text.slice(alone.end)) && alone.calls.every(({ name }) => isOffered(name)))
    return [{ from: trimmed, to: alone.end, calls: alone.calls }];
  const fence = /```(?:json|python|tool)?[ \t]*\n([\s\S]*?)(?:```|$)/.exec(text);
  if (!fence || isExample(text, fence.index) || !isTail(text.slice(fence.index + fence[0].length))) return [];
  const inner = fence[1] ?? '';
  const got = callsAt(inner, 0);
  if (!got || inner.slice(got.end).trim() !== '') return [];
  return [{ from: fence.index, to: fence.index + fence[0].length, calls: got.calls }];
};

/** Only marks of an end are left. */
const isTail = (text: string): boolean => text.replace(/<[|｜]?[\w▁|｜/]+[|｜]?>/g, '').trim() === '';

/** Of whom Llama's answers are, said in front of them. */
const headers = /<\|start_header_id\|>\s*\w+\s*<\|end_header_id\|>\s*/g;

export function candidatesIn(given: string, isOffered: (name: string) => boolean): Candidates {
  const text = given.replace(headers, '');
  const some = marked(text, isOffered);
  const found = (some.length ? some : bare(text, isOffered)).sort((a, b) => a.from - b.from);
  let say = '';
  let from = 0;
  for (const one of found) {
    say += text.slice(from, one.from).replace(frames, '');
    from = one.to;
  }
  say += found.length ? text.slice(from).replace(frames, '') : text;
  return { calls: found.flatMap(({ calls }) => calls), say };
}
