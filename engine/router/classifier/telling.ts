/** "Tell everybody that …", "remember that …": what follows is told or kept as it is, and says nothing of whose matter it is. */
import type { Token } from '../../model/rules/tokens.ts';
import { baseForms } from './base-forms.ts';
import { meaningsOf } from './everyday.ts';
import { isOtherVerb } from './evidence.ts';
import { lists } from './profile-words.ts';
import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';
import type { Verdict } from './verdict.ts';

const sayings = ['action:telling', 'action:remembering', 'action:forgetting'];

export interface Telling extends Verdict {
  /** Why it isn't clear after all. */
  readonly doubt?: string;
}

/** Of the first clause; what comes behind it belongs to it. */
export function tellingOf(readings: readonly Reading[], profiles: Profiles): Telling | undefined {
  const [reading, ...later] = readings;
  const told = reading && sayingIn(reading, profiles);
  if (!told) return undefined;
  const { agentId, saying, words } = told;
  const doubt =
    doubtOf(saying, words) ??
    (saying === 'action:telling' && isKnownElsewhere(reading, agentId, profiles)
      ? 'somebody else knows what shall be told'
      : undefined) ??
    (saying === 'action:telling' && isAgent(reading, agentId) ? 'an agent is told something' : undefined) ??
    (isMore(agentId, later) ? 'where the message ends' : undefined);
  return { agentId, confidence: doubt ? 0 : 0.9, ...(doubt ? { doubt } : {}) };
}

/** "…, and tell everybody that …": from which clause on it is a message. It has to say something by itself. */
export function lastTelling(
  readings: readonly Reading[],
  profiles: Profiles,
): { readonly at: number; readonly telling: Telling } | undefined {
  const at = readings.findIndex(
    (reading, place) => place > 0 && sayingIn(reading, profiles)?.saying === 'action:telling',
  );
  if (at < 0) return undefined;
  const telling = tellingOf(readings.slice(at), profiles);
  const words = readings.slice(at).flatMap(({ clause }) => clause.tokens.map(({ text }) => text));
  const leans = words.some((word) => word === 'well' || word === 'too' || word === 'so');
  if (!telling) return undefined;
  return {
    at,
    telling: words.length < 4 || leans ? { ...telling, doubt: 'the message leans on another part' } : telling,
  };
}

interface Saying {
  readonly agentId: string;
  readonly saying: string;
  readonly words: readonly string[];
}

function sayingIn({ clause }: Reading, { agents }: Profiles): Saying | undefined {
  if (clause.mood === 'statement' || clause.mood === 'question') return undefined;
  const words = clause.tokens.map(({ text }) => text);
  const saying = sayingOf(words);
  const all = saying ? agents.filter(({ meanings }) => meanings.has(saying)) : [];
  // Who is told something is told by those who can do so; who only answers tells who asks.
  const holders = saying === 'action:telling' && all.some(({ acts }) => acts) ? all.filter(({ acts }) => acts) : all;
  const [holder] = holders;
  return saying && holder && holders.length === 1 ? { agentId: holder.agentId, saying, words } : undefined;
}

function doubtOf(saying: string, words: readonly string[]): string | undefined {
  const end = words.indexOf('that');
  const asks = words
    .slice(1, end < 0 ? undefined : end)
    .some((word) => lists.questionWords.has(word) || word === 'whether' || word === 'if');
  if (saying === 'action:telling' && asks) return 'somebody else knows what shall be told';
  if (saying === 'action:telling' && words.slice(1, 3).some((word) => lists.speakers.has(word)))
    return 'who speaks is told';
  const isAsking = saying === 'action:remembering' && lists.questionWords.has(words[1] ?? '');
  if (isAsking || (saying !== 'action:telling' && words[1] === 'to')) return 'it may be an order';
  // "forget it"
  if (words.length < 4 && words.some((word) => leaning.has(word))) return 'it leans on earlier talk';
  return words.slice(3).some((word) => ['and', 'when', 'once', 'if', 'soon'].includes(word))
    ? 'where the message ends'
    : undefined;
}

/** What is told begins: "that …", "to come down", but not "to Anna". */
function introduces(tokens: readonly Token[], at: number): boolean {
  const [word, next] = [tokens[at]?.text, tokens[at + 1]];
  if (word !== 'to' || !next) return word === 'that' || word === 'what';
  return (
    lists.lightVerbs.has(next.text) || isOtherVerb(next) || meaningsOf(next.stem).some(({ sort }) => sort === 'action')
  );
}

const subject = new Set(['i', 'we', 'you', 'they', 'he', 'she', 'it']);

/**
 * "tell Mum the temperature in the bedroom", "… the power that we're using": no sentence, but what somebody of the team has
 * to say first.
 */
function isKnownElsewhere({ clause: { tokens }, evidence }: Reading, agentId: string, { agents }: Profiles): boolean {
  const words = tokens.map(({ text }) => text);
  const states = words.findIndex((word, at) => at > 0 && lists.stating.has(word));
  const isSentence = states > 0 && !subject.has(words[states - 1] ?? '');
  if (isSentence || tokens.some((_, at) => at > 0 && introduces(tokens, at))) return false;
  const from = words.findIndex((word, at) => at > 0 && subject.has(word));
  const start = words[0] === 'let' ? words.indexOf('know') : 0;
  const isBefore = (at: number) => at > start && (from < 0 || at < from) && evidence.content.includes(at);
  return evidence.byAgent.some(
    (one) =>
      one.agentId !== agentId &&
      agents.some((agent) => agent.agentId === one.agentId && agent.tells) &&
      [...one.explained].some(([at, sort]) => sort === 'thing' && isBefore(at)),
  );
}

const leaning = new Set(['it', 'that', 'this', 'them', 'about']);

/** "tell the mower to …": who is told is somebody of the team. */
function isAgent({ clause: { tokens }, evidence }: Reading, agentId: string): boolean {
  const end = tokens.findIndex(({ text }) => text === 'to' || text === 'that');
  if (tokens[end]?.text !== 'to' || tokens[0]?.text === 'let') return false;
  const own = evidence.byAgent.find((one) => one.agentId === agentId);
  const isNamed = (at: number) => at > 0 && at < end && evidence.content.includes(at) && !own?.explained.has(at);
  return evidence.byAgent.some((one) => [...one.explained].some(([at, sort]) => sort === 'thing' && isNamed(at)));
}

/** Something behind it is another order. */
const isMore = (agentId: string, later: readonly Reading[]): boolean =>
  later.some(
    ({ clause, evidence }) =>
      clause.mood === 'command' ||
      (clause.mood !== 'statement' &&
        evidence.byAgent.some((one) => one.agentId !== agentId && one.things + one.verb + one.values >= 1)),
  );

function sayingOf(all: readonly string[]): string | undefined {
  // "don't forget that …"
  const isReminding = all.slice(0, 3).join(' ') === 'do not forget' && all[3] !== 'to';
  const words = isReminding ? ['remember', ...all.slice(3)] : all;
  for (let length = 4; length >= 1; length -= 1) {
    const [first = '', ...rest] = words.slice(0, length);
    const found = baseForms(first)
      .flatMap((form) => meaningsOf([form, ...rest].join(' ')))
      .map(({ sort, name }) => `${sort}:${name}`)
      .find((name) => sayings.includes(name));
    if (found) return found;
  }
  const isSpread = (first: string, last: string) => words[0] === first && words.slice(1, 6).includes(last);
  return isSpread('let', 'know') || isSpread('give', 'shout') ? 'action:telling' : undefined;
}
