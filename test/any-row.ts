/** Rows of a conversation as a program with faults might give them: texts that are empty, lists without entries. */
import fc from 'fast-check';
import type { NewMessage } from '../engine/conversation/conversation.ts';

export function anyRow(maxLength: number): fc.Arbitrary<NewMessage> {
  const text = fc.string({ unit: 'binary', maxLength });
  const request = fc.record({ id: text, toolName: text, toolArguments: text }, { requiredKeys: [] });
  const row = fc.record(
    {
      messageType: fc.constantFrom('USER_MESSAGE', 'AGENT_MESSAGE', 'TOOL_EXECUTION'),
      source: text,
      text,
      agentThinking: text,
      executionRequests: fc.array(request, { maxLength: 2 }),
    },
    { requiredKeys: ['messageType', 'source'] },
  );
  return row as fc.Arbitrary<NewMessage>;
}
