/** Tools that tell of the machine that this runs on (rows 33, 34): from the system itself, never from printed sentences. */
import { execFile } from 'node:child_process';
import { loadavg, uptime } from 'node:os';
import { promisify } from 'node:util';
import type { ParameterSpec } from '../../language/function-spec.ts';
import type { Parameters } from '../../moot.ts';
import type { ToolSettings } from '../tool-card.ts';
import { processesOf } from './processes.ts';

const run = promisify(execFile);
const programMs = 5_000;

/** A tool that needs no flow. */
export interface BuiltInTool {
  readonly settings: ToolSettings;
  /** Gives plain JSON. Rejects when the machine does not tell. */
  run(given: Parameters): Promise<unknown>;
}

/** Where the figures come from; specs give others. */
export interface Machine {
  /** Names of those who are logged in, once for each login. */
  logins(): Promise<readonly string[]>;
  /** Seconds. */
  uptime(): number;
  /** Over 1, 5 and 15 minutes. */
  load(): readonly number[];
  processes(): ReturnType<typeof processesOf>;
}

export const thisMachine: Machine = {
  // `who` has one line for each login and nothing else.
  logins: async () => {
    const { stdout } = await run('who', [], { timeout: programMs });
    return stdout.split('\n').flatMap((line) => line.split(/\s+/)[0] || []);
  },
  uptime,
  load: loadavg,
  processes: processesOf,
};

const rounded = (value: number | undefined, places = 2): number => Number((value ?? 0).toFixed(places));

async function users(machine: Machine) {
  const logins = await machine.logins();
  return { users: logins.length, names: [...new Set(logins)] };
}

function upFor(machine: Machine) {
  const seconds = Math.floor(machine.uptime());
  return { days: Math.floor(seconds / 86_400), hours: Math.floor((seconds % 86_400) / 3600), seconds };
}

function load(machine: Machine) {
  const [one, five, fifteen] = machine.load();
  return { load1: rounded(one), load5: rounded(five), load15: rounded(fifteen) };
}

/** All three, or the one that is asked for. */
function loadOver(machine: Machine, minutes: unknown) {
  const { load1, load5, load15 } = load(machine);
  if (minutes === undefined) return { load1, load5, load15 };
  return { load: { '1': load1, '5': load5, '15': load15 }[String(minutes)] };
}

async function top(machine: Machine, count: number) {
  const all = await machine.processes();
  const processes = all.slice(0, count);
  const names = processes.map(({ name, cpuPercentage, ramMb }) => `${name} (${cpuPercentage} % CPU, ${ramMb} MB)`);
  return { running: all.length, processes, top: names.join(', ') };
}

const tool = (
  settings: Pick<ToolSettings, 'name' | 'description' | 'synonyms' | 'result' | 'sentence'> &
    Partial<Pick<ToolSettings, 'parameters'>>,
  give: BuiltInTool['run'],
): BuiltInTool => ({
  settings: { parameters: [], risk: 'read', effect: false, timeoutMs: 2 * programMs, ...settings },
  run: give,
});

const upSentence = 'this system has been up for {days:0=less than a day|1=one day|# days}, {hours:1=1 hour|# hours}';

const usersTool = (machine: Machine): BuiltInTool =>
  tool(
    {
      name: 'LoggedInUsers',
      description: 'Tells how many users are logged in to this system (machine, computer, server), and who they are',
      synonyms: ['users logged into', 'logged on'],
      result: 'the number of logins and the names of the users',
      sentence: '{users:0=nobody is logged in|1=one user is logged in|# users are logged in}[: {names}]',
    },
    () => users(machine),
  );

const uptimeTool = (machine: Machine): BuiltInTool =>
  tool(
    {
      name: 'SystemUptime',
      description:
        'Tells for how many days and how long this system (machine, computer, server) has been up and running',
      synonyms: ['days up', 'up time', 'running since'],
      result: 'whole days, hours beyond them, and seconds in all',
      sentence: upSentence,
    },
    () => Promise.resolve(upFor(machine)),
  );

/** "5 minute", "the past five minutes": the only spans that systems measure. */
const spans = (...numbers: readonly string[]): string[] =>
  numbers.flatMap((number) => [`${number} minutes`, `last ${number} minutes`, `past ${number} minutes`]);

const minutesOfLoad: ParameterSpec = {
  name: 'minutes',
  description: 'over how many minutes; left out: all three',
  type: 'string',
  required: false,
  allowedValues: ['1', '5', '15'],
  synonyms: {
    '1': [...spans('1', 'one'), 'last minute', 'past minute'],
    '5': spans('5', 'five'),
    '15': spans('15', 'fifteen'),
  },
};

const loadTool = (machine: Machine): BuiltInTool =>
  tool(
    {
      name: 'SystemLoad',
      description: 'Tells the load average of this system (machine, computer, server) and how busy it is',
      synonyms: ['cpu load', 'load average', 'system loaded'],
      parameters: [minutesOfLoad],
      result: 'the load over those minutes; without minutes over 1, 5 and 15',
      sentence:
        '[the load of this system is {load} over {minutes:1=the last minute|the last # minutes}]' +
        '[the load of this system is {load1} over one minute, {load5} over 5 minutes and {load15} over 15 minutes]',
    },
    ({ minutes }) => Promise.resolve(loadOver(machine, minutes)),
  );

const processesTool = (machine: Machine): BuiltInTool =>
  tool(
    {
      name: 'TopProcesses',
      description: 'Lists the busiest processes (programs, top) on this system, which use the most',
      synonyms: [
        'list processes',
        'running processes',
        'processes run',
        'running programs',
        'biggest programs',
        'tasks',
      ],
      parameters: [
        { name: 'count', description: 'how many', type: 'integer', required: false, minimum: 1, maximum: 50 },
      ],
      result: 'how many run, and the first by use of the processor, then of memory',
      sentence: '{running:1=one process runs|# processes run}; the busiest: {top}',
    },
    ({ count }) => top(machine, typeof count === 'number' ? count : 5),
  );

const systemTool = (machine: Machine): BuiltInTool =>
  tool(
    {
      name: 'SystemState',
      description: 'Tells the state of this system (machine, computer, server): how it is doing, all in one',
      synonyms: ['system status', 'system overview'],
      result: 'users, days up and load',
      sentence: `${upSentence}; load {load5}; {users:1=one user|# users} logged in`,
    },
    async () => ({ ...(await users(machine)), ...upFor(machine), ...load(machine) }),
  );

/** By the name that the tool node saves. */
export const localSystemTools = (machine: Machine = thisMachine): Readonly<Record<string, BuiltInTool>> => ({
  users: usersTool(machine),
  uptime: uptimeTool(machine),
  load: loadTool(machine),
  processes: processesTool(machine),
  system: systemTool(machine),
});
