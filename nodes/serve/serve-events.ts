/** What the events output tells of one request. */
import type { Moot, RunEvent } from '../../engine/moot.ts';
import { processClock } from '../shared/process.ts';
import type { ServeKit } from './serve.ts';

export type Tell = (kind: RunEvent['kind'], data: unknown) => void;

export const tellOf =
  (kit: ServeKit, run: string, moot: Moot = { v: 1, run }): Tell =>
  (kind, data) => {
    const event: RunEvent = { run, at: new Date(processClock.now()).toISOString(), kind, data };
    kit.send([{ payload: event, topic: kind, moot }]);
  };
