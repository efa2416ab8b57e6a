import assert from 'node:assert/strict';
import { MemorySaver } from '@langchain/langgraph';
import { ownFiles, sharedFiles } from '../../test/shared-data.ts';
import { readJson } from '../../test/structure/sources.ts';
import type { AgentDefinition } from '../agent/definition.ts';
import { agentIdFrom } from '../ids.ts';
import { createBoard } from '../blackboard/board.ts';
import { exportBoard, importBoard } from '../blackboard/import-export.ts';
import { fakeClock } from '../clock.ts';
import { createLanguage } from '../language/language.ts';
import { createLocalChatModel } from '../model/local-chat-model.ts';
import type { Model, PlanAnswer, TaskData } from '../model/model.ts';
import { createRunner } from '../plan/run.ts';
import { plannerOf } from '../router/plan.ts';
import { createLocalTeam } from './local-team.ts';

type Saved = Partial<AgentDefinition> & { readonly type: string; readonly name: string };

/** Language and team of a flow that is shipped. */
function domainOf(example: string) {
  const nodes = readJson(`examples/${example}.json`) as readonly Saved[];
  const language = createLanguage(nodes.find(({ type }) => type === 'folkmoot-language')?.functions ?? []);
  const agents = new Map<string, AgentDefinition>();
  for (const { type, name, description = '', topics = [], parameters = [], ...node } of nodes) {
    if (type !== 'folkmoot-agent' || agents.has(name)) continue;
    const [accepts, generates] = [language.resolve(node.accepts ?? []), language.resolve(node.generates ?? [])];
    const known = new Set([...accepts, ...generates]);
    const functions = language.functions.filter((spec) => known.has(spec.name));
    const own = { agentId: agentIdFrom(name), name, description, topics, parameters, instructions: '' };
    agents.set(name, { ...own, accepts, generates, functions });
  }
  return { language, agents: [...agents.values()] };
}

/** Asks everybody for one step each and gives what their models were shown of the board, by agent. */
async function shownTo(example: string, file: string): Promise<Readonly<Record<string, TaskData['board']>>> {
  const { language, agents } = domainOf(example);
  const shown: Record<string, TaskData['board']> = {};
  const steps = agents.map(({ name }) => ({ agent: name, prompt: 'Go on with it' }));
  const plan: PlanAnswer = { message: 'On we go.', steps };
  const model: Model = {
    settings: { provider: 'scripted' },
    chat: () =>
      Promise.resolve(
        createLocalChatModel('spy', (data) => {
          if (data.task === 'plan') return plan;
          shown[data.agents[0]?.name ?? ''] = data.board;
          return { message: 'Nothing to add.', calls: [] };
        }),
      ),
  };
  const team = createLocalTeam({ agents, model: () => model });
  const saver = new MemorySaver();
  const runner = createRunner({
    clock: fakeClock(),
    checkpointer: () => Promise.resolve(saver),
    team: () => Promise.resolve(team.members),
    ask: team.ask,
    call: plannerOf(model),
  });
  const { mutations } = importBoard(file, language);
  await runner.start({ text: 'go on', mutations });
  return shown;
}

const countOf = (board: TaskData['board'] | undefined): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const one of board ?? []) counts[one.function] = (counts[one.function] ?? 0) + 1;
  return counts;
};

/** Creatures, vegetation and relationships in each of the worlds. */
const worlds: Readonly<Record<string, readonly [number, number, number]>> = {
  'village-1': [2, 1, 2],
  'a-team-1': [4, 0, 6],
  'alien-1': [6, 4, 6],
  'lotr-1': [9, 9, 5],
  'ullysses-1': [8, 8, 5],
};
const ending = '.function_call.json';
const worldFiles = { ...ownFiles('worlds', ending), ...sharedFiles('gpt-maa', ending) };

describe('A saved world on the board of its domain', () => {
  for (const [name, [creatures, vegetation, relationships]] of Object.entries(worlds)) {
    const file = worldFiles[`${name}${ending}`];
    if (file === undefined) continue;
    it(`shows each agent what it accepts, and no more: ${name} (55, 82)`, async () => {
      const shown = await shownTo('17 - a small world', file);
      const some = (counts: Readonly<Record<string, number>>) =>
        Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
      assert.deepEqual(countOf(shown['Creature Creator']), some({ AddCreature: creatures }));
      assert.deepEqual(countOf(shown['Vegetation Creator']), some({ AddVegetation: vegetation }));
      assert.deepEqual(
        countOf(shown['Relationship Creator']),
        some({ AddCreature: creatures, AddVegetation: vegetation }),
      );
      const { language } = domainOf('17 - a small world');
      const all = createBoard(importBoard(file, language));
      assert.equal(all.view().length, creatures + vegetation + relationships);
      assert.deepEqual(exportBoard(all), JSON.parse(file));
    });
  }

  it('has values that the language does not allow as they were, for whoever reads on', async () => {
    const shown = await shownTo('17 - a small world', worldFiles[`village-1${ending}`] ?? '');
    assert.deepEqual(
      shown['Creature Creator']?.map(({ parameters }) => [parameters['allowed_terrain'], parameters['age']]),
      [
        ['coast', 41],
        ['moon', '7'],
      ],
    );
  });

  it('lets one household robot know where grass lies, without a link between the two (56)', async () => {
    const file = worldFiles[`mow-lawn-1${ending}`] ?? worldFiles[`lawn-1${ending}`];
    const shown = await shownTo('18 - a household', file ?? '');
    assert.deepEqual(countOf(shown['Waste Disposer']), {
      ProduceCutGrass: 2,
      CollectWaste: 2,
      TakeWasteToCollectionSite: 2,
    });
    assert.deepEqual(countOf(shown['Lawn Mower']), {});
    assert.deepEqual(countOf(shown['Summarizer']), {
      MowLawn: 2,
      ProduceCutGrass: 2,
      CollectWaste: 2,
      TakeWasteToCollectionSite: 2,
    });
  });
});
