/**
 * What the planner is told. The data for models without a language (`TaskData`) is made first, and the prompt is rendered
 * from it, so both hold the same agents, topics and parameters. Functions are data only: planning never shows them.
 */
import { standingOrders } from '../agent/definition.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { wordsOf } from '../language/words.ts';
import { limits } from '../limits.ts';
import type { PendingQuestion, PlanAnswer, TaskAgent, TaskData } from '../model/model.ts';
import type { EventRecord, Mutation } from '../moot.ts';
import { specsOf } from './dependencies.ts';
import { chatAgentId, fallbackIn } from './team.ts';
import type { TeamMember } from './team.ts';

export interface HistoryLine {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface PlanInput {
  /** The person's words or the event's sentence, at most `limits.requestChars`. */
  readonly request: string;
  readonly team: readonly TeamMember[];
  /** Application data that is on the board before the run. */
  readonly board?: readonly Pick<Mutation, 'function' | 'parameters'>[];
  readonly pending?: PendingQuestion;
  /** Present in an event-run: then only standing orders act. */
  readonly event?: readonly EventRecord[];
  /** Oldest first. */
  readonly history?: readonly HistoryLine[];
  /** A plan made before, which the request says how to change. */
  readonly previous?: Pick<PlanAnswer, 'message' | 'steps'>;
  /** A person is asked before anything is done. */
  readonly asksFirst?: boolean;
  /** What the team is for. */
  readonly routerDescription?: string;
}

/**
 * Whom talk goes to, if to anybody. Nobody talks to an event, and who changes a plan that waits is answered by the planner, so
 * that the plan stays what it is about.
 */
export const talkerFor = ({ team, event, previous }: Pick<PlanInput, 'team' | 'event' | 'previous'>) =>
  event || previous ? undefined : fallbackIn(team);

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** The planner's data, cut so that the prompt made of it stays within `limits.promptChars`. */
export function planTask(input: PlanInput): TaskData {
  const talker = talkerFor(input);
  let task: TaskData = {
    task: 'plan',
    request: input.request.slice(0, limits.requestChars),
    agents: [
      ...input.team.map((member) => ({
        ...taskAgent(member),
        ...(member === talker ? { fallback: true as const } : {}),
      })),
      chatAgent(input.routerDescription ?? ''),
    ],
    functions: [...new Map([...toolsOf(input.team), ...specsOf(input.team)]).values()],
    board: (input.board ?? [])
      .slice(-limits.askMutations)
      .map(({ function: name, parameters }) => ({ function: name, parameters })),
    history: (input.history ?? []).slice(-limits.planHistory),
    ...(input.pending ? { pending: input.pending } : {}),
    ...(input.previous ? { previous: input.previous } : {}),
    ...(input.asksFirst ? { asksFirst: true as const } : {}),
    ...(input.event ? { event: input.event, orders: input.team.flatMap(standingOrders) } : {}),
  };
  for (const shorten of shortenings) {
    while (promptLength(task) > limits.promptChars) {
      const shorter = shorten(task);
      if (!shorter) break;
      task = shorter;
    }
  }
  return task;
}

/** What goes first when a prompt is too long: old talk, old data, then the ends of descriptions and topics. */
const shortenings: readonly ((task: TaskData) => TaskData | undefined)[] = [
  (task) => (task.history?.length ? { ...task, history: task.history.slice(1) } : undefined),
  (task) => (task.board.length ? { ...task, board: task.board.slice(1) } : undefined),
  (task) => eachAgent(task, (agent) => ({ ...agent, description: cut(agent.description, 160) })),
  (task) => eachAgent(task, (agent) => ({ ...agent, topics: agent.topics.slice(0, 5).map((topic) => cut(topic, 40)) })),
];

function eachAgent(task: TaskData, change: (agent: TaskAgent) => TaskAgent): TaskData | undefined {
  const shorter = { ...task, agents: task.agents.map(change) };
  return promptLength(shorter) < promptLength(task) ? shorter : undefined;
}

const taskAgent = (member: TeamMember): TaskAgent => ({
  agentId: member.agentId,
  name: member.name,
  description: cut(member.description, 1_000),
  topics: member.topics.slice(0, 50),
  parameters: member.parameters.slice(0, 50),
  accepts: member.accepts,
  generates: [...new Set([...member.generates, ...(member.tools ?? []).map(({ name }) => name)])],
  ...(member.tools?.length ? { tools: member.tools.map(({ name }) => name) } : {}),
});

/** Tools of the team by name. */
const toolsOf = (team: readonly TeamMember[]) =>
  team.flatMap(({ tools = [] }) => tools.map((spec) => [spec.name, spec] as const));

const chatAgent = (routerDescription: string): TaskAgent => ({
  agentId: chatAgentId,
  name: chatAgentId,
  description: routerDescription || 'Talk about what this team does, when nobody else fits.',
  topics: [],
  parameters: ['subjects'],
  accepts: [],
  generates: [],
});

const promptLength = (task: TaskData): number => {
  const { system, user } = planPrompt(task);
  return system.length + user.length;
};

/** The prompt in words, made of the planner's data and nothing else. */
export function planPrompt(task: TaskData): { readonly system: string; readonly user: string } {
  const system = [
    rulesFor(task.agents.find(({ fallback }) => fallback)),
    `The team:\n${task.agents.map((agent) => agentLine(agent, task)).join('\n')}`,
    ...(task.orders
      ? [
          'This time something happened; nobody said anything. Act only if it fits one of these standing orders, and then' +
            ` do what the order says, as if a person had said it:\n${task.orders.map(({ agent, when, request }) => `- ${agent}: when ${when}: ${request}`).join('\n') || '- (there are none)'}`,
        ]
      : []),
  ].join('\n\n');
  const user = [
    ...(task.history?.length
      ? [`So far:\n${task.history.map(({ role, text }) => `${role}: ${cut(text, 1_000)}`).join('\n')}`]
      : []),
    ...(task.board.length
      ? [
          `Known already:\n${task.board.map((entry) => `- ${entry.function} ${JSON.stringify(entry.parameters)}`).join('\n')}`,
        ]
      : []),
    ...(task.previous ? [`The plan so far, to be changed by what is said now:\n${JSON.stringify(task.previous)}`] : []),
    ...(task.pending
      ? [
          `The person was asked: "${task.pending.question}" about: "${task.pending.request}". If what is said now answers` +
            ' that, put both together into one complete prompt; if it is a request of its own, forget the question.',
        ]
      : []),
    ...(task.asksFirst ? ['The person is asked before anything is done, so promise nothing in "message".'] : []),
    ...(task.event ? [`What happened, as data:\n${cut(JSON.stringify(task.event), 4_000)}`] : []),
    `${task.event ? 'What happened' : 'The person says'}:\n${task.request}`,
    ...(task.finding ? [`Your last answer could not be read: ${task.finding}`] : []),
  ].join('\n\n');
  return { system, user };
}

const agentLine = (agent: TaskAgent, { functions }: TaskData): string =>
  [
    `- ${agent.agentId}${agent.name === agent.agentId ? '' : ` (${agent.name})`}: ${agent.description}`,
    ...(agent.topics.length ? [`  topics: ${agent.topics.join(', ')}`] : []),
    ...(agent.parameters.length ? [`  parameters: ${agent.parameters.join(', ')}`] : []),
    ...(agent.tools?.length
      ? [`  has tools: ${agent.tools.map((name) => toolLine(functions.find((spec) => spec.name === name))).join('; ')}`]
      : []),
  ].join('\n');

const toolLine = (spec: FunctionSpec | undefined): string => cut(spec?.description || wordsOf(spec?.name ?? ''), 160);

const rulesFor = (
  talker: TaskAgent | undefined,
): string => `You decide who of a team does what with a request. Answer by calling make_plan; if you cannot, answer with JSON alone: {"message": "", "steps": [{"agent": "", "prompt": "", "parameters": {"name": ["value"]}, "after": [0]}], "questions": [{"request": "", "question": ""}], "declined": false}.
- Consider each member of the team. Choose only those that are really needed, in the best order; the same one may be chosen more than once.
- Write each chosen member a prompt of its own that is understandable without anything else: every place, value and name in it, nothing that others do.
- Fill a member's parameters from the request, by their names; leave out those that are not said.
- "after" names the positions, from 0, of earlier steps whose result a step needs. Steps without it run at the same time.
- What the request says now comes before anything said earlier.
- ${talker ? talkTo(talker) : talkYourself} If even that does not fit, set "declined" and say so politely.
- Never guess. A part of the request that is unclear goes into "questions", with its own words and what to ask; the other parts go on. What is denied, only reported, only imagined or a joke leads to no step.
- "message" is friendly and plain, without technical terms, names of members or lists of steps.`;

const talkYourself =
  'If nobody fits but the words suit the team, choose nobody and answer in "message" (that is what "chat" is for).';

const talkTo = ({ agentId }: TaskAgent): string =>
  `If nobody else fits but the words suit the team, such as small talk or a question about what it does, choose "chat", for` +
  ` which ${agentId} answers: its prompt holds all that was said, and "message" stays empty.`;
