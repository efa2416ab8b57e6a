/** What is known here of an agent or tool elsewhere, how it is asked, and the look of whether it is there. */
import { agentIdFrom } from '../../engine/agent/agent-id.ts';
import type { AgentDefinition } from '../../engine/agent/definition.ts';
import { asError, folkmootError } from '../../engine/errors.ts';
import type { Sender } from '../../engine/bus/our-properties.ts';
import { limits } from '../../engine/limits.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import { askElsewhere, askEverybody, type RemoteStep } from '../../engine/registry/remote-work.ts';
import { callElsewhere, remoteToolCard } from '../../engine/registry/remote-tool.ts';
import { trustedMember } from '../../engine/registry/trusted-member.ts';
import type { ToolCard } from '../../engine/tools/tool-card.ts';
import type { Backbone, BackboneLease } from '../backbone/lease.ts';
import { membershipOf, type Membership } from '../backbone/membership.ts';
import { languageInUse } from '../language/language-in-use.ts';
import { processClock } from '../shared/process.ts';
import type { RemoteKit } from './remote-agent.ts';

export interface Contact {
  /** As this house sees it; without its card what this house allows it. */
  member(): AgentDefinition;
  /** Nothing while it is not known, or can't be used. */
  toolCard(): ToolCard | undefined;
  /** Never rejects. */
  ask(work: RemoteStep): Promise<AskAnswer>;
  call(work: Omit<RemoteStep, 'kind'>): Promise<AskAnswer>;
  close(): void;
}

interface Joined {
  readonly backbone: Backbone;
  readonly membership: Membership;
}

export function createContact(kit: RemoteKit, lease: BackboneLease): Contact {
  const { config } = kit;
  const isTool = config.kind === 'tool';
  const deadlineMs = config.deadlineSeconds * 1000;
  let joined: Joined | undefined;
  let lastProblem = '';
  const stops: (() => void)[] = [];

  const look = () => {
    if (config.mode === 'amica') return kit.status('idle');
    const status = isTool ? tool()?.status : agent()?.status;
    kit.status(status === 'online' ? 'connected' : 'disconnected');
  };
  const join = async () => {
    const backbone = await lease.ready;
    if (kit.signal.aborted) return;
    const membership = membershipOf(backbone);
    if (!membership) throw folkmootError('FOLKMOOT_BUS_NEEDS_BROKER', 'Others are reached over a broker only.');
    const needsId = config.remoteId === '' && (isTool || config.mode === 'directed');
    if (needsId) throw folkmootError('FOLKMOOT_BAD_SETTING', 'It is not said which agent or tool this is.');
    joined = { backbone, membership };
    stops.push(membership.registry.onChange(look));
    stops.push(membership.onProblem((problem) => kit.warn(problem.message)));
    await membership.registry.ready;
    look();
  };
  const joining = join().catch((error: unknown) => {
    if (kit.signal.aborted) return;
    kit.status('failed');
    kit.error(error);
  });

  const agent = () => joined?.membership.registry.agent(config.remoteId);
  const tool = () => joined?.membership.registry.tool(config.remoteId);
  const senderOf = ({ backbone: { house, processId } }: Joined): Sender => ({
    agentId: agentIdFrom(`folkmoot ${house}`),
    house,
    process: processId,
  });

  const member = () => {
    const card = agent()?.card;
    const name = config.name || card?.name || config.remoteId || 'somebody elsewhere';
    return trustedMember(card, {
      agentId: agentIdFrom(config.name || config.remoteId),
      name,
      description: config.description,
      language: languageOf(kit),
      generates: config.generates,
    });
  };

  const toolCard = () => {
    const body = tool()?.card;
    if (!body) return undefined;
    const { name, description, risk, effect } = config;
    try {
      return remoteToolCard(body, { nodeId: kit.id, name, description, risk, effect, timeoutMs: deadlineMs });
    } catch (error) {
      const { message } = asError(error);
      if (message !== lastProblem) kit.warn(message);
      lastProblem = message;
      return undefined;
    }
  };

  return {
    member,
    toolCard,
    async ask(work) {
      await joining;
      if (!joined) return unreachable;
      const { bus } = joined.backbone;
      const common = { bus, clock: processClock, sender: senderOf(joined), deadlineMs, member: member() };
      const { registry, house } = { ...joined.membership };
      return whileAlive(work, () =>
        config.mode === 'amica'
          ? askEverybody({ ...common, userName: house }, work)
          : askElsewhere({ ...common, registry, agentId: config.remoteId }, work),
      );
    },
    async call({ id, payload, moot, signal, touch }) {
      await joining;
      const [card, channel] = [toolCard(), tool()?.card?.channel ?? ''];
      if (!joined || !card) return unreachable;
      const { bus } = joined.backbone;
      const { registry } = joined.membership;
      const options = { bus, registry, sender: senderOf(joined), deadlineMs, toolId: config.remoteId, card, channel };
      const call = { id, given: payload, moot, signal };
      return whileAlive(touch ? { touch } : {}, () => callElsewhere(options, call));
    },
    close() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}

/** What is asked here has a deadline of silence; that of the exchange itself bounds it. */
async function whileAlive({ touch }: Pick<RemoteStep, 'touch'>, work: () => Promise<AskAnswer>): Promise<AskAnswer> {
  let timer = processClock.setTimer(beat, limits.toolSignOfLifeMs);
  function beat(): void {
    touch?.();
    timer = processClock.setTimer(beat, limits.toolSignOfLifeMs);
  }
  return work().finally(() => processClock.clearTimer(timer));
}

function languageOf(kit: RemoteKit) {
  try {
    return languageInUse(kit.RED, kit.config.language);
  } catch {
    // A chosen one that is missing: then it may only talk.
    return undefined;
  }
}

const unreachable: AskAnswer = {
  status: 'failed',
  payload: 'That can’t be reached from here.',
  mutations: [],
  error: { code: 'FOLKMOOT_NOT_HERE', message: 'It is not known on the broker, or there is no broker.' },
};
