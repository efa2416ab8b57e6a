/**
 * Measures what the nodes cost: Node-RED alone, Node-RED with these nodes installed but unused, and the starter home after
 * one sentence. `npm run bench:cold-start -- [--rounds N] [--json FILE]`. Each in a process of its own, in turn; ratios are
 * taken inside a round, because a computer's speed drifts between rounds.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readReady } from '../bin/ready.ts';
import { amicaClient } from '../test/amica-client.ts';
import { freePort } from '../test/free-port.ts';
import { root } from './rules.sets.ts';

interface Figures {
  /** From the start of the process until the flows run. */
  readonly startMs: number;
  /** What the processor did until then: other programs on the computer change it less than the time. */
  readonly startCpuMs: number;
  /** After two collections of garbage. */
  readonly rssMb: number;
}

interface Plan {
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it prints when its flows run. */
  readonly started: string;
  /** What is done before memory is read. */
  readonly use?: () => Promise<void>;
}

const longestStartMs = 60_000;
/** What starts late (timers after the flows) is counted too. */
const settleMs = 1_500;
/** Answers a message with a figure; it is loaded before anything else, in each process that is measured. */
const probe = `
  const cpuMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
  const rssMb = () => { gc(); gc(); return process.memoryUsage.rss() / 1024 / 1024; };
  process.on('message', (what) => process.send(what === 'cpu' ? cpuMs() : rssMb()));
  process.channel.unref();`;
const packageName = 'node-red-contrib-folkmoot';

async function untilStarted(child: ChildProcess, sign: string): Promise<void> {
  let printed = '';
  const keep = (chunk: Buffer): void => void (printed = (printed + chunk.toString()).slice(-50_000));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const until = Date.now() + longestStartMs;
  while (!printed.includes(sign)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`It did not start:\n${printed}`);
    await pause(5);
  }
}

async function ask(child: ChildProcess, what: 'cpu' | 'memory'): Promise<number> {
  const told = once(child, 'message', { signal: AbortSignal.timeout(20_000) });
  child.send(what);
  const [figure] = (await told) as [number];
  return figure;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), 8_000);
  await ended;
  clearTimeout(hard);
}

async function measure(plan: Plan): Promise<Figures> {
  const since = performance.now();
  const words = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(probe)}`, ...plan.words];
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { ...process.env, ...plan.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  try {
    await untilStarted(child, plan.started);
    const startMs = performance.now() - since;
    const startCpuMs = await ask(child, 'cpu');
    await plan.use?.();
    await pause(settleMs);
    return { startMs, startCpuMs, rssMb: await ask(child, 'memory') };
  } finally {
    await end(child);
  }
}

/** Node-RED with a flow of two of its own nodes, like performance figures elsewhere. */
async function nodeRed(folder: string, hasPalette: boolean): Promise<Figures> {
  const userDir = await mkdtemp(path.join(folder, 'red-'));
  const settings = path.join(userDir, 'settings.cjs');
  const flow = [
    { id: 'tab', type: 'tab', label: 'one' },
    { id: 'in', z: 'tab', type: 'inject', props: [], repeat: '', once: false, wires: [['out']] },
    { id: 'out', z: 'tab', type: 'debug', active: false, wires: [] },
  ];
  await writeFile(
    settings,
    `module.exports = { flowFile: 'flows.json', uiHost: '127.0.0.1', telemetry: { enabled: false }, editorTheme: { tours: false } };`,
  );
  await writeFile(path.join(userDir, 'flows.json'), JSON.stringify(flow));
  await writeFile(path.join(userDir, 'package.json'), '{ "name": "home", "private": true }');
  if (hasPalette) {
    await mkdir(path.join(userDir, 'node_modules'));
    await symlink(root, path.join(userDir, 'node_modules', packageName), 'dir');
  }
  const main = path.join(root, 'node_modules', 'node-red', 'red.js');
  const words = [main, '-u', userDir, '-s', settings, '-p', String(await freePort())];
  return measure({ words, started: 'Started flows' });
}

async function starterHome(folder: string): Promise<Figures> {
  const home = await mkdtemp(path.join(folder, 'home-'));
  return measure({
    words: ['--disable-warning=ExperimentalWarning', path.join(root, 'bin', 'start.ts')],
    env: { PORT: '0', FOLKMOOT_MQTT_PORT: '0', FOLKMOOT_HOME: home, FOLKMOOT_MQTT_URL: '', FOLKMOOT_MODEL: '' },
    started: 'Folkmoot ready',
    async use() {
      const ready = await readReady(home);
      const person = await amicaClient(ready?.mqtt ?? '');
      const id = await person.ask('turn the kitchen light on at 40 %');
      const until = Date.now() + 30_000;
      while (!person.parts(id).some((part) => part.isComplete)) {
        if (Date.now() > until) throw new Error('The home did not answer.');
        await pause(10);
      }
      await person.close();
    },
  });
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

type Kind = 'bare' | 'palette' | 'home';
const names: Readonly<Record<Kind, string>> = {
  bare: 'Node-RED alone',
  palette: 'with the nodes, unused',
  home: 'the home, after a sentence',
};

function tell(rounds: readonly Readonly<Record<Kind, Figures>>[]): object[] {
  const of = (pick: (round: Readonly<Record<Kind, Figures>>) => number): number => median(rounds.map(pick));
  return (Object.keys(names) as Kind[]).map((kind) => {
    const row = {
      what: names[kind],
      startMs: Math.round(of((round) => round[kind].startMs)),
      startRatio: Number(of((round) => round[kind].startMs / round.bare.startMs).toFixed(2)),
      cpuMs: Math.round(of((round) => round[kind].startCpuMs)),
      cpuRatio: Number(of((round) => round[kind].startCpuMs / round.bare.startCpuMs).toFixed(2)),
      rssMb: Math.round(of((round) => round[kind].rssMb)),
      rssMore: Math.round(of((round) => round[kind].rssMb - round.bare.rssMb)),
      rssRatio: Number(of((round) => round[kind].rssMb / round.bare.rssMb).toFixed(2)),
    };
    const start = `${String(row.startMs).padStart(6)} ms  ${row.startRatio.toFixed(2)}x`;
    const cpu = `${String(row.cpuMs).padStart(6)} ms CPU  ${row.cpuRatio.toFixed(2)}x`;
    const memory = `${String(row.rssMb).padStart(5)} MB  +${row.rssMore} MB  ${row.rssRatio.toFixed(2)}x`;
    console.log(`${row.what.padEnd(28)}${start} ${cpu} ${memory}`);
    return row;
  });
}

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, json: { type: 'string' } },
});
const folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-cold-'));
try {
  const rounds: Record<Kind, Figures>[] = [];
  for (let round = 0; round < Math.max(1, Number(options.rounds)); round++) {
    const bare = await nodeRed(folder, false);
    const palette = await nodeRed(folder, true);
    rounds.push({ bare, palette, home: await starterHome(folder) });
  }
  console.log(`medians of ${rounds.length} rounds; ratios to Node-RED alone, round by round`);
  const rows = tell(rounds);
  if (options.json) await writeFile(path.resolve(options.json), `${JSON.stringify({ rows, rounds }, null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
