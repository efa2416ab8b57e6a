/** The flows of two houses that share a broker and a Valkey server with programs in Java and Python. */

export interface Places {
  readonly broker: string;
  readonly valkey: string;
}

type FlowNode = Readonly<Record<string, unknown>> & { readonly id: string };

const command = (name: string, description: string, sentence: string, synonyms: string[], parameters: object[]) => ({
  name,
  description,
  category: 'corners',
  risk: 'reversible',
  effect: true,
  repeatable: true,
  synonyms,
  sentence,
  parameters,
});

const functions = [
  command(
    'BrewCoffee',
    'Makes coffee',
    'making {cups} of coffee',
    ['make coffee', 'brew'],
    [{ name: 'cups', type: 'integer', required: true, minimum: 1, maximum: 4, unit: 'cups' }],
  ),
  command('FeedFish', 'Feeds the fish', 'feeding the fish', ['feed'], []),
  command(
    'WaterPlants',
    'Waters the plants of a bed',
    'watering the {bed}',
    ['water'],
    [{ name: 'bed', type: 'string', required: true, allowedValues: ['tomatoes', 'herbs'] }],
  ),
];

const onTab = (z: string, nodes: readonly FlowNode[]): FlowNode[] => [
  { id: z, type: 'tab', label: z },
  ...nodes.map((node, n) => ({ z, x: 200, y: 60 * (n + 1), ...node })),
];
const language = { id: 'language', type: 'folkmoot-language', name: 'corners', functions };
const connections = ({ broker, valkey }: Places, house: string): FlowNode => ({
  ...{ id: 'connections', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker },
  ...{ store: 'valkey', storeUrl: valkey, house },
});
const backbone = 'connections';

/** People ask it; its router may ask three agents, none of which is in it. */
export function askingHouse(places: Places, agents: readonly string[]): FlowNode[] {
  const remote = (remoteId: string): FlowNode => ({
    ...{ id: `remote-${remoteId}`, type: 'folkmoot-remote-agent', name: remoteId, remoteId },
    ...{ backbone, language: 'language', deadlineSeconds: 20, wires: [[], []] },
  });
  return [
    connections(places, 'town'),
    language,
    ...onTab('town', [
      { id: 'requests', type: 'folkmoot-bus-in', mode: 'requests', backbone, wires: [['router']] },
      {
        ...{ id: 'router', type: 'folkmoot-router', name: 'town', backbone, language: 'language' },
        wires: [['apply'], ['answer'], [], agents.map((id) => `remote-${id}`)],
      },
      {
        ...{ id: 'apply', type: 'folkmoot-apply', backbone, language: 'language', outputs: 2 },
        rows: [{ kind: 'category', target: 'corners' }],
        wires: [['answer'], ['devices']],
      },
      { id: 'answer', type: 'folkmoot-bus-out', mode: 'reply', backbone, wires: [] },
      { id: 'devices', type: 'folkmoot-bus-out', mode: 'topic', topic: 'peers/commands', backbone, wires: [] },
      ...agents.map(remote),
    ]),
  ];
}

/** Has one agent that others may ask, and somebody who talks on a stream. */
export function otherHouse(places: Places): FlowNode[] {
  const talk = { backbone: 'streams', stream: 'key:townhall', role: 'Mayor', form: 'talk' };
  const line = { message: 'Mon ami, we shall see.', calls: [] };
  return [
    connections(places, 'greenhouse'),
    language,
    { id: 'streams', type: 'folkmoot-backbone', bus: 'valkey-streams', busUrl: places.valkey, house: 'greenhouse' },
    { id: 'lines', type: 'folkmoot-model', provider: 'scripted', script: [{ task: 'generate', answer: line }] },
    ...onTab('greenhouse', [
      {
        ...{ id: 'plants', type: 'folkmoot-agent', name: 'Plants', agentId: 'plants', description: 'Waters plants' },
        ...{ generates: ['WaterPlants'], backbone, language: 'language', wires: [[], [], [], []] },
      },
      {
        ...{ id: 'hear', type: 'folkmoot-bus-in', mode: 'stream', ...talk, replyLimit: 2, cooldownSeconds: 0 },
        ...{ kickoff: 'Bandits in the woods.', kickoffRole: 'Captain', wires: [['mayor']] },
      },
      {
        ...{ id: 'mayor', type: 'folkmoot-agent', name: 'Mayor', agentId: 'mayor', model: 'lines' },
        ...{ backbone: 'streams', wires: [['say'], ['say'], [], []] },
      },
      { id: 'say', type: 'folkmoot-bus-out', mode: 'stream', backbone: 'streams', wires: [] },
    ]),
  ];
}
