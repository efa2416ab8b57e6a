/** Ids of agents. Imports nothing: the editor shows the id that a name will give. */

/** A.M.I.C.A.'s rule for agent ids (seed-contracts.md A8). */
export const agentIdPattern = /^[a-z0-9-]{5,}$/;

/** An agent id made from a name: "Lawn Mower" → "lawn-mower", "AI" → "agent-ai". */
export function agentIdFrom(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return id.length >= 5 ? id : `agent-${id || 'unnamed'}`;
}
