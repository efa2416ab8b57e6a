/** Who is on a broker, as the runtime tells editors; apart, for editors are compiled without what the runtime needs. */

/** What an editor shows of one. */
export interface Listed {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly house: string;
  readonly status: string;
}

export interface RegistryList {
  readonly agents: readonly Listed[];
  readonly tools: readonly Listed[];
  /** Why there is nothing: the connections are not deployed, or have no broker. */
  readonly problem?: 'missing' | 'no broker';
}
