/** What the client in TypeScript of gpt-multi-atomic-agents sends and reads (seed-contracts.md B9), and no more. */
import type { CallsBody, ForeignBoard, ForeignPlan } from '../../engine/http/bodies.ts';

/** Its library tries again by itself what is throttled or not available. */
async function send<T>(url: string, body: object): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json;q=1', 'User-Agent': 'kiota-typescript' },
      body: JSON.stringify(body),
    });
    if (response.ok) return (await response.json()) as T;
    const isLater = [429, 503, 504].includes(response.status) && tries < 3;
    if (!isLater) throw new Error(`${response.status}: ${await response.text()}`);
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** Plans, then generates by that plan with an empty prompt. @param before The board that the client carries. */
export async function handleUserPrompt(
  url: string,
  prompt: string,
  { agent_definitions, chat_agent_description }: CallsBody,
  before?: ForeignBoard,
): Promise<ForeignBoard> {
  const plan = await send<ForeignPlan>(`${url}/generate_plan`, {
    agent_descriptions: agent_definitions.map((agent) => ({
      agent_name: agent.agent_name,
      description: agent.description,
      topics: agent.topics,
      agent_parameter_names: Object.keys(agent.agent_parameters ?? {}),
    })),
    chat_agent_description,
    user_prompt: prompt,
  });
  return send<ForeignBoard>(`${url}/generate_function_calls`, {
    ...{ agent_definitions, chat_agent_description, user_prompt: '', execution_plan: plan },
    ...(before ? { blackboard: before } : {}),
  });
}
