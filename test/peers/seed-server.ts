/** The HTTP server of gpt-multi-atomic-agents, with a model that is ours. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../red/node-red.ts';
import { gptMaa } from './gpt-maa.ts';

export interface SeedServer {
  readonly url: string;
  log(): string;
  stop(): Promise<void>;
}

const startMs = 60_000;

/** @param modelUrl Of an OpenAI-compatible server. */
export async function startSeedServer(modelUrl: string): Promise<SeedServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-seed-server-'));
  await writeFile(path.join(folder, 'config.ini'), "ai_platform = 'openai'\nmodel = 'small'\n");
  const port = await freePort();
  const env = { ...(await gptMaa()), OPENAI_API_KEY: 'none', OPENAI_BASE_URL: modelUrl };
  const words = ['-m', 'uvicorn', 'gpt_multi_atomic_agents.main_restapi:app', '--port', String(port)];
  const child = spawn('python3', words, { cwd: folder, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + startMs; ;) {
    if (await fetch(`${url}/openapi.json`).catch(() => undefined)) return { url, log: () => said, stop };
    if (child.exitCode !== null || Date.now() > end) {
      await stop();
      throw new Error(`The Python server did not start:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
