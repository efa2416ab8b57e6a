/** Boards of gpt-multi-atomic-agents, in files and over HTTP (seed-contracts.md B1). Every field is written: its loader refuses others. */
import type { ForeignCall } from './foreign-call.ts';

export interface ForeignMessage {
  readonly role: 'user' | 'assistant';
  readonly message: string;
}

export interface ForeignBoard {
  readonly format: 'function_call';
  readonly internal_previously_generated_functions: readonly ForeignCall[];
  readonly internal_previous_messages: readonly ForeignMessage[];
  readonly internal_newly_generated_messages: readonly ForeignMessage[];
  readonly internal_newly_generated_functions: readonly ForeignCall[];
}

export interface ForeignGraphqlBoard {
  readonly format: 'graphql';
  readonly internal_previously_generated_mutation_calls: readonly string[];
  readonly internal_previous_messages: readonly ForeignMessage[];
  readonly internal_newly_generated_messages: readonly ForeignMessage[];
  readonly internal_user_data: string;
}
