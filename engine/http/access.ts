/** Who may ask over HTTP (P25), and who may submit agents (P26). */
import { isRight } from './secrets.ts';

export interface AccessRules {
  readonly authentication: 'none' | 'basic' | 'bearer';
  readonly user: string;
  readonly password: string;
  readonly token: string;
  /** Who has this one may submit and remove agents; empty: nobody may. */
  readonly submitToken: string;
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export type Admission =
  | { readonly isAllowed: true; readonly user: string; readonly maySubmit: boolean }
  | { readonly isAllowed: false; readonly status: 401 | 403; readonly detail: string; readonly challenge?: string };

/** Why it can't be served under these rules, in words. @param onLoopback Only this computer reaches it. */
export function faultOfRules(rules: AccessRules, onLoopback: boolean): string | undefined {
  const { authentication, user, password, token } = rules;
  if (authentication === 'none')
    return onLoopback
      ? undefined
      : 'Other computers reach this Node-RED, so a user with a password or a token has to be set.';
  if (authentication === 'basic' && !(user && password)) return 'The user or the password is not set.';
  if (authentication === 'bearer' && !token) return 'The token is not set.';
  return undefined;
}

/** @param onLoopback As Node-RED listens now. */
export function admit(headers: Headers, rules: AccessRules, onLoopback: boolean): Admission {
  const tokens = tokensOf(headers);
  const has = (secret: string) => secret !== '' && tokens.some((token) => isRight(token, secret));
  const maySubmit = has(rules.submitToken);
  const allowed = (user = ''): Admission => ({ isAllowed: true, user, maySubmit });
  if (maySubmit) return allowed();
  const unknown = (scheme: string): Admission => ({
    ...{ isAllowed: false, status: 401, detail: 'Not authenticated' },
    challenge: `${scheme} realm="Folkmoot"`,
  });
  switch (rules.authentication) {
    case 'bearer':
      return has(rules.token) ? allowed() : unknown('Bearer');
    case 'basic':
      return isUser(headers, rules) ? allowed(rules.user) : unknown('Basic');
    case 'none': {
      const why = onLoopback ? strangeBrowser(headers) : 'Authentication has to be set before others may ask.';
      return why ? { isAllowed: false, status: 403, detail: why } : allowed();
    }
  }
}

const one = (headers: Headers, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** `Authorization` may be needed for Node-RED itself: then the token comes in a header of its own. */
function tokensOf(headers: Headers): string[] {
  const bearer = /^bearer +(\S+)\s*$/i.exec(one(headers, 'authorization'))?.[1];
  return [bearer ?? '', one(headers, 'x-folkmoot-token').trim()].filter(Boolean);
}

function isUser(headers: Headers, { user, password }: AccessRules): boolean {
  const encoded = /^basic +(\S+)\s*$/i.exec(one(headers, 'authorization'))?.[1];
  if (encoded === undefined || !user || !password) return false;
  const [name = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  // Both are compared, so that the time doesn't tell which one was wrong.
  const isName = isRight(name, user);
  return isRight(rest.join(':'), password) && isName;
}

const loopbackNames = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Without a secret, a page of a stranger that is open in a browser on this computer could ask as well. */
function strangeBrowser(headers: Headers): string | undefined {
  const origin = one(headers, 'origin').replace(/^https?:\/\//i, '');
  if (!loopbackNames.test(one(headers, 'host'))) return 'Without authentication only localhost may be asked for.';
  return origin && !loopbackNames.test(origin)
    ? 'Without authentication pages of other servers may not ask.'
    : undefined;
}

/** Whether only this computer reaches an address that a server listens on. */
export const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i.test(address.trim());
