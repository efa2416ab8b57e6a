/**
 * A second process for `checkpointer.spec.ts`: runs a graph of three steps on a store in a file or on a server. `start` dies in the
 * middle of the second step without closing anything; `resume` goes on with a checkpointer of its own. Each step that
 * begins prints its name.
 */
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { createCheckpointer } from './checkpointer.ts';
import { createEmbeddedStore } from './embedded.ts';
import { createValkeyStore } from './valkey.ts';

const [, , path = '', mode = ''] = process.argv;
const say = (line: string) => new Promise<void>((done) => process.stdout.write(`${line}\n`, () => done()));

const State = Annotation.Root({
  request: Annotation<string>(),
  done: Annotation<string[]>({ reducer: (old, added) => [...old, ...added], default: () => [] }),
});

const step = (name: string) => async () => {
  await say(name);
  if (mode === 'start' && name === 'second') process.kill(process.pid, 'SIGKILL');
  return { done: [name] };
};

const isServer = path.startsWith('redis:');
const store = isServer ? createValkeyStore({ url: path, house: 'house' }) : createEmbeddedStore({ path });
const graph = new StateGraph(State)
  .addNode('first', step('first'))
  .addNode('second', step('second'))
  .addNode('third', step('third'))
  .addEdge(START, 'first')
  .addEdge('first', 'second')
  .addEdge('second', 'third')
  .addEdge('third', END)
  .compile({ checkpointer: await createCheckpointer(store) });

const input = mode === 'start' ? { request: 'turn on the light' } : null;
const state = await graph.invoke(input, { configurable: { thread_id: 'run-1' }, durability: 'sync' });
await say(JSON.stringify(state));
await store.close();
