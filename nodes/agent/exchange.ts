/** What an agent's dialog and the runtime say to each other about files; apart, for editors are compiled without the runtime. */

export interface ExchangeRequest {
  /** Of a file. */
  readonly text?: string;
  /** In our own form. */
  readonly agent?: object;
  readonly form?: 'own' | 'snake' | 'camel';
  /** The chosen language: its functions as the editor has them, else its node id. */
  readonly functions?: readonly unknown[];
  readonly language?: string;
}

export interface Exchange {
  readonly agent?: object;
  readonly text?: string;
  /** What can't be used, or is lost, in words. */
  readonly notes: readonly string[];
}
