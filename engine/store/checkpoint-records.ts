/**
 * How a LangGraph checkpoint lies in the store. A channel's value is stored once, by the checkpoint in which it changed;
 * later ones refer to it, so a run's large request is not written again with each step.
 */
import { hash } from '../ids.ts';
import { keyPart, spareEnd, tagged } from './keys.ts';

export const checkpointVersion = 1;

/** What the serializer gave: `json` as text, anything else as base64. */
export type Dumped = readonly [type: string, data: string];

/** Where a channel's value lies: the checkpoint that wrote it, the channel's version, and when (ms since the epoch). */
export type ChannelRef = readonly [channel: string, owner: string, version: string | number, at: number];

/** `…:ckpt:i:<ns>`: ids of all checkpoints of a namespace, ascending; they sort by time. */
export interface IndexRecord {
  readonly v: typeof checkpointVersion;
  readonly ids: readonly string[];
}

/** `…:ckpt:c:<ns>:<id>` */
export interface CheckpointRecord {
  readonly v: typeof checkpointVersion;
  readonly thread: string;
  readonly ns: string;
  readonly id: string;
  readonly parent?: string;
  /** Without its channel values. */
  readonly checkpoint: Dumped;
  readonly metadata: Dumped;
  readonly refs: readonly ChannelRef[];
  /** True when a delta channel is still counting on values of earlier checkpoints. */
  readonly needsParent?: true;
}

/** `…:ckpt:b:<ns>:<owner>:<channel>` */
export interface BlobRecord {
  readonly v: typeof checkpointVersion;
  readonly value: Dumped;
}

/** `…:ckpt:w:<ns>:<id>:<task>`: what one task wrote; `[index, channel, value]`. */
export interface WritesRecord {
  readonly v: typeof checkpointVersion;
  readonly task: string;
  readonly path: string;
  readonly writes: readonly (readonly [index: number, channel: string, value: Dumped])[];
}

/** Names that are too long for a key are represented by their hash; the records hold them in full. */
const part = (text: string): string => (text.length > 100 ? `#${hash(text)}` : keyPart(text));
const tag = (thread: string): string => (thread.length > 100 ? `#${hash(thread)}` : thread);

/** Keys of one namespace of one thread. */
export function checkpointKeys(thread: string, ns: string) {
  const key = (kind: string, ...parts: readonly string[]) => tagged(tag(thread), 'ckpt', kind, part(ns), ...parts);
  return {
    index: key('i'),
    checkpoint: (id: string) => key('c', part(id)),
    checkpoints: key('c', ''),
    blob: (owner: string, channel: string) => key('b', part(owner), part(channel)),
    writes: (id: string, task: string) => key('w', part(id), part(task)),
    allWrites: (id: string) => key('w', part(id), ''),
  };
}

/** All that is stored of a thread, and its checkpoints in all namespaces. */
export const threadPrefix = (thread: string): string => tagged(tag(thread), 'ckpt', '');
export const threadCheckpoints = (thread: string): string => tagged(tag(thread), 'ckpt', 'c', '');
/** The one record of a thread whose run has ended. */
export const packedKey = (thread: string): string => tagged(tag(thread), 'ckpt', 'z', spareEnd);
/** A checkpoint, or all of them packed: either names its thread. */
export const isCheckpointKey = (key: string): boolean => /^folkmoot:\{[^}]*\}:ckpt:[cz]:/.test(key);

/** Text order by code points, as LangGraph orders the writes of a step. */
export const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** LangGraph's places for special writes, which replace each other; ordinary ones count from 0 and stay. */
const specialIndex = new Map([
  ['__error__', -1],
  ['__scheduled__', -2],
  ['__interrupt__', -3],
  ['__resume__', -4],
]);

export const writeIndex = (channel: string, position: number): number => specialIndex.get(channel) ?? position;

/** Adds a task's new writes to those that are stored: an ordinary one is never replaced, a special one always. */
export function mergeWrites(old: WritesRecord['writes'], added: WritesRecord['writes']): WritesRecord['writes'] {
  const merged = new Map(old.map((write) => [write[0], write]));
  for (const write of added) if (write[0] < 0 || !merged.has(write[0])) merged.set(write[0], write);
  return [...merged.values()].sort((a, b) => a[0] - b[0]);
}

export interface Doomed {
  readonly checkpoints: readonly CheckpointRecord[];
  /** Values that no kept checkpoint refers to. */
  readonly refs: readonly ChannelRef[];
}

/** What may be cut so that the newest `keep` stay, and whatever those need. `records` ascend. */
export function doomedOf(records: readonly CheckpointRecord[], keep: number): Doomed {
  let cut = Math.max(0, records.length - keep);
  while (cut > 0 && records[cut]?.needsParent) cut -= 1;
  const checkpoints = records.slice(0, cut);
  const name = ([channel, owner]: ChannelRef) => JSON.stringify([channel, owner]);
  const needed = new Set(records.slice(cut).flatMap((record) => record.refs.map(name)));
  const refs = new Map(checkpoints.flatMap((record) => record.refs.map((ref) => [name(ref), ref] as const)));
  return { checkpoints, refs: [...refs].filter(([key]) => !needed.has(key)).map(([, ref]) => ref) };
}
