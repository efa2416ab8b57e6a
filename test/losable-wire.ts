/** Connections to one bus in this process that a spec may lose and get back: what comes for one meanwhile is lost for it. */
import type { Bus, BusState } from '../engine/bus/bus.ts';
import { connectedAnew } from '../engine/bus/bus.ts';
import { createRequests } from '../engine/bus/requests.ts';
import { createProblems, createState } from '../engine/bus/subscribers.ts';
import { ourTopics } from '../engine/bus/topics.ts';
import type { Clock } from '../engine/clock.ts';
import { folkmootError } from '../engine/errors.ts';

export interface LosableWire {
  readonly bus: Bus;
  lose(): void;
  /** @param isAnew The broker has forgotten what was before, and who was here. Default: yes. */
  comeBack(isAnew?: boolean): void;
}

/** @param name Of its topic for answers. */
export function losableWire(broker: Bus, name: string, clock: Clock): LosableWire {
  const problems = createProblems();
  const state = createState('up', problems);
  const is = (now: BusState) => state.now === now;
  const publish: Bus['publish'] = async (topic, message, signal) => {
    const lost = () => folkmootError('FOLKMOOT_BUS_LOST', `The connection is lost, so nothing went to "${topic}".`);
    if (!is('up')) throw lost();
    await broker.publish(topic, message, signal);
    if (!is('up')) throw lost();
  };
  const subscribe: Bus['subscribe'] = (pattern, handler, options) =>
    broker.subscribe(pattern, (message) => (is('up') ? handler(message) : undefined), options);
  const { request } = createRequests({ clock, answerTopic: ourTopics.answers(name), most: 100, publish, subscribe });
  return {
    bus: {
      ...broker,
      get state() {
        return state.now;
      },
      onState: state.on,
      ...{ publish, subscribe, request },
      close: async () => state.set('closed'),
    },
    lose: () => state.set('down', 'the broker is gone'),
    comeBack: (isAnew = true) => state.set('up', isAnew ? connectedAnew : undefined),
  };
}
