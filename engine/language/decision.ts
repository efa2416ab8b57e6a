/** What a person decides about a plan or commands that wait for them, from plain words: in case of doubt it is a wish to change. */
import type { PersonAnswer } from '../moot.ts';
import { yesOrNo } from './yes-no.ts';

export interface Decision extends Pick<PersonAnswer, 'decision' | 'plan'> {
  /** `refine`: what should be different; empty: not said yet. `restart`: what is wanted instead. */
  readonly text?: string;
  /** `approve`: the commands are shown before they are done. */
  readonly asksAgain?: true;
}

const approvals = new Set([
  'proceed',
  'go on',
  'continue',
  'approve',
  'approved',
  'i approve',
  'do all of it',
  'yes to all',
]);
const denials = new Set(['deny', 'denied', 'forget it', 'do nothing', 'drop it', 'no do nothing', 'no forget it']);

/** Nothing else may stand behind it: "but show me the camera" is another wish. */
const askAgain =
  /\b(?:with approval|ask me|ask again|ask first|ask before|show me|let me see)(?:\s(?:again|first|before|then|and|please|anything|everything|something|it|that|them|all|is|are|be|will|would|what|you|done|do|the|commands|once|more))*$/;
/** "start over", "no - start over", "start over: mow the lawn". */
const startOver =
  /^(?:no\s*[,.:;–-]*\s*)?(?:please\s+)?(?:start|begin)\s+(?:over|again|afresh|anew)(?:\s+please)?\s*(?:$|[!.]+\s*$|[,:;.–-]+\s*(?:and\s+)?(.+)$)/is;
/** "change plan", "no - change the plan", "change it: only the kitchen". */
const change =
  /^(?:no\s*[,.:;–-]*\s*)?(?:please\s+)?change\s+(?:the\s+)?(?:plan|it|that|something)(?:\s+please)?\s*(?:$|[!.]+\s*$|[,:;.–-]+\s*(.+)$)/is;
/** "no, the bedroom". Without a mark behind it, "no light" is a wish like any other. */
const noBut = /^no(?:pe)?\s*(?:[,.:;–-]+\s*(?:but\s+)?|\s+but\s+)(.+)$/is;

/** Nothing: it is no plain decision. */
export function decisionOf(text: string): Decision | undefined {
  const said = text.trim();
  const plain = plainWords(said);
  const over = startOver.exec(said);
  if (over) return { decision: 'restart', text: over[1]?.trim() ?? '' };
  const changed = change.exec(said);
  if (changed) return { decision: 'refine', text: changed[1]?.trim() ?? '' };
  if (yesOrNo(said) === 'yes' || approvals.has(plain)) return { decision: 'approve' };
  if (yesOrNo(said) === 'no' || denials.has(plain)) return { decision: 'deny' };
  if (asksToBeAsked(plain)) return { decision: 'approve', asksAgain: true };
  const details = noBut.exec(said)?.[1]?.trim();
  return details ? { decision: 'refine', text: details } : undefined;
}

/** "yes, but ask me again before anything is done": a yes, then only the wish to be asked. */
function asksToBeAsked(plain: string): boolean {
  const at = plain.search(askAgain);
  if (at <= 0) return false;
  const before = plain.slice(0, at).replace(/(?:\s(?:but|and|please|then))*\s*$/, '');
  return yesOrNo(before) === 'yes' || approvals.has(before);
}

const plainWords = (text: string): string =>
  text
    .slice(0, 100)
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^a-z']+/g, ' ')
    .trim();

/**
 * The answer of a wire as a decision: an approval's words may wish to be asked again.
 * @returns With the words that it carries, cut by nobody.
 */
export function decisionOfAnswer({ decision, text = '', plan }: PersonAnswer): Decision {
  const words = text.trim();
  return {
    decision,
    ...(plan ? { plan } : {}),
    ...(decision === 'refine' || decision === 'restart' ? { text: words } : {}),
    ...(decision === 'approve' && askAgain.test(plainWords(words)) ? { asksAgain: true as const } : {}),
  };
}
