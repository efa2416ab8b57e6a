/** `POST folkmoot-admin/model/try`: what the dialog's *Try it* button asks; answers with the findings. */
import { createModel } from '../../engine/model/catalogue.ts';
import { tryModel, type ModelFinding } from '../../engine/model/doctor/doctor.ts';
import type { ModelSettings } from '../../engine/model/model.ts';
import { asError } from '../../engine/errors.ts';
import { readConfig } from '../shared/fields.ts';
import type { Red } from '../shared/red.ts';
import { modelFields } from './model.fields.ts';

interface Request {
  readonly body?: unknown;
}

interface Response {
  status(code: number): Response;
  json(body: unknown): unknown;
  once(event: 'close', listener: () => void): unknown;
}

type Handler = (request: Request, response: Response, next: () => void) => unknown;

interface AdminRed {
  readonly httpAdmin?: { post(path: string, ...handlers: readonly Handler[]): unknown };
  readonly auth?: { needsPermission(permission: string): Handler };
}

/** What the editor shows in place of a key that was saved. */
const unchanged = '__PWRD__';
/** Tries that go on at once. */
const most = 2;
/** A model that has to be loaded first takes its time on a Pi. */
const longestMs = 300_000;

export function serveTry(RED: Red): void {
  const { httpAdmin, auth } = RED as Red & AdminRed;
  if (!httpAdmin || !auth) return;
  let running = 0;
  httpAdmin.post(
    '/folkmoot-admin/model/try',
    auth.needsPermission('folkmoot.model.write'),
    async ({ body }, response) => {
      if (running >= most) return response.status(429).json({ fault: 'Somebody is trying a model already.' });
      running += 1;
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      try {
        response.json({ findings: await found(RED, asRecord(body), gone.signal) });
      } catch (error) {
        if (!gone.signal.aborted) response.json({ fault: asError(error).message });
      } finally {
        running -= 1;
      }
    },
  );
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

async function found(
  RED: Red,
  asked: Readonly<Record<string, unknown>>,
  gone: AbortSignal,
): Promise<readonly ModelFinding[]> {
  const { config } = readConfig(modelFields, filled(asRecord(asked['settings'])));
  const { name: _name, settingsVersion: _version, fallbackModel: _other, script: _script, ...settings } = config;
  const apiKey = keyOf(RED, asked, settings);
  const model = createModel({ ...settings, ...(apiKey ? { apiKey } : {}) });
  const signal = AbortSignal.any([gone, AbortSignal.timeout(longestMs)]);
  return tryModel(model, { signal, timeoutMs: settings.timeoutSeconds * 1000 });
}

/** `${NAME}` as Node-RED fills it in when it starts a node. */
const filled = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const variable = typeof value === 'string' ? /^\$\{([^}]+)\}$/.exec(value)?.[1] : undefined;
      return [name, variable ? (process.env[variable] ?? '') : value];
    }),
  );

type Address = Pick<ModelSettings, 'provider' | 'baseUrl'>;
const addresses = new WeakMap<object, Address>();

/** Where a config node's key is for. */
export const rememberAddress = (node: object, { provider, baseUrl }: Address): void =>
  void addresses.set(node, { provider, ...(baseUrl ? { baseUrl } : {}) });

/** A key that was saved is sent only to where it was saved for. */
function keyOf(RED: Red, { id, apiKey }: Readonly<Record<string, unknown>>, wanted: Address): string {
  if (apiKey !== unchanged) return typeof apiKey === 'string' ? apiKey : '';
  const saved = typeof id === 'string' ? RED.nodes.getNode(id) : undefined;
  const known = saved && addresses.get(saved);
  const isSame = known?.provider === wanted.provider && (known.baseUrl ?? '') === (wanted.baseUrl ?? '');
  return (isSame && saved?.credentials?.['apiKey']) || '';
}
