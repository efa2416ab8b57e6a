/** Plans a request and asks the agents that its asks output is wired to. */
import type { PlanStep } from '../../engine/moot.ts';
import type { AskContext } from '../../engine/plan/run-ports.ts';
import type { TeamMember } from '../../engine/router/team.ts';
import { plannerOf } from '../../engine/router/plan.ts';
import { leaseBackbone } from '../backbone/lease.ts';
import { languageOf } from '../language/language.ts';
import { within } from '../language/team-within.ts';
import { askMember } from '../shared/ask-member.ts';
import { carriedOutBehind } from '../shared/carriers.ts';
import { endAtClose } from '../shared/ask-registry.ts';
import { askRegistry } from '../shared/process.ts';
import { defineNode, type NodeKit } from '../shared/define-node.ts';
import { flowsReady } from '../shared/flows-ready.ts';
import { usageLimitsOf } from '../shared/limit-fields.ts';
import type { Red } from '../shared/red.ts';
import { teamRuns } from '../shared/make-runner.ts';
import { answerProposal, proposingCard } from '../shared/proposals.ts';
import { createRunOwner } from '../shared/run-owner.ts';
import { takeRequest } from '../shared/take-request.ts';
import { reach } from '../shared/walk.ts';
import { serveFolders, showFolderOf } from './folder-list.ts';
import { createFolderTeam, type FolderTeam } from './folder-team.ts';
import { routerFields } from './router.fields.ts';
import { createTierAtRouter, planModelOf, withWords } from './tier-at-router.ts';
import { answerOf, approvalsOf, showWaiting } from './waiting-at-router.ts';

const resultPort = 0;
const asksPort = 3;

export default function router(RED: Red): void {
  serveFolders(RED);
  defineNode(RED, {
    type: 'folkmoot-router',
    fields: routerFields,
    start(kit) {
      const { config } = kit;
      const lease = leaseBackbone(RED, config.backbone);
      const folder = createFolderTeam(kit, lease);
      showFolderOf(kit.node, folder);
      const first = createTierAtRouter(kit, lease.ready);
      const owner = createRunOwner(withWords(kit, first), {
        lease,
        answers: (message, backbone) => answerOf(kit, message, backbone),
        deadlineMs: config.deadlineSeconds * 1000,
        overlap: config.overlap,
        runs: teamRuns({
          team: () => teamOf(kit, folder),
          call: (call) => plannerOf(planModelOf(kit))(call),
          tier: first.tier,
          ask: (step, context) => folder.ask(step, context) ?? askStep(kit, step, context),
          routerDescription: config.description,
          limits: usageLimitsOf(config),
          isHandled: (name) => carriedOutBehind(RED, kit.node, resultPort, name),
          approvals: (backbone) => approvalsOf(kit, backbone),
        }),
      });
      showWaiting(kit, lease.ready);
      return {
        // Of a serve node; no other asks are for routers.
        role: { kinds: ['request'], card: () => proposingCard(kit) },
        async input(message, context) {
          const taken = askRegistry.take(message, kit.id);
          if (taken.kind === 'pass') return context.passOver();
          if (taken.kind === 'ask' && taken.ask.info.proposeOnly)
            return answerProposal(kit, taken.ask, message, config);
          if (taken.kind === 'ask') return takeRequest(owner, taken.ask, message, context);
          await owner.take(message, context);
        },
        close: (removed) => {
          askRegistry.endTakenBy(kit.id, endAtClose(removed));
          return owner.close(removed);
        },
      };
    },
  });
}

type RouterKit = NodeKit<typeof routerFields>;

async function teamOf(kit: RouterKit, folder: FolderTeam): Promise<readonly TeamMember[]> {
  await flowsReady(kit.RED, kit.signal);
  const team = [...reach<TeamMember>(kit.RED, kit.node, asksPort, 'step').values()];
  return within(languageOf(kit.RED, kit.config.language), await folder.join(team));
}

const askStep = (kit: RouterKit, step: PlanStep, context: AskContext) =>
  askMember(kit, {
    ...context,
    kind: 'step',
    port: asksPort,
    agent: step.agent,
    step: step.id,
    payload: step.prompt,
    parameters: step.parameters,
    ...(step.confirmed ? { confirmed: true } : {}),
    deadlineMs: kit.config.stepSeconds * 1000,
  });
