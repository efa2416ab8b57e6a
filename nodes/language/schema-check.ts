/** `POST folkmoot-admin/language/schema`: what is wrong with a schema, or the mutations that it has. For the dialog. */
import { asError, errorTable } from '../../engine/errors.ts';
import { languageOfSchema } from '../../engine/graphql/schema.ts';
import type { Red } from '../shared/red.ts';
import type { SchemaCheck } from './language.fields.ts';

interface Request {
  readonly body?: unknown;
}

interface Response {
  json(body: unknown): unknown;
}

type Handler = (request: Request, response: Response, next: () => void) => unknown;

interface AdminRed {
  readonly httpAdmin?: { post(path: string, ...handlers: readonly Handler[]): unknown };
  readonly auth?: { needsPermission(permission: string): Handler };
}

/** In words, with the line. */
export function checkSchema(schema: unknown): SchemaCheck {
  try {
    const { functions } = languageOfSchema(String(schema ?? ''));
    return { mutations: functions.map(({ name, category, risk }) => ({ name, category, risk })) };
  } catch (thrown) {
    return { fault: asError(thrown).message.replace(errorTable.FOLKMOOT_LANGUAGE_INVALID, '').trim() };
  }
}

export function serveSchemaCheck(RED: Red): void {
  const { httpAdmin, auth } = RED as Red & AdminRed;
  if (!httpAdmin || !auth) return;
  httpAdmin.post(
    '/folkmoot-admin/language/schema',
    auth.needsPermission('folkmoot.language.write'),
    ({ body }, response) => {
      const { schema } = (typeof body === 'object' && body !== null ? body : {}) as { readonly schema?: unknown };
      response.json(checkSchema(schema));
    },
  );
}
