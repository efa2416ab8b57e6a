/** `POST folkmoot-admin/backbone/test`: what the dialog's Test button asks. */
import { readConfig } from '../shared/fields.ts';
import type { Red } from '../shared/red.ts';
import { backboneFields } from './backbone.fields.ts';
import { credentialNames, settingsOf } from './backbone-settings.ts';
import { testConnections } from './test-connections.ts';

interface Request {
  readonly body?: unknown;
}

interface Response {
  status(code: number): Response;
  json(body: unknown): unknown;
}

type Handler = (request: Request, response: Response, next: () => void) => unknown;

interface AdminRed {
  readonly httpAdmin?: { post(path: string, ...handlers: readonly Handler[]): unknown };
  readonly auth?: { needsPermission(permission: string): Handler };
}

/** What the editor shows in place of a password that was saved. */
const unchanged = '__PWRD__';
/** Tests that run at once. */
const most = 4;

export function serveTest(RED: Red): void {
  const { httpAdmin, auth } = RED as Red & AdminRed;
  if (!httpAdmin || !auth) return;
  let running = 0;
  httpAdmin.post(
    '/folkmoot-admin/backbone/test',
    auth.needsPermission('folkmoot.backbone.write'),
    async ({ body }, response) => {
      if (running >= most) return response.status(429).json({ error: 'too many' });
      running += 1;
      try {
        const asked = asRecord(body);
        const { config } = readConfig(backboneFields, filled(asRecord(asked['settings'])));
        const credentials = credentialsOf(RED, asked, config);
        response.json(await testConnections(settingsOf(config, credentials, RED.settings.userDir)));
      } finally {
        running -= 1;
      }
    },
  );
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** `${NAME}` as Node-RED fills it in when it starts a node. */
const filled = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const variable = typeof value === 'string' ? /^\$\{([^}]+)\}$/.exec(value)?.[1] : undefined;
      return [name, variable ? (process.env[variable] ?? '') : value];
    }),
  );

/** A password that was saved is sent only to the address that it was saved for. */
function credentialsOf(
  RED: Red,
  { id, credentials }: Readonly<Record<string, unknown>>,
  config: { readonly busUrl: string; readonly storeUrl: string },
): Record<string, string> {
  const given = asRecord(credentials);
  const saved = typeof id === 'string' ? RED.nodes.getNode(id) : undefined;
  return Object.fromEntries(
    credentialNames.map((name) => {
      const value = given[name];
      if (value !== unchanged) return [name, typeof value === 'string' ? value : ''];
      const address = name.startsWith('bus') ? 'busUrl' : 'storeUrl';
      const isSame = addressesOf.get(saved ?? {})?.[address] === config[address];
      return [name, (isSame && saved?.credentials?.[name]) || ''];
    }),
  );
}

const addressesOf = new WeakMap<object, { readonly busUrl: string; readonly storeUrl: string }>();

/** Which addresses a config node's password is for. */
export function rememberAddresses(
  node: object,
  addresses: { readonly busUrl: string; readonly storeUrl: string },
): void {
  addressesOf.set(node, addresses);
}
