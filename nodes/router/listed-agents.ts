/** Agents of a router's folder, as the runtime tells editors; apart, for editors are compiled without what the runtime needs. */

export interface ListedAgents {
  readonly agents: readonly { readonly agentId: string; readonly name: string; readonly file: string }[];
  /** In words. */
  readonly problems: readonly string[];
}
