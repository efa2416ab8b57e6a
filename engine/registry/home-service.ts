/**
 * What a home is asked that is no agent's matter, on `homes/<house>/ask`: the board of a conversation, and who is in its
 * team. Who may ask, and how it is counted, is as for other asks.
 */
import type { HomeAskBody } from '../bus/our-payloads.ts';
import { ourTopics } from '../bus/topics.ts';
import { publishChanges } from '../blackboard/board-changes.ts';
import { operate, type Operation } from '../blackboard/operations.ts';
import { asError, errorTable, isFolkmootError, type ErrorCode } from '../errors.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../limits.ts';
import type { AskAnswer, Mutation } from '../moot.ts';
import type { Store } from '../store/store.ts';
import { createAnswering, refusedAnswer, tooMany, type Answering, type AnsweringOptions } from './answering.ts';

/** One of a home's team. */
export interface TeamEntry {
  readonly agentId: string;
  readonly name: string;
  readonly description: string;
  /** `custom`: of a folder of agents. */
  readonly source: 'custom' | 'hard-coded';
}

export interface TeamList {
  readonly agents: readonly TeamEntry[];
  /** Files that can't be used, in words. */
  readonly problems: readonly string[];
}

/** What `read` gives. */
export interface BoardContents {
  readonly mutations: readonly Pick<Mutation, 'function' | 'parameters' | 'agent'>[];
  /** Application data of a team that works with GraphQL. */
  readonly data?: string;
}

export interface HomeServiceOptions extends AnsweringOptions {
  readonly house: string;
  readonly store: Store;
  /** Gives the values of an imported board their types; asked each time. */
  readonly language: () => Language;
  readonly list: () => TeamList;
  /** Reads the folders of agents again. Never rejects. */
  readonly reload: () => Promise<TeamList>;
}

export function createHomeService(options: HomeServiceOptions): Answering {
  let open = 0;
  return createAnswering(
    { ...options, topic: ourTopics.homeAsk(options.house), kind: 'homeAsk' },
    ({ body, answer }) => {
      if (open >= limits.directedAsksOpen) return void answer({ v: 1, ...refusedAnswer(tooMany, 'FOLKMOOT_LIMIT') });
      open += 1;
      void answerTo(options, body)
        .then((given) => answer({ v: 1, ...given }))
        .finally(() => (open -= 1));
    },
  );
}

async function answerTo(options: HomeServiceOptions, body: HomeAskBody): Promise<AskAnswer> {
  try {
    const payload = body.kind === 'agents' ? await teamOf(options, body) : await boardOf(options, body);
    return { status: 'answered', payload, mutations: [] };
  } catch (thrown) {
    // A file that can't be read is the asker's matter, and nobody else's.
    if (isFolkmootError(thrown) && askersFaults.includes(thrown.code))
      return failed(thrown, thrown.message.replace(errorTable[thrown.code], '').trim());
    options.report(thrown);
    return failed(thrown, 'Something went wrong here.');
  }
}

const askersFaults: readonly ErrorCode[] = ['FOLKMOOT_BAD_INPUT', 'FOLKMOOT_LIMIT'];

function failed(thrown: unknown, payload: string): AskAnswer {
  const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_RUN_FAILED';
  return { status: 'failed', payload, mutations: [], error: { code, message: asError(thrown).message } };
}

const teamOf = ({ list, reload }: HomeServiceOptions, { operation }: HomeAskBody): TeamList | Promise<TeamList> =>
  operation === 'reload' ? reload() : list();

/** Of `export` the file as text, of `read` a BoardContents, else how many commands are on it. */
async function boardOf(
  { bus, store, language, report }: HomeServiceOptions,
  { operation, conversation = '', file = '' }: HomeAskBody,
): Promise<string | BoardContents | { readonly commands: number }> {
  const { payload, mutations, data, changes } = await operate(store, {
    ...{ operation: operation as Operation, conversation, moot: { v: 1 }, payload: file, accepts: [] },
    language: language(),
  });
  publishChanges(bus, changes).catch(report);
  if (operation === 'export' && typeof payload === 'string') return payload;
  if (operation !== 'read') return { commands: mutations.length };
  return {
    mutations: mutations.map(({ function: name, parameters, agent }) => ({
      ...{ function: name, parameters },
      ...(agent ? { agent } : {}),
    })),
    ...(data === undefined ? {} : { data }),
  };
}
