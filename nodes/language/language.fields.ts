import type { Device } from '../../engine/devices/device.ts';
import { choice, commonFields, list, text } from '../shared/fields.ts';

export const languageFields = {
  ...commonFields,
  kind: choice(['functions', 'graphql'], 'functions'),
  /** Function specs (contracts.md 2). */
  functions: list(),
  /** Of the kind `graphql`: a schema (SDL) with mutations. */
  schema: text(),
  /** Names, categories and risks of the schema's mutations: for the dialogs of other nodes, which can't read a schema. */
  mutations: list<ShownMutation>(),
  /** Devices of the house that were ticked (`engine/devices/device.ts`): they carry functions out and answer questions. */
  devices: list<Device>(),
} as const;

export interface ShownMutation {
  readonly name: string;
  readonly category: string;
  readonly risk: string;
}

/** What the dialog is told of a schema: its mutations, or what is wrong with it, in words. */
export type SchemaCheck = { readonly mutations: readonly ShownMutation[] } | { readonly fault: string };
