/**
 * A second process for `debate-kill.spec.ts`: three debaters, two rounds. `start` is killed in the middle of the second
 * round, when two have spoken and the third is being asked, without closing anything; `resume` goes on with the run. It
 * prints the id of each ask that is really made, and each verdict that is delivered.
 */
import { sleep, systemClock } from '../clock.ts';
import { createModel } from '../model/catalogue.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { createRunRecords } from '../plan/run-records.ts';
import type { TeamMember } from '../router/team.ts';
import { createCheckpointer } from '../store/checkpointer.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { createDebates } from './debate.ts';

const [, , path = '', mode = ''] = process.argv;
const say = (line: string) => new Promise<void>((done) => process.stdout.write(`${line}\n`, () => done()));

const heat: FunctionSpec = {
  name: 'Heat',
  description: 'Heats',
  category: 'heating',
  risk: 'reversible',
  effect: true,
  repeatable: true,
  parameters: [],
};
const member = (agentId: string, functions: readonly FunctionSpec[] = []): TeamMember => ({
  nodeId: agentId,
  agentId,
  name: agentId,
  description: '',
  topics: [],
  parameters: [],
  accepts: [],
  generates: functions.map(({ name }) => name),
  instructions: '',
  functions,
});
const statements = {
  comfort: { claim: 'Heat', confidence: 0.9, reasons: [], proposal: [{ id: 'm1', function: 'Heat', parameters: {} }] },
  costs: { claim: 'Save', confidence: 0.4, reasons: [], proposal: [] },
  garden: { claim: 'Save', confidence: 0.2, reasons: [], proposal: [] },
} as const;

const store = createEmbeddedStore({ path });
const checkpointer = await createCheckpointer(store);
const records = createRunRecords(store, { owner: 'judge', house: 'home', clock: systemClock });
/** What is saved of a round before it is over. */
async function spokenInThisRound(): Promise<number> {
  const saved = await checkpointer.getTuple({ configurable: { thread_id: 'r1', checkpoint_ns: '' } });
  return (saved?.pendingWrites ?? []).filter(([, channel]) => channel === 'statements').length;
}

const debates = createDebates({
  clock: systemClock,
  records,
  checkpointer: () => Promise.resolve(checkpointer),
  rules: { question: 'Heat or save?', criteria: '', rounds: 2, by: 'weighted', sides: {} },
  model: () => createModel({ provider: 'rules' }),
  team: () => Promise.resolve([member('comfort', [heat]), member('costs'), member('garden')]),
  async ask(one) {
    await say(one.id);
    if (mode === 'start' && one.payload.round === 2 && one.agentId === 'garden') {
      // What the others say is saved a moment later than it came.
      while ((await spokenInThisRound()) < 2) await sleep(systemClock, 20);
      process.kill(process.pid, 'SIGKILL');
      await new Promise(() => undefined);
    }
    return { status: 'answered', payload: statements[one.agentId as keyof typeof statements], mutations: [] };
  },
  deliver: ({ outcome, verdict }) => say(JSON.stringify({ outcome, verdict })),
});

if (mode === 'start') await debates.start({ run: 'r1', text: 'it is 17 degrees' });
else for (const { run } of await records.openRuns()) await debates.resume(run);
await debates.close();
await store.close();
