/** What `folkmoot doctor` looks at, one function each: what works, or what is wrong and what to do about it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { checkBus } from '../../engine/bus/check-bus.ts';
import { systemClock } from '../../engine/clock.ts';
import { asError } from '../../engine/errors.ts';
import { createModel, isLocal, parseModelName } from '../../engine/model/catalogue.ts';
import { tryModel } from '../../engine/model/doctor/doctor.ts';
import type { ModelSettings } from '../../engine/model/model.ts';
import { brokerHint } from '../commands/connection.ts';
import { openBus, type Server } from '../commands/server.ts';
import { withoutLogin } from '../ready.ts';
import { faultOfValkey } from '../valkey-probe.ts';

export interface Finding {
  readonly what: string;
  readonly isOk: boolean;
  /** It works, and this user may not do all that a home does. */
  readonly isLimited?: true;
  readonly text: string;
  /** A sentence. */
  readonly todo?: string;
}

const least = '22.13.0';

const isOlder = (version: string, than: string): boolean => {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (const [index, number] of b.entries()) if ((a[index] ?? 0) !== number) return (a[index] ?? 0) < number;
  return false;
};

export function checkNode(version = process.versions.node): Finding {
  const what = 'Node.js';
  if (!isOlder(version, least)) return { what, isOk: true, text: version };
  return { what, isOk: false, text: `${version} is too old`, todo: `Install Node.js ${least} or later.` };
}

/** @param folder Of this package. */
export async function checkVersions(folder: string): Promise<Finding> {
  const own = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  const require = createRequire(path.join(folder, 'package.json'));
  const versions = await Promise.all(
    ['mqtt', 'ioredis', '@langchain/langgraph'].map(async (name) => `${name} ${await versionOf(name, require)}`),
  );
  const isMissing = versions.some((text) => text.endsWith('missing'));
  return {
    what: 'Folkmoot',
    isOk: !isMissing,
    text: [own.version, ...versions].join(', '),
    ...(isMissing ? { todo: 'Run "npm install" in the folder of the package.' } : {}),
  };
}

/** From the folder up, as Node.js finds it; packages may hide their package.json. */
async function versionOf(name: string, require: NodeJS.Require): Promise<string> {
  for (const folder of require.resolve.paths(name) ?? []) {
    const text = await readFile(path.join(folder, name, 'package.json'), 'utf8').catch(() => undefined);
    if (text) return (JSON.parse(text) as { version: string }).version;
  }
  return 'missing';
}

const enoughForSome =
  'That may be enough for who only asks or is asked, but not for a home: "folkmoot acl" writes an access list with a user for each.';

/** @param isHomes The home that runs here has this user: what it may not do is a fault. */
export async function checkBroker(server: Server, timeoutMs: number, isHomes: boolean): Promise<Finding> {
  const what = 'Broker';
  const shown = withoutLogin(server.url);
  const bus = await openBus(server, timeoutMs);
  try {
    const { isOk, text, lacksRight } = await checkBus(bus, { clock: systemClock, timeoutMs });
    if (lacksRight && !isHomes) {
      const limits = 'connected; this user may not send messages to itself below folkmoot/v1, as a home does';
      return { what, isOk: true, isLimited: true, text: `${shown}: ${limits}`, todo: enoughForSome };
    }
    return { what, isOk, text: `${shown}: ${text}`, ...(isOk ? {} : { todo: brokerHint(text) }) };
  } finally {
    await bus.close();
  }
}

export async function checkValkey(url: string, shown: string): Promise<Finding> {
  const what = 'Valkey';
  if (url === '') return { what, isOk: true, text: 'not used: everything is kept in a file on this computer' };
  const fault = await faultOfValkey(url);
  const todo = 'Start the server, or correct FOLKMOOT_VALKEY_URL; without it the home keeps everything in a file.';
  return fault
    ? { what, isOk: false, text: `${shown}: ${fault}`, todo }
    : { what, isOk: true, text: `${shown}: it answers and lets us in` };
}

const keys: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  mistral: 'MISTRAL_API_KEY',
};

/** @param choice As in FOLKMOOT_MODEL. */
export async function checkModel(choice: string, env: NodeJS.ProcessEnv, timeoutMs: number): Promise<Finding> {
  const what = 'Model';
  if (choice === '' || choice === 'rules') {
    return { what, isOk: true, text: 'words and rules; no AI model is needed' };
  }
  const todo = 'Start the model server, or correct FOLKMOOT_MODEL; FOLKMOOT_MODEL=rules needs none.';
  const settings = settingsIn(choice, env);
  if (!settings) return { what, isOk: false, text: `"${choice}" is not in the form ${forms}`, todo };
  const { provider, modelName = '', apiKey = '', baseUrl = '' } = settings;
  const variable = keys[provider];
  if (variable) {
    return apiKey
      ? { what, isOk: true, text: `${choice}, with a key; --try-model shows whether it is right` }
      : { what, isOk: false, text: `${choice} has no key`, todo: `Set ${variable}, or the key in the model node.` };
  }
  // Canned answers.
  if (provider === 'scripted') return { what, isOk: true, text: choice };
  // Ollama speaks that form, too.
  const address = provider === 'ollama' ? 'http://127.0.0.1:11434/v1' : baseUrl;
  const fault = await modelFault(address, modelName, apiKey, timeoutMs);
  return fault
    ? { what, isOk: false, text: `${address}: ${fault}`, todo }
    : { what, isOk: true, text: `${address}: it is there` };
}

const forms = 'openai-compatible:http://HOST:PORT/v1#NAME, ollama:NAME, openai:NAME, anthropic:NAME or mistral:NAME';

function settingsIn(choice: string, env: NodeJS.ProcessEnv): ModelSettings | undefined {
  try {
    return parseModelName(choice, env);
  } catch {
    return undefined;
  }
}

/** Longest for all questions to a model, and for each. */
const tryMs = 300_000;
const questionMs = 60_000;

/** Asks it a few questions, as its dialog does. @param choice One that was found to be right. */
export async function tryChosenModel(choice: string, env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const settings = settingsIn(choice, env);
  if (!settings || isLocal(settings)) return [];
  const found = await tryModel(createModel(settings), {
    signal: AbortSignal.timeout(tryMs),
    timeoutMs: questionMs,
  });
  return found.map(({ isOk, text }) => ({ what: 'Model', isOk, text }));
}

async function modelFault(
  address: string,
  name: string,
  apiKey: string,
  timeoutMs: number,
): Promise<string | undefined> {
  try {
    const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
    const answer = await fetch(`${address.replace(/\/$/, '')}/models`, {
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status === 401 || answer.status === 403) return 'it wants another key';
    // Some servers have no list.
    if (!answer.ok) return answer.status === 404 ? undefined : `it answers with ${answer.status}`;
    const { data = [] } = (await answer.json().catch(() => ({}))) as { data?: readonly { id?: string }[] };
    const isThere = !name || data.length === 0 || data.some(({ id }) => id === name || id === `${name}:latest`);
    return isThere
      ? undefined
      : `it has no model "${name}", only ${data
          .map(({ id }) => id)
          .join(', ')
          .slice(0, 200)}`;
  } catch (error) {
    return fetchFault(error);
  }
}

/** @param editor Address of the running home's editor; absent: none runs. */
export async function checkNodeRed(editor: string | undefined, timeoutMs: number): Promise<Finding> {
  const what = 'Home';
  if (!editor) {
    return {
      what,
      isOk: false,
      text: 'no home runs here',
      todo: 'Start it with "npm start", or set FOLKMOOT_HOME to its folder.',
    };
  }
  try {
    const answer = await fetch(editor, { signal: AbortSignal.timeout(timeoutMs) });
    await answer.body?.cancel();
    if (answer.status < 500) return { what, isOk: true, text: `its editor answers at ${editor}` };
    return {
      what,
      isOk: false,
      text: `its editor answers with ${answer.status}`,
      todo: 'Look into its log, and start it again.',
    };
  } catch (error) {
    const text = `${editor}: ${fetchFault(error)}`;
    return { what, isOk: false, text, todo: 'It seems to hang: end it and start it again.' };
  }
}

function fetchFault(error: unknown): string {
  const { name, message, cause } = asError(error);
  if (name === 'TimeoutError') return 'nobody answers there in time';
  const code = (cause as { code?: unknown } | undefined)?.code;
  return code === 'ECONNREFUSED' ? 'nobody listens there' : typeof code === 'string' ? `${message} (${code})` : message;
}
