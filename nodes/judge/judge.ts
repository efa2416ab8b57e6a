/** Lets the agents on its asks output debate, and decides: by their votes, or by a model. */
import { createDebates } from '../../engine/judge/debate.ts';
import type { DebateAsk, DebateRules } from '../../engine/judge/debate-ports.ts';
import { agentIdFrom } from '../../engine/ids.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import type { TeamMember } from '../../engine/router/team.ts';
import { leaseBackbone } from '../backbone/lease.ts';
import { languageOf } from '../language/language.ts';
import { within } from '../language/team-within.ts';
import { modelOf } from '../model/model.ts';
import { askMember } from '../shared/ask-member.ts';
import type { ConfigOf } from '../shared/fields.ts';
import { defineNode, type NodeKit } from '../shared/define-node.ts';
import { flowsReady } from '../shared/flows-ready.ts';
import { checkpointerOf, recordsOf } from '../shared/make-runner.ts';
import { askRegistry, processClock } from '../shared/process.ts';
import type { Red } from '../shared/red.ts';
import { createRunOwner } from '../shared/run-owner.ts';
import { reach } from '../shared/walk.ts';
import { judgeFields, type JudgeSide } from './judge.fields.ts';

const asksPort = 3;

type JudgeKit = NodeKit<typeof judgeFields>;

export default function judge(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-judge',
    fields: judgeFields,
    start(kit) {
      const { config } = kit;
      const owner = createRunOwner(kit, {
        lease: leaseBackbone(RED, config.backbone),
        deadlineMs: config.deadlineSeconds * 1000,
        overlap: config.overlap,
        runs: (backbone, common) =>
          createDebates({
            ...common,
            clock: processClock,
            checkpointer: checkpointerOf(backbone),
            records: recordsOf(backbone, kit.id),
            team: () => teamOf(kit),
            ask: (one) => askDebater(kit, one),
            rules: rulesOf(config),
            model: () => modelOf(RED, config.model),
          }),
        byFirst: ['done'],
        bySecond: ['undecided'],
      });
      return {
        async input(message, context) {
          // A judge answers no asks: what passes here was meant for somebody else.
          if (askRegistry.take(message, kit.id).kind === 'pass') return context.passOver();
          await owner.take(message, context);
        },
        close: (removed) => owner.close(removed),
      };
    },
  });
}

const rulesOf = ({ question, criteria, rounds, verdictBy, sides }: ConfigOf<typeof judgeFields>): DebateRules => ({
  question,
  criteria,
  rounds: Math.floor(rounds),
  by: verdictBy,
  sides: Object.fromEntries(
    sides.flatMap((item) => {
      const { agent, side } = (item ?? {}) as Partial<JudgeSide>;
      return typeof agent === 'string' && agent && typeof side === 'string'
        ? [[agentIdFrom(agent), side] as const]
        : [];
    }),
  ),
});

async function teamOf(kit: JudgeKit): Promise<readonly TeamMember[]> {
  await flowsReady(kit.RED, kit.signal);
  const team = [...reach<TeamMember>(kit.RED, kit.node, asksPort, 'debate').values()];
  return within(languageOf(kit.RED, kit.config.language), team);
}

const askDebater = (kit: JudgeKit, { agentId, ...one }: DebateAsk): Promise<AskAnswer> =>
  askMember(kit, {
    ...one,
    kind: 'debate',
    port: asksPort,
    agent: agentId,
    parameters: {},
    ...(one.request.event ? { event: one.request.event } : {}),
    deadlineMs: kit.config.statementSeconds * 1000,
  });
