import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg, uptime } from 'node:os';
import { resultSentence } from '../tool-result.ts';
import { toolCard } from '../tool-card.ts';
import { localSystemTools, type Machine } from './local-system.ts';
import { processFrom } from './processes.ts';

const machine = (more: Partial<Machine>): Machine => ({
  logins: () => Promise.resolve([]),
  uptime: () => 0,
  load: () => [0, 0, 0],
  processes: () => Promise.resolve([]),
  ...more,
});

async function said(name: string, of: Machine, given = {}): Promise<string | undefined> {
  const tool = localSystemTools(of)[name];
  assert.ok(tool);
  return resultSentence(tool.settings, given, await tool.run(given));
}

describe('tools of this system', () => {
  it('give the machine’s own values', async () => {
    const tools = localSystemTools();
    const who = execFileSync('who', { encoding: 'utf8' }).split('\n').filter(Boolean).length;
    assert.equal(((await tools['users']?.run({})) as { users: number }).users, who);
    const up = (await tools['uptime']?.run({})) as { days: number; seconds: number };
    assert.ok(Math.abs(up.seconds - uptime()) <= 2);
    assert.equal(up.days, Math.floor(up.seconds / 86_400));
    const { load1, load5, load15 } = (await tools['load']?.run({})) as Record<string, number>;
    for (const [at, value] of loadavg().entries())
      assert.ok(Math.abs(([load1, load5, load15][at] ?? -1) - value) < 0.5);
  });

  it('list processes that run, this one among them, the busiest first', async () => {
    const { processes } = (await localSystemTools()['processes']?.run({ count: 50 })) as {
      processes: { pid: number; name: string; cpuPercentage: number; ramMb: number }[];
    };
    assert.ok(processes.length > 0);
    assert.deepEqual(
      processes.map(({ cpuPercentage }) => cpuPercentage),
      processes.map(({ cpuPercentage }) => cpuPercentage).sort((a, b) => b - a),
    );
    const own = processes.find(({ pid }) => pid === process.pid);
    if (own && process.platform === 'linux') {
      assert.equal(own.name, readFileSync(`/proc/${process.pid}/comm`, 'utf8').trim());
      assert.ok(Math.abs(own.ramMb - process.memoryUsage().rss / 1024 / 1024) < 100);
    }
  });

  it('are right with one user and less than a day, and with nobody', async () => {
    const young = machine({ logins: () => Promise.resolve(['anna']), uptime: () => 7_300 });
    assert.equal(await said('users', young), 'One user is logged in: anna.');
    assert.equal(await said('uptime', young), 'This system has been up for less than a day, 2 hours.');
    assert.equal(await said('users', machine({})), 'Nobody is logged in.');
    const old = machine({ logins: () => Promise.resolve(['anna', 'ben', 'anna']), uptime: () => 86_400 * 12 + 3_700 });
    assert.equal(await said('users', old), '3 users are logged in: anna and ben.');
    assert.equal(await said('uptime', old), 'This system has been up for 12 days, 1 hour.');
  });

  it('say the load and all in one', async () => {
    const busy = machine({ load: () => [1.234, 0.5, 0.25], logins: () => Promise.resolve(['anna']) });
    assert.match((await said('load', busy)) ?? '', /1\.23 over one minute, 0\.5 over 5 minutes/);
    const five = 'The load of this system is 0.5 over the last 5 minutes.';
    assert.equal(await said('load', busy, { minutes: '5' }), five);
    assert.equal(await said('load', busy, { minutes: '1' }), 'The load of this system is 1.23 over the last minute.');
    assert.match((await said('system', busy)) ?? '', /load 0\.5; one user logged in\.$/);
  });

  it('read a process whose name holds blanks and brackets', () => {
    const rest = Array.from({ length: 50 }, (_, at) => at + 3);
    const fields = rest.map((field) => ({ 14: 150, 15: 50, 22: 1_000, 39: 3 })[field] ?? 0).join(' ');
    const found = processFrom(7, `7 (a (b) c) ${fields}`, 'Name:\ta\nVmRSS:\t  20480 kB\n', 20);
    assert.deepEqual(found, { pid: 7, processorNumber: 3, name: 'a (b) c', cpuPercentage: 20, ramMb: 20 });
  });

  it('are tools that may be called', () => {
    for (const { settings } of Object.values(localSystemTools())) assert.equal(toolCard('n', settings).risk, 'read');
  });
});
