/**
 * A second process for `tool-loop.spec.ts`: an agent asks two tools, the second one acts. `start` dies in the middle of the
 * second without closing anything; `resume` answers the same ask anew. Each tool that is really asked prints its ask's id.
 */
import { systemClock } from '../clock.ts';
import { createModel } from '../model/catalogue.ts';
import { createEffectLedger } from '../people/effects.ts';
import { createCheckpointer } from '../store/checkpointer.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import { runAgent } from './run-agent.ts';

const [, , path = '', mode = ''] = process.argv;
const say = (line: string) => new Promise<void>((done) => process.stdout.write(`${line}\n`, () => done()));

const tool = (name: string, effect: boolean): AgentTool => ({
  spec: {
    name,
    description: name,
    category: 'tools',
    risk: effect ? 'reversible' : 'read',
    effect,
    repeatable: !effect,
    parameters: [],
  },
  mark: 't',
  async ask(id) {
    await say(id);
    if (mode === 'start' && effect) {
      // The other one's answer is saved a moment later than it came.
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);
      await new Promise(() => undefined);
    }
    return { status: 'answered', payload: `${name} says so`, mutations: [] };
  },
  said: (_given, result) => String(result),
});

const store = createEmbeddedStore({ path });
const checkpointer = createCheckpointer(store);
const calls = ['Look', 'Act'].map((name) => ({ function: name, parameters: {} }));
const answer = await runAgent({
  agent: {
    agentId: 'agent',
    name: 'agent',
    description: '',
    topics: [],
    parameters: [],
    accepts: [],
    generates: [],
    instructions: '',
    functions: [],
  },
  model: createModel({ provider: 'scripted', script: [{ task: 'generate', answer: { message: '', calls } }] }),
  prompt: 'look and act',
  run: 'r1',
  step: 's1',
  tools: {
    askId: 'ask:r1/s1',
    owner: 'node',
    reached: () => [tool('Look', false), tool('Act', true)],
    checkpointer: () => Promise.resolve(checkpointer),
    effects: createEffectLedger(store, systemClock),
  },
});
await say(JSON.stringify(answer));
await store.close();
