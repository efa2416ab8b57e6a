import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';

const holding = new Set(['i', 'we', 'you', 'is', 'are']);

/** An order or a question; also a statement that says what shall be so, where names of all kinds are taken: "the wolf eats the sheep". */
export function isMoving({ clause: { mood, tokens, isDenied }, evidence }: Reading, { agents }: Profiles): boolean {
  if (mood !== 'statement') return true;
  if (isDenied || tokens.some(({ text }) => holding.has(text))) return false;
  const open = agents.filter(({ isOpen, acts }) => isOpen && acts).map(({ agentId }) => agentId);
  return evidence.byAgent.some(({ agentId, verb, explained }) => {
    const isNow = [...explained].some(
      ([at, sort]) => sort === 'verb' && !/ed$|^(?:ate|sold|fed|bought)$/.test(tokens[at]?.text ?? ''),
    );
    return open.includes(agentId) && verb >= 1 && isNow;
  });
}
