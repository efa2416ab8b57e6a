/** How the call of a tool ends that was not answered. */
import type { AskEnd } from '../shared/ask-registry.ts';

/** What it told of is known no more. */
export const notNow = {
  ok: false,
  finding: 'The tool knows nothing at this moment.',
  forPeople: 'Nothing is known of that.',
} as const;
export const nothing = { payload: null, mutations: [] } as const;
export const cancelled: AskEnd = { status: 'cancelled', ...nothing };
export const unknown: AskEnd = {
  status: 'failed',
  ...nothing,
  error: {
    code: 'FOLKMOOT_TOOL_FAILED',
    message: 'The tool was restarted while it worked: nobody knows if it was done.',
  },
};
