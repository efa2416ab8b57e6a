/** What somebody is told to do when a broker could not be used. */
import assert from 'node:assert/strict';
import type { Bus } from '../../engine/bus/bus.ts';
import { brokerHint, firstState } from './connection.ts';

describe('the first try to connect', () => {
  it('is told in sentences with one full stop each', async () => {
    for (const reason of ['mqtt://h:1: no broker listens there', 'connected, but it went away. Try again.']) {
      const bus = { state: 'down', onProblem: () => () => undefined } as unknown as Bus;
      const told = {
        ...bus,
        onState: (tell: (state: string, reason: string) => void) => (tell('down', reason), () => undefined),
      };
      const words = await firstState(told as unknown as Bus, new AbortController().signal);
      assert.match(words ?? '', /^There is no connection to /);
      assert.doesNotMatch(words ?? '', /\.\./);
    }
  });
});

describe('the hint beside a broker that could not be used', () => {
  it('is about user and password when those were refused', () => {
    const hint = brokerHint('mqtt://127.0.0.1:1883: the broker does not accept user and password (Not authorized)');
    assert.match(hint, /^Put user and password into the address: mqtt:\/\/USER:PASSWORD@HOST:PORT/);
  });

  it('is about rights when the user may not do it', () => {
    for (const reason of [
      'connected, but messages do not come back: the access rules of the server do not let us read and write',
      'connected, but The broker refused a message: Not authorized. The broker refused it: check topic and access rights',
    ]) {
      assert.match(brokerHint(reason), /^Take a user that may do more/);
    }
  });

  it('is about encryption and certificates when those do not fit', () => {
    const broken = 'the broker ended the connection at once; is it encrypted there, or not?';
    assert.match(brokerHint(`mqtts://127.0.0.1:1883: ${broken}`), /mqtts:\/\/ .*where the server is encrypted/);
    assert.match(
      brokerHint('its certificate is signed by an authority that is not known here'),
      /--ca or in FOLKMOOT_CA_FILE/,
    );
  });

  it('names the folder of the home where nobody listens', () => {
    const hint = brokerHint('mqtt://127.0.0.1:1883: no broker listens there');
    assert.match(hint, /^Start the home with "npm start"/);
    assert.match(hint, /FOLKMOOT_HOME/);
  });
});
