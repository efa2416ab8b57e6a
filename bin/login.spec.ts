import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { editorLogin, letsIn } from './login.ts';

interface Authentication {
  users(name: string): Promise<unknown>;
  authenticate(name: string, password: string): Promise<unknown>;
}

const adminAuth = (password: string) => editorLogin(password)['adminAuth'] as Authentication;

/** What a request with this header is answered: the status, or `in`. */
function answer(authorization: string | undefined, password: string): number | 'in' {
  let status = 0;
  const response = { writeHead: (code: number) => (status = code), end: () => undefined };
  const request = { headers: authorization ? { authorization } : {} };
  const isIn = letsIn(request as IncomingMessage, response as unknown as ServerResponse, password);
  return isIn ? 'in' : status;
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the login of a home', () => {
  it('asks for nothing without a password', () => {
    assert.deepEqual(editorLogin(''), {});
    assert.equal(answer(undefined, ''), 'in');
  });

  it('lets the one user in with the right password only', async () => {
    const auth = adminAuth('p:w');
    assert.deepEqual(await auth.authenticate('admin', 'p:w'), { username: 'admin', permissions: '*' });
    assert.equal(await auth.authenticate('admin', 'p:x'), null);
    assert.equal(await auth.authenticate('other', 'p:w'), null);
    assert.equal(await auth.users('other'), null);
  });

  it('guards what flows serve in the same way', () => {
    assert.equal(answer(basic('admin:p:w'), 'p:w'), 'in');
    for (const wrong of [undefined, 'Basic', 'Basic !!', basic('admin:'), basic('other:p:w'), 'Bearer p:w']) {
      assert.equal(answer(wrong, 'p:w'), 401);
    }
  });
});
