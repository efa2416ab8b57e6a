/** Says at the start what keeps an agent from its work: a team that silently lacks a member is hard to mend. */
import { examplesIn, unusedExamples } from '../../engine/agent/examples.ts';
import { languageOf } from '../language/language.ts';
import { flowsReady } from '../shared/flows-ready.ts';
import type { AgentKit } from './agent.ts';
import { agentDefinition } from './agent-definition.ts';

/** A missing language is an error; a command that the language doesn't know is a warning. */
export async function checkAtStart(kit: AgentKit): Promise<void> {
  const { RED, config } = kit;
  try {
    await flowsReady(RED, kit.signal);
    const unknown = languageOf(RED, config.language)?.unknown([...config.generates, ...config.accepts]) ?? [];
    if (unknown.length > 0) kit.warn(`The house can't do this, so it is left out: ${unknown.join(', ')}.`);
    const { examples } = config;
    const agent = agentDefinition(RED, kit.node, config);
    if (examplesIn(examples).length < examples.length)
      kit.warn('Some of its examples are left out: each needs a prompt and a list of calls.');
    for (const note of unusedExamples(agent)) kit.warn(note);
  } catch (error) {
    if (kit.signal.aborted) return;
    kit.status('failed');
    kit.error(error);
  }
}
