/** What follows from a plain yes or no to what an agent asked back. No model is asked: none may say yes for a person. */
import { yesOrNo } from '../language/yes-no.ts';
import type { NeedsYes } from '../model/model.ts';
import type { Plan } from '../moot.ts';
import type { RunRequest } from './run-request.ts';
import { texts } from './text.ts';

/** Nothing: it is neither a yes nor a no, and planned as any request. */
export function planOfYes(request: RunRequest, { agent, prompt, user, conversation }: NeedsYes): Plan | undefined {
  const said = yesOrNo(request.text);
  if (!said) return undefined;
  if (said === 'no') return { message: texts.saidNo, steps: [] };
  if (request.conversation !== conversation || request.user !== user) return { message: texts.yesElsewhere, steps: [] };
  const step = { id: 's1', agent, prompt, parameters: {}, after: [], state: 'waiting', confirmed: true } as const;
  return { message: '', steps: [step] };
}
