/** What may be done with a conversation's board: each operation reads it, changes it and saves it as one. */
import { folkmootError } from '../errors.ts';
import { applicationText, readApplicationData } from '../graphql/application-data.ts';
import { schemasOf } from '../graphql/schema.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../limits.ts';
import type { Moot, Mutation } from '../moot.ts';
import type { Store } from '../store/store.ts';
import type { SharedChange } from './board-changes.ts';
import { createBoard, dataOf, type Board } from './board.ts';
import { exportBoard, importBoard } from './import-export.ts';
import { loadBoard, saveBoard, updateBoard } from './stored-board.ts';
import { unfitWords } from './unfit.ts';

export type Operation = 'write' | 'read' | 'data' | 'clear' | 'export' | 'import';

export interface OperationInput {
  readonly operation: Operation;
  /** Whose board. */
  readonly conversation: string;
  readonly moot: Moot;
  readonly payload: unknown;
  /** Filter of `read`: function names or `category:NAME`; empty: all. */
  readonly accepts: readonly string[];
  readonly language: Language;
}

export interface OperationResult {
  /**
   * Of `export`: the file as text, of `data`: a text as it was set. After a `write` of no commands the words that came, so
   * that one line serves commands, answers and questions. Else the list.
   */
  readonly payload: string | readonly Mutation[];
  /** After `write`: what the message's run has on the board (without a run: all). Else what was asked for, oldest first. */
  readonly mutations: readonly Mutation[];
  /** Of `read`, `data` and `import`: the board's application data. */
  readonly data?: string | undefined;
  readonly changes: readonly SharedChange[];
  /** Of `data` and `import`: what of it does not fit the language. */
  readonly note?: string | undefined;
}

/** Throws FOLKMOOT_BAD_INPUT for a payload that can't be read; nothing is changed then. */
export async function operate(store: Store, input: OperationInput): Promise<OperationResult> {
  const { conversation } = input;
  if (input.operation === 'import') return importOver(store, input);
  const act = actions[input.operation](input);
  return updateBoard(store, conversation, (board) => {
    const changes: SharedChange[] = [];
    const end = board.watch((change) => changes.push({ ...change, conversation }));
    const { mutations, payload = mutations, data } = act(board);
    end();
    const note = input.operation === 'data' ? unfitWords(mutations, input.language) : undefined;
    return { payload, mutations, data, changes, note };
  });
}

type Act = (board: Board) => {
  readonly mutations: Mutation[];
  readonly payload?: string;
  readonly data?: string | undefined;
};

const actions: Readonly<Record<Exclude<Operation, 'import'>, (input: OperationInput) => Act>> = {
  write: (input) => {
    const { run } = input.moot;
    const mutations = input.moot.mutations ?? dataOf(callsOf(input.payload), input.language);
    return (board) => {
      // What an earlier run left is previous from now on.
      if (run !== undefined && !board.newly().some((one) => one.run === run)) board.beginRequest();
      board.write(mutations);
      const words = mutations.length === 0 && typeof input.payload === 'string' ? { payload: input.payload } : {};
      return { mutations: board.view().filter((one) => run === undefined || one.run === run), ...words };
    };
  },
  read: ({ accepts, language }) => {
    const names = acceptedNames(accepts, language);
    return (board) => ({ mutations: board.view({ accepts: names }), data: board.data });
  },
  data: ({ payload, language }) => {
    // What a function team knows are calls; a snapshot of GraphQL is never a list.
    if (Array.isArray(payload)) {
      const calls = callsOf(payload);
      return (board) => ({ mutations: board.setData(calls, language), data: board.data });
    }
    const text = checkedData(payload, language);
    return (board) => {
      board.setText(text);
      return { mutations: [], payload: text, data: text };
    };
  },
  clear: () => (board) => {
    board.clear();
    return { mutations: [] };
  },
  export: () => (board) => ({ mutations: board.view(), payload: JSON.stringify(exportBoard(board)) }),
};

/** Names of a list of functions and categories; nothing for an empty list: all are accepted. */
export function acceptedNames(accepts: readonly string[], language: Language): readonly string[] | undefined {
  if (accepts.length === 0) return undefined;
  // Data of other programs may have names that the language doesn't know.
  const plain = accepts.filter((entry) => !entry.startsWith('category:'));
  return [...new Set([...language.resolve(accepts), ...plain])];
}

async function importOver(store: Store, { conversation, payload, language }: OperationInput): Promise<OperationResult> {
  const file = payload instanceof Uint8Array ? new TextDecoder().decode(payload) : payload;
  const state = importBoard(file, language);
  const { board } = await loadBoard(store, conversation);
  const revision = board.revision + 1;
  const imported = createBoard({ ...state, revision });
  // The file takes the place of whatever is there.
  await saveBoard(store, conversation, imported);
  const mutations = imported.view();
  const changes = [{ kind: 'data', revision, conversation }] as const;
  const note = unfitWords(mutations, language);
  return { payload: mutations, mutations, data: imported.data, changes, note };
}

/** Throws FOLKMOOT_BAD_INPUT with the path of what the language's schemas do not allow. */
function checkedData(payload: unknown, { graphql }: Language): string {
  const text = applicationText(payload);
  readApplicationData(text, schemasOf(graphql));
  return text;
}

/** Data of other programs: one call or a list of calls `{ function, parameters }`. */
function callsOf(payload: unknown): { function: string; parameters: Record<string, unknown> }[] {
  const list: readonly unknown[] = Array.isArray(payload) ? payload : [payload];
  if (list.length > limits.boardMutations)
    throw folkmootError(
      'FOLKMOOT_LIMIT',
      `${list.length} commands came at once; ${limits.boardMutations} are the most.`,
    );
  return list.map((item) => {
    const call = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
    const parameters = call['parameters'] ?? {};
    const isCall = typeof call['function'] === 'string' && call['function'] !== '';
    if (!isCall || typeof parameters !== 'object' || Array.isArray(parameters))
      throw folkmootError(
        'FOLKMOOT_BAD_INPUT',
        'What is written to the board must be commands in msg.moot.mutations, or in msg.payload data in the form { function, parameters }.',
      );
    return { function: call['function'] as string, parameters: parameters as Record<string, unknown> };
  });
}
