/** What runs on this machine, the busiest first: from /proc, elsewhere from `ps`. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const programMs = 5_000;
const programBytes = 8 * 1024 * 1024;
/** Linux counts times for programs in hundredths of a second, whatever its own clock does (proc(5)). */
const ticksPerSecond = 100;

export interface ProcessUse {
  readonly pid: number;
  /** Absent where the system does not tell. */
  readonly processorNumber?: number;
  readonly name: string;
  /** Of one processor, over the life of the process. */
  readonly cpuPercentage: number;
  readonly ramMb: number;
}

/** By processor use, then memory. Rejects when the system does not tell. */
export async function processesOf(): Promise<readonly ProcessUse[]> {
  const found = process.platform === 'linux' ? await fromProc() : await fromPs();
  return found.sort((a, b) => b.cpuPercentage - a.cpuPercentage || b.ramMb - a.ramMb);
}

async function fromProc(): Promise<ProcessUse[]> {
  const upSeconds = Number((await readFile('/proc/uptime', 'utf8')).split(' ')[0]);
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(ids.map((id) => oneOf(id, upSeconds)));
  return all.filter((one) => one !== undefined);
}

/** Nothing for a process that has ended meanwhile. */
async function oneOf(id: string, upSeconds: number): Promise<ProcessUse | undefined> {
  try {
    const [stat, status] = await Promise.all([
      readFile(`/proc/${id}/stat`, 'utf8'),
      readFile(`/proc/${id}/status`, 'utf8'),
    ]);
    return processFrom(Number(id), stat, status, upSeconds);
  } catch {
    return undefined;
  }
}

/** The texts of `/proc/<pid>/stat` and `status` (proc(5)). */
export function processFrom(pid: number, stat: string, status: string, upSeconds: number): ProcessUse {
  // The name may hold blanks and brackets, so what comes behind its last bracket is counted.
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(rest[number - 3]);
  const livedSeconds = Math.max(upSeconds - field(22) / ticksPerSecond, 1 / ticksPerSecond);
  const usedSeconds = (field(14) + field(15)) / ticksPerSecond;
  const ramKb = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  return {
    pid,
    processorNumber: field(39),
    name,
    cpuPercentage: Number(((100 * usedSeconds) / livedSeconds).toFixed(1)),
    ramMb: Math.round(ramKb / 1024),
  };
}

async function fromPs(): Promise<ProcessUse[]> {
  const options = { timeout: programMs, maxBuffer: programBytes };
  const { stdout } = await run('ps', ['-axo', 'pid=,pcpu=,rss=,comm='], options);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, cpu, kb, name] = /^\s*(\d+)\s+([\d.,]+)\s+(\d+)\s+(.+)$/.exec(line) ?? [];
    if (!pid || !cpu || !kb || !name) return [];
    const cpuPercentage = Number(cpu.replace(',', '.'));
    return [{ pid: Number(pid), name: name.trim(), cpuPercentage, ramMb: Math.round(Number(kb) / 1024) }];
  });
}
