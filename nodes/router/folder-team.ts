/** Agents of a folder join a router's team without a wire: they are data, and its model works for them. */
import { resolve } from 'node:path';
import { watchAgentsFolder, type AgentsFolder, type FolderState } from '../../engine/agent-documents/agents-folder.ts';
import type { AskAnswer, PlanStep } from '../../engine/moot.ts';
import type { AskContext } from '../../engine/plan/run-ports.ts';
import type { TeamMember } from '../../engine/router/team.ts';
import { createLocalTeam, isLocal, type LocalTeam } from '../../engine/team/local-team.ts';
import type { BackboneLease } from '../backbone/lease.ts';
import { languageInUse } from '../language/language-in-use.ts';
import { modelOf } from '../model/model.ts';
import { agentFoldersOf } from '../shared/agent-folders.ts';
import { applicationData } from '../shared/application-data.ts';
import type { NodeKit } from '../shared/define-node.ts';
import { flowsReady, onReady } from '../shared/flows-ready.ts';
import { keptAnswer } from '../shared/kept-answer.ts';
import { processClock } from '../shared/process.ts';
import type { routerFields } from './router.fields.ts';
import { tellOnce } from './tell-once.ts';

type RouterKit = NodeKit<typeof routerFields>;

export interface FolderTeam {
  /** The team with those of the folder. Where both have an id, the one on a wire counts. */
  join(wired: readonly TeamMember[]): Promise<readonly TeamMember[]>;
  /** Nothing: it is asked over a wire. */
  ask(step: PlanStep, context: AskContext): Promise<AskAnswer> | undefined;
  /** With whom the folder can't give to the team. */
  state(): FolderState;
}

/** Blank setting: a team of those on wires alone. It ends with the node. */
export function createFolderTeam(kit: RouterKit, lease: BackboneLease): FolderTeam {
  if (!kit.config.agentsFolder)
    return { join: (wired) => Promise.resolve(wired), ask: () => undefined, state: () => nobody };
  const tell = tellOnce(kit);
  let folder: AgentsFolder | undefined;
  let clashes: readonly string[] = [];
  const agents = () => (folder?.state ?? nobody).agents;
  const state = () => ({ agents: agents(), problems: [...(folder?.state ?? nobody).problems, ...clashes] });
  // What the house can do is known when all nodes stand.
  const opened = flowsReady(kit.RED, kit.signal).then(() => (folder = openFolder(kit, () => tell(state().problems))));
  enlist(kit, lease, opened, state);
  return {
    state,
    async join(wired) {
      await (
        await opened
      ).ready;
      const isWired = (id: string) => wired.some(({ agentId }) => agentId === id);
      clashes = agents()
        .filter(({ definition }) => isWired(definition.agentId))
        .map(
          ({ file, definition: { agentId } }) => `${file}: "${agentId}" is on a wire already, so that one is asked.`,
        );
      tell(state().problems);
      return [...wired, ...localTeam(kit, agents()).members.filter(({ agentId }) => !isWired(agentId))];
    },
    ask: (step, context) => (isLocal(context.nodeId) ? ask(kit, lease, agents(), step, context) : undefined),
  };
}

const nobody: FolderState = { agents: [], problems: [] };

const pathOf = ({ RED, config }: RouterKit): string => resolve(RED.settings.userDir ?? '', config.agentsFolder);

const openFolder = (kit: RouterKit, onChange: () => void): AgentsFolder =>
  watchAgentsFolder({
    path: pathOf(kit),
    language: () => languageInUse(kit.RED, kit.config.language),
    clock: processClock,
    onChange,
  });

/** Others may list and reload it, and it is read again after each deploy: functions may have come or gone. */
function enlist(kit: RouterKit, lease: BackboneLease, opened: Promise<AgentsFolder>, state: () => FolderState): void {
  const { RED, id, signal } = kit;
  const reload = async () => {
    await (await opened).reload();
    return state();
  };
  const forget = onReady(RED, () => void reload().catch(() => undefined));
  const known = {
    ...{ router: id, path: pathOf(kit), reload },
    get state() {
      return state();
    },
  };
  const folders = lease.ready.then(agentFoldersOf);
  folders.then((all) => !signal.aborted && all.add(known)).catch(() => undefined);
  signal.addEventListener('abort', () => {
    forget();
    opened.then((folder) => folder.close()).catch(() => undefined);
    folders.then((all) => all.delete(known)).catch(() => undefined);
  });
  opened.catch(() => undefined);
}

const localTeam = ({ RED, config }: RouterKit, agents: FolderState['agents'], data?: string): LocalTeam =>
  createLocalTeam({
    agents: agents.map(({ definition }) => definition),
    model: () => modelOf(RED, config.model),
    stepDeadlineMs: config.stepSeconds * 1000,
    clock: processClock,
    ...(data === undefined ? {} : { data }),
  });

async function ask(
  kit: RouterKit,
  lease: BackboneLease,
  agents: FolderState['agents'],
  step: PlanStep,
  given: AskContext,
) {
  const context = { ...given, signal: AbortSignal.any([given.signal, kit.signal]) };
  const backbone = await lease.ready;
  const isGraphql = agents.some(({ definition }) => definition.agentId === step.agent && definition.graphql);
  const data = isGraphql ? await applicationData(backbone, context.request) : context.request.data;
  return keptAnswer(backbone, context, () => localTeam(kit, agents, data).ask(step, context));
}
