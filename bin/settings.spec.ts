import assert from 'node:assert/strict';
import { readSettings } from './settings.ts';

const read = (environment: NodeJS.ProcessEnv, words: string[] = []) => readSettings('/clone', environment, words);

describe('what people may set for npm start', () => {
  it('is a home of one computer with rules when nothing is set', () => {
    const settings = read({});
    assert.deepEqual(settings, {
      folder: '/clone/.folkmoot',
      host: '127.0.0.1',
      password: '',
      editorPort: { variable: 'PORT', port: 1880, isSet: false },
      brokerPort: { variable: 'FOLKMOOT_MQTT_PORT', port: 1883, isSet: false },
      brokerUrl: '',
      storeUrl: '',
      house: '',
      model: { provider: 'rules', modelName: '', baseUrl: '', timeoutSeconds: 60 },
      isFresh: false,
    });
  });

  it('takes blank values as not set', () => {
    const blank = {
      PORT: '',
      FOLKMOOT_MQTT_URL: ' ',
      FOLKMOOT_VALKEY_URL: ' ',
      FOLKMOOT_HOUSE: ' ',
      FOLKMOOT_MODEL: '',
      FOLKMOOT_HOST: '',
      FOLKMOOT_HOME: '',
    };
    assert.deepEqual(read(blank), read({}));
  });

  it('reads each form of a model', () => {
    const modelOf = (text: string) => read({ FOLKMOOT_MODEL: text, FOLKMOOT_MODEL_TIMEOUT: '5' }).model;
    const timeoutSeconds = 5;
    assert.deepEqual(modelOf('rules'), { provider: 'rules', modelName: '', baseUrl: '', timeoutSeconds });
    assert.deepEqual(modelOf('openai:gpt-x'), { provider: 'openai', modelName: 'gpt-x', baseUrl: '', timeoutSeconds });
    assert.deepEqual(modelOf('openai-compatible:http://127.0.0.1:8080/v1#small:1b'), {
      provider: 'openai-compatible',
      modelName: 'small:1b',
      baseUrl: 'http://127.0.0.1:8080/v1',
      timeoutSeconds,
    });
  });

  for (const given of ['gpt', 'scripted', 'openai:', 'openai-compatible:', 'openai-compatible:small', ':']) {
    it(`refuses the model "${given}" in words`, () => {
      assert.throws(() => read({ FOLKMOOT_MODEL: given }), /FOLKMOOT_MODEL is "/);
    });
  }

  it('refuses a silence of a model that is no number of seconds', () => {
    for (const given of ['soon', '0', '-5', '90000']) {
      assert.throws(
        () => read({ FOLKMOOT_MODEL_TIMEOUT: given }),
        /FOLKMOOT_MODEL_TIMEOUT is ".*", but it is a number of seconds from 1 to 3600/,
      );
    }
  });

  it('refuses a port that is none', () => {
    for (const given of ['abc', '-1', '65536', '1.5']) {
      assert.throws(() => read({ PORT: given }), /PORT is ".*", but a port is a whole number/);
    }
  });

  it('opens to other computers only with a password', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.2', 'home.local']) {
      assert.throws(() => read({ FOLKMOOT_HOST: host }), /needs FOLKMOOT_PASSWORD/);
      assert.equal(read({ FOLKMOOT_HOST: host, FOLKMOOT_PASSWORD: 'x' }).host, host);
    }
    assert.equal(read({ FOLKMOOT_HOST: 'localhost' }).host, 'localhost');
  });

  it('never repeats what it could not read of a broker address, for it may hold a password', () => {
    assert.throws(
      () => read({ FOLKMOOT_MQTT_URL: 'http://me:secret@x' }),
      (error: Error) => /mqtt:\/\/HOST:PORT/.test(error.message) && !error.message.includes('secret'),
    );
  });

  it('takes a Valkey or Redis server by its address, and refuses what is none without repeating it', () => {
    for (const url of ['valkey://10.0.0.2', 'redis://u:p@host:6380/2', 'rediss://host', 'valkeys://[::1]:6379'])
      assert.equal(read({ FOLKMOOT_VALKEY_URL: url, FOLKMOOT_HOUSE: ' cabin ' }).storeUrl, url);
    for (const url of ['10.0.0.2:6379', 'mqtt://me:secret@x', 'redis:secret', 'valkey'])
      assert.throws(
        () => read({ FOLKMOOT_VALKEY_URL: url }),
        (error: Error) => /valkey:\/\/HOST:PORT/.test(error.message) && !error.message.includes('secret'),
      );
  });

  it('refuses a name of a house that does not fit into topics', () => {
    for (const name of ['house one', 'Großmutters Häuschen', 'a.b-c_d', 'x'.repeat(128)])
      assert.equal(read({ FOLKMOOT_HOUSE: name }).house, name);
    for (const [name, expected] of [
      ['a/b #+', /FOLKMOOT_HOUSE is "a\/b #\+", but the name of a house has no \/, \+ and # in it\./],
      ['a\nb', /control characters/],
      ['x'.repeat(129), /at most 128 characters/],
    ] as const)
      assert.throws(() => read({ FOLKMOOT_HOUSE: name }), { code: 'FOLKMOOT_START_REFUSED', message: expected });
  });

  it('knows one option', () => {
    assert.equal(read({}, ['--fresh']).isFresh, true);
    assert.throws(() => read({}, ['--fesh']), /"--fesh" is not known/);
  });
});
