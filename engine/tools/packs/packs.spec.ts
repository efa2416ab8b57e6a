import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fakeClock } from '../../clock.ts';
import { toolCard } from '../tool-card.ts';
import { resultSentence } from '../tool-result.ts';
import { timeTools } from './clock-time.ts';
import { calculatorTool, wikipediaTool } from './community.ts';
import { httpGetTool } from './http-get.ts';
import { createPackToolbox } from './pack-toolbox.ts';

const { signal } = new AbortController();

describe('built-in packs', () => {
  it('are right cards, each of which only looks', () => {
    const all = [
      ...timeTools(fakeClock(), { latitude: 52.5, longitude: 13.4 }),
      calculatorTool,
      wikipediaTool,
      httpGetTool(['x']),
    ];
    for (const { settings } of all) {
      assert.equal(toolCard('n', settings).name, settings.name);
      assert.equal(settings.risk, 'read');
    }
  });

  it('tell the time, and when the sun rises and sets where the house stands', async () => {
    const box = createPackToolbox(timeTools(fakeClock(Date.UTC(2026, 5, 21, 12)), { latitude: 52.5, longitude: 13.4 }));
    const now = (await box.call('CurrentTime', {}, signal)) as Record<string, string>;
    assert.match(now['time'] ?? '', /^\d\d:\d\d$/);
    assert.deepEqual([now['day'], now['date']], ['Sunday', '2026-06-21']);
    const sun = (await box.call('SunTimes', {}, signal)) as Record<string, string>;
    // In whatever zone this runs, the day is 16 h 50 min long.
    const minutes = (time = '') => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    const day = (minutes(sun['sunset']) - minutes(sun['sunrise']) + 1440) % 1440;
    assert.ok(Math.abs(day - 1010) < 5, String(day));
    const polar = createPackToolbox(timeTools(fakeClock(Date.UTC(2026, 5, 21, 12)), { latitude: 80, longitude: 0 }));
    assert.deepEqual(await polar.call('SunTimes', {}, signal), {});
  });

  it('work expressions out and nothing else', async () => {
    assert.equal(await calculatorTool.run({ expression: '(3.5*4)/2' }), 7);
    assert.equal(resultSentence(calculatorTool.settings, { expression: '2+2' }, 4), '2+2 is 4.');
    for (const bad of ['process.exit()', '', 'x'.repeat(501), '1/0'])
      await assert.rejects(calculatorTool.run({ expression: bad }), /worked out|at most/, bad);
  });

  describe('reading an address', () => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.2:1/secret' }).end();
      else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
      else if (request.url === '/big') response.end('x'.repeat(3_000_000));
      else if (request.url === '/json') response.writeHead(200, { 'content-type': 'application/json' }).end('{"a": 1}');
      else if (request.url === '/no') response.writeHead(404).end();
      else response.end('words');
    });
    let host = '';
    before(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => void server.close());
    const get = (path: string, allowed = [host]) => httpGetTool(allowed).run({ url: `http://${host}${path}` });

    it('gives text and JSON of what is allowed, cut where it is too long', async () => {
      assert.equal(await get('/'), 'words');
      assert.deepEqual(await get('/json', [`http://${host}/js`]), { a: 1 });
      assert.equal(String(await get('/big')).length, 1_000_000);
    });

    it('reads nothing else: not another host, nor where a redirect leads, nor with a password in the address', async () => {
      await assert.rejects(get('/', ['example.com']), /not among what may be read \(example\.com\)/);
      await assert.rejects(get('/', []), /not among/);
      await assert.rejects(get('/', [`http://${host}/js`]), /not among/);
      await assert.rejects(get('/away'), /127\.0\.0\.2:1 is not among/);
      await assert.rejects(get('/round'), /leads on and on/);
      await assert.rejects(get('/no'), /answered 404/);
      for (const url of ['file:///etc/passwd', `http://a:b@${host}/`, 'no', `http://${host}.evil.com/`])
        await assert.rejects(httpGetTool([host]).run({ url }), /no address|not among/, url);
      await assert.rejects(httpGetTool(['*.b.com']).run({ url: 'http://ab.com/' }), /not among/);
    });
  });
});
