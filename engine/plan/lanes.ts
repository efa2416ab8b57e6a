/** Whose turn a request has to wait for where others are worked on side by side. */
import { keyPart } from '../store/keys.ts';
import type { RunRequest } from './run-request.ts';

type From = Pick<RunRequest, 'conversation' | 'user' | 'topic' | 'request'>;

/**
 * The lanes of a request: its conversation, because an answer follows its question; and who it is from, because people may
 * begin a conversation with every line (A.M.I.C.A.'s command line does) and a sensor has none. A person is a name on a
 * topic, as for open questions; people without a name are not told apart by their topic, sensors and flows are.
 */
export function lanesOf({ conversation, user, topic, request }: From): readonly string[] {
  const isFlow = request === undefined && topic !== undefined;
  return [
    ...(conversation === undefined ? [] : [`conversation:${conversation}`]),
    ...(user !== undefined || isFlow ? [`from:${keyPart(user ?? '')}:${keyPart(topic ?? '')}`] : []),
  ];
}
