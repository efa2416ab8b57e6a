/** What a model thinks aloud, in the forms of its kinds, apart from what it says. Talk about such forms is no thinking. */

export interface SpokenAndThought {
  readonly say: string;
  readonly thinking: string;
}

const names = 'think|thinking|thought|thoughts|reasoning|reflection|scratch_?pad|analysis|inner_monologue';
const opening = new RegExp(`<(?:${names})>|\\[think\\]|◁think▷|<\\|begin_of_thought\\|>|<\\|thinking\\|>`, 'giu');
const closing = new RegExp(`</(?:${names})>|\\[/think\\]|◁/think▷|<\\|end_of_thought\\|>|<\\|/thinking\\|>`, 'giu');

/** Answers in channels, as gpt-oss gives them ("harmony"): analysis is thought, final is said, commentary calls. */
const channel =
  /(?:<\|start\|>\s*assistant)?\s*<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>([\s\S]*?)(?=<\|end\|>|<\|return\|>|<\|call\|>|<\|start\|>|<\|channel\|>|$)(?:<\|(?:end|return|call)\|>)?/g;
const plainChannels = /^analysis([A-Z][\s\S]*?)assistantfinal([\s\S]*)$/;

/** Whether a place stands in code: between back-ticks, or in a fence. */
export function isInCode(text: string, at: number): boolean {
  const before = text.slice(0, at);
  if ((before.match(/```/g) ?? []).length % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1).replace(/```/g, '');
  return (line.match(/`/g) ?? []).length % 2 === 1;
}

export function spokenAndThought(text: string): SpokenAndThought {
  const plain = plainChannels.exec(text);
  if (plain) return { say: (plain[2] ?? '').trim(), thinking: (plain[1] ?? '').trim() };
  if (/<\|channel\|>/.test(text) && !isInCode(text, text.indexOf('<|channel|>'))) return byChannel(text);
  return byTags(text);
}

function byChannel(text: string): SpokenAndThought {
  const [said, thought]: [string[], string[]] = [[], []];
  let rest = text.replace(channel, (whole, name: string, words: string) => {
    if (name === 'final') said.push(words.trim());
    else if (name === 'commentary' && /to=\s*functions?\./.test(whole)) return whole;
    else if (name === 'commentary') said.push(words.trim());
    else thought.push(words.trim());
    return '';
  });
  rest = rest.replace(/<\|(?:start|end|return)\|>\s*(?:assistant)?/g, '').trim();
  return { say: [...said, rest].filter(Boolean).join('\n'), thinking: thought.filter(Boolean).join('\n') };
}

interface Mark {
  readonly at: number;
  readonly end: number;
  readonly opens: boolean;
}

function marksOf(text: string): Mark[] {
  const all = [
    ...[...text.matchAll(opening)].map((match) => ({
      at: match.index,
      end: match.index + match[0].length,
      opens: true,
    })),
    ...[...text.matchAll(closing)].map((match) => ({
      at: match.index,
      end: match.index + match[0].length,
      opens: false,
    })),
  ];
  return all.filter(({ at }) => !isInCode(text, at)).sort((a, b) => a.at - b.at);
}

/** What stands before a closing tag without an opening one is thought; what follows an opening one that is never closed, too. */
function byTags(text: string): SpokenAndThought {
  const [said, thought]: [string[], string[]] = [[], []];
  let from = 0;
  let depth = 0;
  for (const { at, end, opens } of marksOf(text)) {
    const part = text.slice(from, at);
    if (depth > 0) thought.push(part);
    else if (opens) said.push(part);
    else {
      // Closed again, or never opened: it was thought all the same.
      thought.push(...said.splice(0), part);
    }
    depth = opens ? depth + 1 : Math.max(0, depth - 1);
    from = end;
  }
  (depth > 0 ? thought : said).push(text.slice(from));
  const joined = (parts: readonly string[]) =>
    parts
      .map((part) => part.trim())
      .filter(Boolean)
      .join('\n');
  return { say: joined(said), thinking: joined(thought) };
}
