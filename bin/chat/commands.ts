/** What one may say to the chat itself: the words of gpt-multi-atomic-agents' programs (row 80). */

export type ChatCommand =
  'help' | 'quit' | 'toggle-debug' | 'clear' | 'dump' | 'list' | 'list-agents' | 'load' | 'reload-agents' | 'save';

interface Entry {
  readonly name: ChatCommand;
  readonly others: readonly string[];
  readonly does: string;
  /** Hidden until debugging is switched on. */
  readonly isForDebugging?: true;
  /** Nobody says these words to a house. */
  readonly isNoRequest?: true;
}

const entries: readonly Entry[] = [
  { name: 'help', others: [], does: 'this list' },
  { name: 'quit', others: ['bye', 'exit', 'stop'], does: 'ends the chat' },
  { name: 'toggle-debug', others: ['td'], does: 'shows or hides the commands for debugging' },
  { name: 'clear', others: ['reset'], does: 'empties the board of this conversation', isForDebugging: true },
  { name: 'dump', others: ['show'], does: 'what is on the board', isForDebugging: true },
  { name: 'list', others: [], does: 'board files in the folder', isForDebugging: true },
  {
    name: 'list-agents',
    others: ['lag'],
    does: 'who is in the team of the house',
    isForDebugging: true,
    isNoRequest: true,
  },
  { name: 'load', others: [], does: 'puts a board file in place of the board', isForDebugging: true },
  {
    name: 'reload-agents',
    others: ['rag'],
    does: 'reads the folders of agents again',
    isForDebugging: true,
    isNoRequest: true,
  },
  { name: 'save', others: [], does: 'writes the board to a file', isForDebugging: true },
];

/** A line that is nothing but a command, in any case; nothing for what is said to the house. */
export function commandOf(line: string, isDebugging: boolean): ChatCommand | undefined {
  const word = line.trim().toLowerCase();
  return shown(isDebugging).find(({ name, others }) => name === word || others.includes(word))?.name;
}

/** What to tell when a line is a command that is hidden yet, and could be meant for nobody else. */
export function hiddenCommand(line: string): string | undefined {
  const word = line.trim().toLowerCase();
  const isOne = entries.some(
    ({ name, others, isNoRequest }) => isNoRequest && (name === word || others.includes(word)),
  );
  return isOne ? `“${word}” is one of the commands for debugging: “td” switches them on.` : undefined;
}

export const commandHelp = (isDebugging: boolean): string =>
  [
    'Say what you want in plain words. Lines for the chat itself:',
    ...shown(isDebugging).map(({ name, others, does }) => `  ${[name, ...others].join(', ').padEnd(22)} ${does}`),
  ].join('\n');

const shown = (isDebugging: boolean) => entries.filter(({ isForDebugging }) => isDebugging || !isForDebugging);
