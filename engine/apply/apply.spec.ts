import assert from 'node:assert/strict';
import fc from 'fast-check';
import { aHouse, call, light, states } from '../../test/red/apply-house.ts';
import { repeats, seed } from '../../test/red/tier.ts';
import { isFolkmootError } from '../errors.ts';
import type { Mutation, Plan } from '../moot.ts';

describe('apply', () => {
  it('sends each command in order to its row, with typed values, and says what was done', async () => {
    const { report, sent, ledger, open, clock } = aHouse();
    const { payload, lines } = await report([
      light('a', 'Kitchen', '40'),
      call('b', 'TakeWaste'),
      light('c', 'hall', 5),
    ]);
    assert.deepEqual(sent, [
      '0 SetLight {"room":"kitchen","brightness":40}',
      '1 TakeWaste {}',
      '0 SetLight {"room":"hall","brightness":5}',
    ]);
    assert.equal(payload, 'Kitchen light at 40 %.\nWaste taken away.\nHall light at 5 %.');
    assert.deepEqual(lines[0], { id: 'a', function: 'SetLight', state: 'applied' });
    assert.deepEqual(
      [...ledger.known.values()].map(({ state }) => state),
      ['sent', 'sent', 'sent'],
    );
    assert.equal(await open(), 0);
    assert.equal(clock.waiting, 0);
  });
  it('passes the payload on when there are no commands', async () => {
    const { report } = aHouse();
    assert.deepEqual(await report([], undefined, 'Which room?'), { payload: 'Which room?', lines: [] });
    assert.deepEqual(await report([], undefined, { any: 1 }), { payload: { any: 1 }, lines: [] });
  });
  it('sends nothing that is not in the language, out of range, without a row, or critical', async () => {
    const { report, sent, ledger } = aHouse({
      rows: [
        { kind: 'category', target: 'lights' },
        { kind: 'function', target: 'OpenDoor' },
      ],
    });
    const result = await report([
      call('a', 'EraseDisk'),
      light('b', 'kitchen', 900),
      call('c', 'TakeWaste'),
      call('d', 'OpenDoor'),
    ]);
    assert.deepEqual(sent, []);
    assert.equal(ledger.known.size, 0);
    assert.deepEqual(states(result), ['refused', 'refused', 'refused', 'refused']);
    const text = String(result.payload).split('\n');
    assert.equal(text[0], 'Not done. That is not something I can do.');
    assert.match(text[1] ?? '', /^Not done: Kitchen light at 900 %\. .*100/);
    assert.match(text[2] ?? '', /^Not done: Waste taken away\. Nothing is set up/);
    assert.match(text[3] ?? '', /^Not done: Door open\. It needs the consent/);
    assert.doesNotMatch(String(result.payload), /SetLight|EraseDisk|OpenDoor/);
  });
  it('runs a critical function when its row says so', async () => {
    const { report, sent } = aHouse({ rows: [{ kind: 'function', target: 'OpenDoor', runWithoutAsking: true }] });
    assert.deepEqual(states(await report([call('a', 'OpenDoor')])), ['applied']);
    assert.deepEqual(sent, ['0 OpenDoor {}']);
  });
  it('keeps what is for the board only from rows and from people', async () => {
    const { report, sent } = aHouse();
    const result = await report([call('a', 'ProduceCutGrass'), call('b', 'TakeWaste')]);
    assert.deepEqual(states(result), ['board only', 'applied']);
    assert.equal(result.payload, 'Waste taken away.');
    assert.deepEqual(sent, ['1 TakeWaste {}']);
    assert.equal((await report([call('c', 'ProduceCutGrass')])).payload, 'words of the plan');
  });
  it('adds what no command covers', async () => {
    const { report } = aHouse();
    const step = { agent: 'lights', prompt: 'x', parameters: {}, after: [], state: 'answered' } as const;
    const plan: Plan = {
      message: 'I will.',
      steps: [
        { ...step, id: 's1', text: 'Lights set.' },
        { ...step, id: 's2', state: 'refused', text: 'It can only be 5 to 30 degrees.' },
      ],
      questions: ['Which room?'],
    };
    const { payload } = await report([light('a')], plan);
    assert.equal(payload, 'Kitchen light at 40 %.\nIt can only be 5 to 30 degrees.\nWhich room?');
  });
  it('carries a command out once when its message arrives twice, at once or later', async () => {
    const { take, clock, sent, report } = aHouse();
    const both = Promise.all([take([light('a')]), take([light('a')])]);
    await clock.advance(1000);
    for (const one of await both) assert.deepEqual(states(one), ['applied']);
    assert.deepEqual(states(await report([light('a')])), ['applied']);
    assert.equal(sent.length, 1);
  });
  it('sends what came first whole before what came next', async () => {
    const { take, clock, sent } = aHouse();
    const rooms = ['kitchen', 'hall', 'kitchen', 'hall'];
    const both = [take(rooms.map((room, n) => light(`a${n}`, room, 100))), take([light('b', 'hall', 0)])];
    await clock.advance(1000);
    await Promise.all(both);
    assert.equal(sent.length, 5);
    assert.match(sent[4] ?? '', /"brightness":0/);
  });

  describe('failures', () => {
    it('waits for the longest row time among what was sent', async () => {
      const { take, clock } = aHouse({
        rows: [
          { kind: 'category', target: 'lights', waitMs: 100 },
          { kind: 'function', target: 'TakeWaste', waitMs: 900 },
          { kind: 'else', waitMs: 5000 },
        ],
      });
      let isOver = false;
      const taken = take([light('a'), call('b', 'TakeWaste')]).then(() => (isOver = true));
      await clock.advance(899);
      assert.equal(isOver, false);
      await clock.advance(1);
      await taken;
    });
    it('reports what came back with an error in time, and the rest goes on', async () => {
      const { take, apply, clock, ledger } = aHouse();
      const taken = take([light('a'), call('b', 'TakeWaste')]);
      await clock.advance(100);
      await apply.returned(light('a'), { message: 'Error: no route to host' });
      await clock.advance(200);
      const { payload, lines } = await taken;
      assert.deepEqual(
        lines.map(({ state }) => state),
        ['failed', 'applied'],
      );
      assert.equal(
        payload,
        'Not done: Kitchen light at 40 %. The device did not take it: no route to host.\nWaste taken away.',
      );
      assert.equal(ledger.known.get('a')?.state, 'failed');
    });
    it('reports at once when all came back', async () => {
      const { take, apply, clock, ledger } = aHouse();
      const taken = take([light('a')]);
      await clock.advance(0);
      assert.deepEqual(await apply.returned(light('a')), { kind: 'noted' });
      assert.deepEqual(states(await taken), ['applied']);
      assert.equal(ledger.known.get('a')?.state, 'confirmed');
      assert.equal(clock.waiting, 0);
    });
    it('takes a row that fails while it is sent as failed', async () => {
      const { report, onSend, ledger } = aHouse();
      onSend.call = () => {
        throw new TypeError('x is undefined at a.ts:1');
      };
      const { payload, lines } = await report([light('a')]);
      assert.equal(lines[0]?.state, 'failed');
      assert.equal(payload, 'Not done: Kitchen light at 40 %. The device did not take it.');
      assert.equal(ledger.known.get('a')?.state, 'failed');
    });
    it('gives a second report for a failure that comes late, once', async () => {
      const { report, apply } = aHouse();
      await report([light('a')]);
      const late = await apply.returned(light('a'), { message: 'no answer' });
      assert.equal(late.kind, 'late');
      assert.equal(
        late.kind === 'late' && late.report.payload,
        'Not done after all: Kitchen light at 40 %. The device did not take it: no answer.',
      );
      assert.deepEqual(await apply.returned(light('a'), { message: 'no answer' }), { kind: 'noted' });
    });
    it('knows strangers, and failures of before a restart', async () => {
      const first = aHouse();
      assert.deepEqual(await first.apply.returned(light('x'), { message: 'no' }), { kind: 'stranger' });
      await first.report([light('a')]);
      const second = aHouse({ store: first.store, ledger: first.ledger });
      assert.equal((await second.apply.returned(light('a'), { message: 'no' })).kind, 'late');
      assert.deepEqual(states(await second.report([light('a')])), ['failed']);
      assert.deepEqual(second.sent, []);
    });
  });

  it('does nothing for a run that was cancelled or failed, and says so after its own words', async () => {
    const { apply, sent } = aHouse();
    const moot = { v: 1, run: 'r1', outcome: 'cancelled', mutations: [light('a')] } as const;
    const report = await apply.take({ payload: 'It was stopped.', moot, plain: {}, origin: undefined });
    assert.deepEqual(states(report), ['refused']);
    assert.equal(report.payload, 'It was stopped.\nNot done: Kitchen light at 40 %. The request was not finished.');
    assert.deepEqual(sent, []);
  });
  it('never fails on odd commands and sends only what the language allows', async () => {
    const names = fc.constantFrom('SetLight', 'setlight', 'OpenDoor', 'TakeWaste', 'ProduceCutGrass', '__proto__', 'x');
    const values = fc.oneof(fc.anything(), fc.constantFrom('kitchen', 'hall', 'Kitchen', 40, '40', -1, 1e9));
    const parameters = fc.dictionary(fc.constantFrom('room', 'brightness', 'constructor', 'y'), values);
    const odd = fc.array(fc.record({ function: names, parameters }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(odd, async (calls) => {
        const house = aHouse();
        const mutations = calls.map((one, index) => ({ ...light(`m${index}`), ...one }) as Mutation);
        const { lines, payload } = await house.report(mutations);
        assert.equal(lines.length, calls.length);
        assert.equal(typeof payload, 'string');
        for (const sent of house.sent)
          assert.match(sent, /^(0 SetLight \{"room":"(kitchen|hall)","brightness":\d{1,3}\}|1 TakeWaste \{\})$/);
        await house.store.close();
      }),
      { seed: seed(), numRuns: repeats(400) },
    );
  });
  it('refuses too many commands and commands without an id', async () => {
    const { take } = aHouse();
    const many = Array.from({ length: 1001 }, (_, index) => light(`m${index}`));
    await assert.rejects(take(many), (error) => isFolkmootError(error, 'FOLKMOOT_LIMIT'));
    await assert.rejects(take([light('')]), (error) => isFolkmootError(error, 'FOLKMOOT_BAD_INPUT'));
  });
});
