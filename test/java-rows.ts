/** As the shipped Java agent keeps a conversation (seed-contracts.md A11, sample 5). */
export const javaRows = [
  {
    source: 'ana',
    text: '(prompt text)\n\nRespond to the following user message:\n\nHow many users are logged in?\n',
    messageType: 'USER_MESSAGE',
    timestamp: '2026-03-04T05:06:07.4Z',
  },
  {
    source: 'local-system-agent',
    messageType: 'AGENT_MESSAGE',
    timestamp: '2026-03-04T05:06:12.0Z',
    executionRequests: [{ id: 't-1', toolName: 'UserCountTool', toolArguments: '{}' }],
  },
  {
    source: 'UserCountTool',
    text: '2',
    messageType: 'TOOL_EXECUTION',
    timestamp: '2026-03-04T05:06:12.1Z',
    executionRequests: [{ id: 't-1', toolName: 'UserCountTool' }],
  },
  {
    source: 'local-system-agent',
    text: 'Two users are logged in.',
    messageType: 'AGENT_MESSAGE',
    timestamp: '2026-03-04T05:06:19.4Z',
  },
];
