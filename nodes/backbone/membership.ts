/**
 * What a process shows of itself to others on its bus, and what it knows of them: presence, cards, registry. One for each
 * backbone whose bus is shared with others.
 */
import type { Refusal } from '../../engine/registry/answering.ts';
import { createCards, type Cards } from '../../engine/registry/cards.ts';
import { createPresence, presenceWill, type ProcessIdentity } from '../../engine/registry/presence.ts';
import { createRegistry, type Registry } from '../../engine/registry/registry.ts';
import { createRegistryService } from '../../engine/registry/registry-service.ts';
import { readSenders, refusedSenderWords } from '../../engine/people/senders.ts';
import { asError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import { processClock, runFeed } from '../shared/process.ts';
import type { Backbone } from './open-backbone.ts';

export interface Membership extends ProcessIdentity {
  readonly registry: Registry;
  readonly cards: Cards;
  readonly refusal: Refusal;
  readonly report: (problem: unknown) => void;
  /** Told of what is wrong with messages of others; the first listener only, so that a log says it once. */
  onProblem(listener: (problem: Error) => void): () => void;
}

const key = 'membership';

/** The connection's last will. */
export const willOf = presenceWill;

/** Nothing where the bus stays within the process: there is nobody to show oneself to. */
export const membershipOf = (backbone: Backbone): Membership | undefined =>
  backbone.bus.kind !== 'in-process' ? backbone.once(key, () => begin(backbone)) : undefined;

function begin(backbone: Backbone): Membership {
  const { bus, store, house, processId, since } = backbone;
  const listeners = new Set<(problem: Error) => void>();
  const report = (problem: unknown) => {
    const [first] = listeners;
    first?.(asError(problem));
  };
  const identity = { process: processId, house, since };
  const common = { ...identity, bus, clock: processClock, report };
  const registry = createRegistry({ ...common, store });
  const repeatSeconds = bus.kind === 'mqtt' ? undefined : limits.presenceRepeatSeconds;
  const presence = createPresence(bus, identity, { ...common, repeatSeconds });
  const cards = createCards({ ...common, registry });
  const refusal = refusalOf(backbone);
  const service = createRegistryService({
    ...common,
    ...{ registry, refusal, messages: registry.messages, sender: identity },
  });
  const stop = runFeed.onStarted(({ wanted }) => registry.heardUser(wanted?.user ?? ''));
  backbone.onClose(async () => {
    stop();
    cards.close();
    await service.close();
    await presence.close();
    await registry.close();
  });
  return {
    ...identity,
    registry,
    cards,
    refusal,
    report,
    onProblem(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function refusalOf({ settings, metrics }: Backbone): Refusal {
  const senders = readSenders(settings.allowedSenders);
  return (sender, topic) => {
    if (senders.allows(sender)) return undefined;
    metrics.refusedSender(topic);
    return refusedSenderWords;
  };
}
