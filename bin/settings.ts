/** What people may set for `npm start`: environment variables and one option (contracts.md 8). */
import path from 'node:path';
import { folkmootError } from '../engine/errors.ts';
import { houseNameFault } from '../engine/house-name.ts';
import { modelFields } from '../nodes/model/model.fields.ts';
import type { PortChoice } from './ports.ts';

export interface ModelChoice {
  readonly provider: string;
  readonly modelName: string;
  readonly baseUrl: string;
  /** How long it may be silent. */
  readonly timeoutSeconds: number;
}

export interface HomeSettings {
  /** Folder for everything that the home keeps, absolute. */
  readonly folder: string;
  /** Address that the editor listens on. */
  readonly host: string;
  /** Empty: no password. */
  readonly password: string;
  readonly editorPort: PortChoice;
  readonly brokerPort: PortChoice;
  /** Address of the people's own broker; empty: the embedded one. */
  readonly brokerUrl: string;
  /** Address of a Valkey server that keeps everything; empty: a file in the folder. */
  readonly storeUrl: string;
  /** Name of the house; empty: the computer's. */
  readonly house: string;
  readonly model: ModelChoice;
  /** Take the shipped flow and keep the present one as `.bak`. */
  readonly isFresh: boolean;
}

/** The user of the editor when there is a password. */
export const userName = 'admin';

const loopback = new Set(['127.0.0.1', 'localhost', '::1']);

const refused = (sentence: string) => folkmootError('FOLKMOOT_START_REFUSED', sentence);

/** A port of 0 takes any free one. */
function portOf(variable: string, standard: number, environment: NodeJS.ProcessEnv): PortChoice {
  const given = environment[variable]?.trim() ?? '';
  if (given === '') return { variable, port: standard, isSet: false };
  const port = Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw refused(`${variable} is "${given}", but a port is a whole number from 0 to 65535.`);
  }
  return { variable, port, isSet: true };
}

function modelTimeoutOf(given: string): number {
  const { minimum = 1, maximum = Infinity, default: standard } = modelFields.timeoutSeconds;
  const seconds = given === '' ? standard : Number(given);
  if (Number.isFinite(seconds) && seconds >= minimum && seconds <= maximum) return seconds;
  throw refused(`FOLKMOOT_MODEL_TIMEOUT is "${given}", but it is a number of seconds from ${minimum} to ${maximum}.`);
}

function modelOf(given: string): Omit<ModelChoice, 'timeoutSeconds'> {
  const [provider = '', ...rest] = given.split(':');
  const known = modelFields.provider.options.filter((option) => option !== 'scripted');
  if (!known.some((option) => option === provider)) {
    throw refused(`FOLKMOOT_MODEL is "${given}", but it has to begin with one of: ${known.join(', ')}.`);
  }
  const detail = rest.join(':');
  if (provider === 'rules') return { provider, modelName: '', baseUrl: '' };
  if (provider !== 'openai-compatible') {
    if (!detail) throw refused(`FOLKMOOT_MODEL is "${given}", but the model's name is missing: ${provider}:NAME.`);
    return { provider, modelName: detail, baseUrl: '' };
  }
  const [baseUrl = '', ...name] = detail.split('#');
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw refused(`FOLKMOOT_MODEL is "${given}", but it has the form openai-compatible:http://HOST:PORT/v1#NAME.`);
  }
  return { provider, modelName: name.join('#'), baseUrl };
}

function brokerUrlOf(given: string): string {
  if (given === '') return '';
  const isKnown = URL.canParse(given) && ['mqtt:', 'mqtts:', 'ws:', 'wss:'].includes(new URL(given).protocol);
  if (!isKnown) throw refused(`FOLKMOOT_MQTT_URL is not an address of the form mqtt://HOST:PORT.`);
  return given;
}

function storeUrlOf(given: string): string {
  const protocols = ['valkey:', 'redis:', 'valkeys:', 'rediss:'];
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (given === '' || (url?.hostname && protocols.includes(url.protocol))) return given;
  throw refused('FOLKMOOT_VALKEY_URL is not an address of the form valkey://HOST:PORT.');
}

function houseOf(given: string): string {
  const fault = houseNameFault(given);
  if (fault) throw refused(`FOLKMOOT_HOUSE is ${JSON.stringify(given.slice(0, 140))}, but ${fault}.`);
  return given;
}

function hostOf(given: string, password: string): string {
  const host = given || '127.0.0.1';
  if (!loopback.has(host) && !password) {
    throw refused(
      `FOLKMOOT_HOST=${host} opens the home to other computers and needs FOLKMOOT_PASSWORD: without a password anybody ` +
        `there could change it.`,
    );
  }
  return host;
}

/**
 * Reads the environment and the arguments.
 * @param root The clone's folder; the home is `.folkmoot` in it unless FOLKMOOT_HOME says otherwise.
 * @throws FOLKMOOT_START_REFUSED in plain words.
 */
export function readSettings(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
  words: readonly string[] = process.argv.slice(2),
): HomeSettings {
  const unknown = words.filter((word) => word !== '--fresh');
  if (unknown.length) throw refused(`"${unknown.join(' ')}" is not known here; the only option is --fresh.`);
  const textOf = (name: string) => environment[name]?.trim() ?? '';
  const password = environment.FOLKMOOT_PASSWORD ?? '';
  return {
    folder: path.resolve(root, textOf('FOLKMOOT_HOME') || '.folkmoot'),
    host: hostOf(textOf('FOLKMOOT_HOST'), password),
    password,
    editorPort: portOf('PORT', 1880, environment),
    brokerPort: portOf('FOLKMOOT_MQTT_PORT', 1883, environment),
    brokerUrl: brokerUrlOf(textOf('FOLKMOOT_MQTT_URL')),
    storeUrl: storeUrlOf(textOf('FOLKMOOT_VALKEY_URL')),
    house: houseOf(textOf('FOLKMOOT_HOUSE')),
    model: {
      ...modelOf(textOf('FOLKMOOT_MODEL') || 'rules'),
      timeoutSeconds: modelTimeoutOf(textOf('FOLKMOOT_MODEL_TIMEOUT')),
    },
    isFresh: words.includes('--fresh'),
  };
}
