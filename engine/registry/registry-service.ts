/** Tells whoever asks on `registry/<process>` whom this process knows: for `folkmoot agents`. */
import { ourTopics } from '../bus/topics.ts';
import { createAnswering, type Answering, type AnsweringOptions } from './answering.ts';
import type { Registry } from './registry.ts';

export const createRegistryService = (
  options: AnsweringOptions & { readonly process: string; readonly registry: Registry },
): Answering =>
  createAnswering({ ...options, topic: ourTopics.registry(options.process), kind: 'registryAsk' }, ({ answer }) => {
    void answer({ v: 1, status: 'answered', payload: options.registry.roll() });
  });
