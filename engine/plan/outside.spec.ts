import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { outside } from './outside.ts';
import { answerOf, answered, planner, sampleRunner, sampleTeam } from '../../test/plan/sample-team.ts';

/** The thread that LangGraph would take this call for a part of. */
const foreignThread = (): unknown => {
  const config = AsyncLocalStorageProviderSingleton.getRunnableConfig() as
    { configurable?: Record<string, unknown> } | undefined;
  return config?.configurable?.['thread_id'];
};

describe('outside of a graph', () => {
  it('is no context of a graph, where inside there is one; afterwards the context is back', async () => {
    const seen: unknown[] = [];
    const graph = new StateGraph(Annotation.Root({ n: Annotation<number> }))
      .addNode('look', async () => {
        seen.push(foreignThread());
        seen.push(await outside(async () => (await setImmediate(), foreignThread())));
        seen.push(foreignThread());
        return { n: 1 };
      })
      .addEdge(START, 'look')
      .addEdge('look', END)
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ n: 0 }, { configurable: { thread_id: 'inner' } });
    assert.deepEqual(seen, ['inner', undefined, 'inner']);
  });

  it('is where a run calls all that it is given: agents, planner, team, listeners, history, delivery', async () => {
    const seen: Record<string, unknown> = {};
    const look = (who: string) => {
      seen[who] ??= foreignThread();
      seen[who] ??= 'nobody';
    };
    const { runner, events } = sampleRunner({
      call: (call) => (look('planner'), planner(() => answerOf([['lights', 'on']]))(call)),
      team: async () => (look('team'), sampleTeam),
      ask: async () => {
        await setImmediate();
        look('agent');
        return answered('ok');
      },
      history: async () => (look('history'), []),
      questions: { open: async () => look('open'), take: async () => (look('take'), undefined) },
      deliver: () => look('deliver'),
      onEvent: ({ kind }) => look(`event ${kind}`),
    });
    await runner.start({ text: 'light' });
    assert.equal(events.length, 0);
    assert.deepEqual([...new Set(Object.values(seen))], ['nobody']);
    assert.ok(Object.keys(seen).length >= 10, Object.keys(seen).join());
  });

  it('is where a run begins that is started from inside of another graph', async () => {
    const other = new AsyncLocalStorage<string>();
    const { runner } = sampleRunner({ call: planner(() => answerOf([['lights', 'on']])) });
    const graph = new StateGraph(Annotation.Root({ outcome: Annotation<string> }))
      .addNode('inner', async () => {
        const result = await runner.start({ text: 'light', run: 'own-thread' });
        return { outcome: result?.outcome };
      })
      .addEdge(START, 'inner')
      .addEdge('inner', END)
      .compile({ checkpointer: new MemorySaver() });
    const state = await other.run('x', () => graph.invoke({}, { configurable: { thread_id: 'outer' } }));
    assert.equal(state.outcome, 'done');
    const saved = await (await runner.graph()).saved('own-thread');
    assert.deepEqual(saved?.next, []);
  });
});
