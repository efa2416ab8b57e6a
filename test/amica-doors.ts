/** Doors for requests on one store and bus: each that is started is another process. */
import { writeRequest } from '../engine/bus/amica.ts';
import type { AmicaRequest } from '../engine/bus/amica.ts';
import { createInProcessBus } from '../engine/bus/in-process.ts';
import { amicaTopics } from '../engine/bus/topics.ts';
import { fakeClock } from '../engine/clock.ts';
import { limits } from '../engine/limits.ts';
import { createRunRecords, openRequests } from '../engine/plan/run-records.ts';
import { createEmbeddedStore } from '../engine/store/embedded.ts';
import { createAmicaDoor } from '../engine/conversation/amica-door.ts';
import { createConversations } from '../engine/conversation/conversation.ts';
import { createRequestMemory } from '../engine/conversation/intake-memory.ts';
import { createRequestLedger } from '../engine/conversation/request-ledger.ts';
import { createTurns } from '../engine/conversation/turns.ts';

const house = 'h';
export const requestsKey = 'folkmoot:{h}:requests:';

export async function doors() {
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  // What a broker does is not what is shown here.
  const bus = Object.assign(Object.create(createInProcessBus({ clock })) as ReturnType<typeof createInProcessBus>, {
    kind: 'mqtt' as const,
  });
  const conversations = createConversations(store, clock);
  const heard: string[] = [];
  const problems: string[] = [];
  /** MESSAGE_ID of what is in `heard`. */
  const ids: (string | undefined)[] = [];
  await bus.subscribe('#', ({ topic, payload, properties }) => {
    if (topic !== amicaTopics.requests) ids.push(properties['MESSAGE_ID']);
    const body = JSON.parse(Buffer.from(payload).toString()) as { message?: string; conversationId?: string };
    if (topic === amicaTopics.events) heard.push(`ended ${body.conversationId}`);
    else if (topic !== amicaTopics.requests) heard.push(`${topic.split('/').at(-1)}: ${body.message}`);
  });
  /** Ends as a power cut does: nothing of it is heard or written any more. */
  const start = async (memory = createRequestMemory()) => {
    let isCut = false;
    let killedBy: string | undefined;
    const alive = async <T>(work: () => Promise<T>): Promise<T> => (isCut ? new Promise<T>(() => undefined) : work());
    const accepted: AmicaRequest[] = [];
    const ownStore = {
      ...store,
      put: (...put: Parameters<typeof store.put>) => alive(() => store.put(...put)),
      delete: (...of: Parameters<typeof store.delete>) => alive(() => store.delete(...of)),
    };
    const ownBus = Object.assign(Object.create(bus) as typeof bus, {
      publish: (...of: Parameters<typeof bus.publish>) =>
        alive(() => {
          isCut ||= killedBy !== undefined && String(of[1].payload).includes(killedBy);
          return bus.publish(...of);
        }),
    });
    const turns = createTurns(conversations, clock);
    const report = (problem: Error) => void problems.push(problem.message);
    const door = createAmicaDoor({
      bus: ownBus,
      clock,
      agentId: 'house-agent',
      requests: createRequestLedger({ store: ownStore, house, clock, memory, onProblem: report }),
      refused: createRequestMemory(),
      openRequests: () => openRequests(store, house),
      turns,
      report,
    });
    const taker = { owner: 'in', deadlineMs: 60_000, accept: (request: AmicaRequest) => void accepted.push(request) };
    const taken = await door.take(taker);
    return {
      ...door,
      accepted,
      taken,
      taker,
      door,
      close: () => taken.leave(),
      /** With the first message that says this it is gone in the middle of what it does; `cut` ends it. */
      killBy: (words: string) => void (killedBy = words),
      async cut() {
        isCut = true;
        const closed = taken.leave();
        await clock.advance(limits.closeWaitMs);
        await closed;
      },
    };
  };
  const ask = async (id: string, text = 'mow') => {
    const { topic, message } = writeRequest({
      messageId: id,
      conversationId: `c-${id}`,
      userName: 'ana',
      message: text,
      atMs: 0,
    });
    await bus.publish(topic, message);
    await clock.advance(0);
  };
  const records = createRunRecords(store, { owner: 'router', house, clock });
  const run = (id: string) =>
    records.open({ run: `run-${id}`, text: 'mow', request: { id, via: 'amica' } }, clock.now());
  return { clock, store, heard, ids, problems, start, ask, run, records };
}
