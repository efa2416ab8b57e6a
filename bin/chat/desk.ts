/** Takes each line: a command for the chat itself, the name of a file that it asked for, or words for the house. */
import { asError } from '../../engine/errors.ts';
import { decisionOf } from '../../engine/language/decision.ts';
import type { BoardContents, TeamList } from '../../engine/registry/home-service.ts';
import { texts } from '../../engine/plan/text.ts';
import type { BoardFolder } from './board-folder.ts';
import { commandHelp, commandOf, hiddenCommand, type ChatCommand } from './commands.ts';
import type { AskedHome } from './home.ts';
import type { Screen } from './screen.ts';
import type { Answering, Session } from './session.ts';
import { plain } from './text.ts';

export type Taken =
  | { readonly kind: 'end' }
  | { readonly kind: 'asked'; readonly answering: Answering }
  /** `done` never rejects; false: it did not work, which is said. */
  | { readonly kind: 'command'; readonly done: Promise<boolean> };

export interface DeskOptions {
  readonly session: Pick<Session, 'ask' | 'conversation' | 'isAskedBack'>;
  readonly screen: Pick<Screen, 'tell' | 'note'>;
  readonly home: AskedHome;
  readonly folder: BoardFolder;
  /** Each line is a conversation of its own. */
  readonly isNewEachTime: boolean;
}

export interface Desk {
  /** Nothing for a blank line. */
  take(line: string): Taken | undefined;
}

/** As gpt-multi-atomic-agents has it: what is shorter is no request. */
const shortest = 3;
const boardCommands: readonly ChatCommand[] = ['clear', 'dump', 'load', 'save'];

export function createDesk(options: DeskOptions): Desk {
  const { session, screen } = options;
  let isDebugging = false;
  /** What the next line is the name of. */
  let wanted: 'load' | 'save' | undefined;
  /** One after the other, as they were said. */
  let before: Promise<unknown> = Promise.resolve();

  const carryOut = (run: () => Promise<string> | string): Taken => {
    const done = before.then(run).then(
      (text) => {
        screen.tell(text);
        return true;
      },
      (error: unknown) => {
        screen.note(plain(asError(error).message));
        return false;
      },
    );
    before = done;
    return { kind: 'command', done };
  };
  const command = (name: ChatCommand): Taken => {
    if (options.isNewEachTime && boardCommands.includes(name))
      return carryOut(() =>
        Promise.reject(new Error('With --new each line has a board of its own, so there is none.')),
      );
    if (name === 'quit') return { kind: 'end' };
    if (name === 'toggle-debug') isDebugging = !isDebugging;
    if (name === 'load' || name === 'save') {
      wanted = name;
      return carryOut(() => `Which file in ${options.folder.path}? A blank line: none.`);
    }
    const debugging = isDebugging;
    return carryOut(() => does[name](options, debugging));
  };

  return {
    take(line) {
      const said = line.trim();
      if (wanted) {
        const run = named[wanted];
        wanted = undefined;
        return carryOut(() => (said === '' ? 'All right.' : run(options, said)));
      }
      if (said === '') return undefined;
      const name = commandOf(said, isDebugging);
      if (name) return command(name);
      const hidden = hiddenCommand(said);
      if (hidden) return carryOut(() => Promise.reject(new Error(hidden)));
      if (isTooShort(said) && !session.isAskedBack) return command('help');
      return { kind: 'asked', answering: session.ask(said) };
    },
  };
}

/** "no" and "ok" may answer what was asked elsewhere; "21" answers only what was asked here. */
const isTooShort = (said: string): boolean => [...said].length < shortest && decisionOf(said) === undefined;

type Does = (options: DeskOptions, isDebugging: boolean) => Promise<string> | string;

const does: Readonly<Record<Exclude<ChatCommand, 'quit' | 'load' | 'save'>, Does>> = {
  help: (_, isDebugging) => commandHelp(isDebugging),
  'toggle-debug': (_, isDebugging) =>
    isDebugging ? 'Commands for debugging are on; help lists them.' : 'Commands for debugging are off.',
  async clear({ home, session: { conversation } }) {
    await home.ask({ kind: 'board', operation: 'clear', conversation });
    return 'The board is empty now.';
  },
  async dump({ home, session: { conversation } }) {
    return dumped((await home.ask({ kind: 'board', operation: 'read', conversation })) as BoardContents);
  },
  async list({ folder }) {
    const files = await folder.list();
    return files.length > 0 ? plain(files.join('\n')) : `There are no board files in ${folder.path}.`;
  },
  'list-agents': async ({ home }) => teamText((await home.ask({ kind: 'agents', operation: 'list' })) as TeamList),
  'reload-agents': async ({ home }) => teamText((await home.ask({ kind: 'agents', operation: 'reload' })) as TeamList),
};

const named: Readonly<Record<'load' | 'save', (options: DeskOptions, name: string) => Promise<string>>> = {
  async load({ home, folder, session: { conversation } }, name) {
    const { file, text } = await folder.load(name);
    const question = { kind: 'board', operation: 'import', conversation, file: text } as const;
    const { commands } = (await home.ask(question)) as { readonly commands: number };
    return `${file} is on the board: ${commands} command${commands === 1 ? '' : 's'}.`;
  },
  async save({ home, folder, session: { conversation } }, name) {
    const text = await home.ask({ kind: 'board', operation: 'export', conversation });
    return `Saved as ${await folder.save(name, String(text))}.`;
  },
};

function dumped({ mutations, data }: BoardContents): string {
  if (mutations.length === 0 && !data) return 'The board is empty.';
  const lines = mutations.map(
    ({ function: name, parameters, agent }) => `${agent ? `${agent}: ` : ''}${name} ${JSON.stringify(parameters)}`,
  );
  return plain([...lines, ...(data ? [`Data: ${data}`] : [])].join('\n'));
}

function teamText({ agents, problems }: TeamList): string {
  const lines = agents.map(({ name, description, source }) => `${name} (${source}): ${description}`);
  return plain([...(lines.length > 0 ? lines : ['Nobody is in the team.']), ...problems].join('\n'));
}

/** What may be said to a plan or commands that wait; blank for any other answer. */
export function choicesUnder(answer: string): string {
  if (!answer.trimEnd().endsWith(texts.shallI)) return '';
  return /^This is what I would do:/m.test(answer)
    ? '(yes · yes, with approval · no, and what should be different · start over)'
    : '(yes · no · change the plan, and what should be different · start over)';
}
