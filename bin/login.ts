/** The one user of a home that has a password: for the editor (adminAuth) and for what flows serve (httpNodeAuth). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRight } from '../engine/http/secrets.ts';
import { userName } from './settings.ts';

/** Node-RED's adminAuth; nothing without a password. */
export function editorLogin(password: string): Record<string, unknown> {
  if (!password) return {};
  const user = { username: userName, permissions: '*' };
  return {
    adminAuth: {
      type: 'credentials',
      users: (name: string) => Promise.resolve(name === userName ? user : null),
      authenticate: (name: string, given: string) =>
        Promise.resolve(name === userName && isRight(given, password) ? user : null),
    },
  };
}

/** Lets a request for what flows serve pass, or answers it with 401. */
export function letsIn(request: IncomingMessage, response: ServerResponse, password: string): boolean {
  if (!password) return true;
  const [kind = '', value = ''] = (request.headers.authorization ?? '').split(' ');
  const [name, ...rest] = Buffer.from(value, 'base64').toString('utf8').split(':');
  if (kind.toLowerCase() === 'basic' && name === userName && isRight(rest.join(':'), password)) return true;
  response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="Folkmoot"' });
  response.end('A user and password are needed.');
  return false;
}
