/**
 * A folder of agents, one in each file whose name ends in `.agent.json`: read, and read again when something in it changes
 * (rows 67 to 69).
 */
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AgentDefinition } from '../agent/definition.ts';
import type { Clock, Timer } from '../clock.ts';
import { asError } from '../errors.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../limits.ts';
import { agentOfDocument } from './agent-of-document.ts';
import { bad } from './bad-agent.ts';
import { reasonOf } from './bad-agent.ts';
import { readAgent } from './read-agent.ts';

export interface FolderAgent {
  readonly file: string;
  readonly definition: AgentDefinition;
}

export interface FolderState {
  /** By file name; of two with one id the first. */
  readonly agents: readonly FolderAgent[];
  /** Files that can't be used, and what of the others can't be: with the file's name, in words. */
  readonly problems: readonly string[];
}

export interface AgentsFolder {
  readonly state: FolderState;
  /** What is found by the load that is under way, else what was by the last one. */
  readonly ready: Promise<FolderState>;
  /** Reads all again; also done by itself. Never rejects. */
  reload(): Promise<FolderState>;
  close(): void;
}

export interface AgentsFolderOptions {
  readonly path: string;
  /** Read anew at each load. May throw: then it is a problem, and the agents stay as they were. */
  readonly language: () => Language;
  readonly clock: Clock;
  /** After each load that changed something. */
  readonly onChange: (state: FolderState) => void;
}

const ending = '.agent.json';

/** Loads at once; a folder that is not there yet is looked for every `limits.folderRetryMs`. */
export function watchAgentsFolder(options: AgentsFolderOptions): AgentsFolder {
  const { clock } = options;
  let state: FolderState = { agents: [], problems: [] };
  let watcher: FSWatcher | undefined;
  let timer: Timer | undefined;
  let isClosed = false;
  let loading = Promise.resolve(state);

  const later = (ms: number) => {
    clock.clearTimer(timer);
    if (!isClosed) timer = clock.setTimer(() => void reload(), ms);
  };
  function listen(): void {
    if (watcher || isClosed) return;
    try {
      watcher = watch(options.path, () => later(limits.folderQuietMs));
      watcher.on('error', lost);
    } catch {
      later(limits.folderRetryMs);
    }
  }
  const lost = () => {
    watcher?.close();
    watcher = undefined;
    later(limits.folderRetryMs);
  };
  async function load(): Promise<FolderState> {
    listen();
    const found = await loadAgents(options);
    if (isClosed) return state;
    const isNews = JSON.stringify(found) !== JSON.stringify(state);
    state = found;
    if (isNews) options.onChange(state);
    return state;
  }
  /** One load at a time; what changes meanwhile is read by the next. */
  function reload(): Promise<FolderState> {
    loading = loading.then(load);
    return loading;
  }
  void reload();
  return {
    get ready() {
      return loading;
    },
    get state() {
      return state;
    },
    reload,
    close() {
      isClosed = true;
      clock.clearTimer(timer);
      watcher?.close();
    },
  };
}

async function loadAgents(options: AgentsFolderOptions): Promise<FolderState> {
  const problems: string[] = [];
  const agents = new Map<string, FolderAgent>();
  try {
    const language = options.language();
    for (const file of await filesIn(options.path, problems)) {
      try {
        const { definition, notes } = await agentIn(path.join(options.path, file), language);
        problems.push(...notes.map((note) => `${file}: ${note}`));
        const known = agents.get(definition.agentId);
        if (known) problems.push(`${file}: "${definition.agentId}" is the agent of ${known.file} already.`);
        else agents.set(definition.agentId, { file, definition });
      } catch (thrown) {
        problems.push(`${file}: ${reasonOf(thrown)}`);
      }
    }
  } catch (thrown) {
    problems.push(`The folder of agents can’t be read: ${asError(thrown).message}`);
  }
  return { agents: [...agents.values()], problems };
}

async function filesIn(folder: string, problems: string[]): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(ending)).sort();
  if (files.length > limits.folderAgents)
    problems.push(`There are ${files.length} files of agents; the first ${limits.folderAgents} are used.`);
  return files.slice(0, limits.folderAgents);
}

async function agentIn(file: string, language: Language) {
  const { size } = await stat(file);
  if (size > 4 * limits.agentDocumentChars) throw bad(`it is longer than ${limits.agentDocumentChars} characters`);
  const { agent, notes } = readAgent(await readFile(file, 'utf8'));
  const made = agentOfDocument(agent, language);
  return { definition: made.definition, notes: [...notes, ...made.notes] };
}
