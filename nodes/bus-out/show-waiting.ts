/** The look of bus out: whether the connection stands, how many messages wait, and how many may be lost. */
import type { Timer } from '../../engine/clock.ts';
import { limits } from '../../engine/limits.ts';
import type { Backbone } from '../backbone/lease.ts';
import { processClock } from '../shared/process.ts';
import type { NodeState } from '../shared/status.ts';

/** @param show Told of changes, at most each second. @returns what ends it. */
export function showWaiting(
  { bus, metrics }: Pick<Backbone, 'bus' | 'metrics'>,
  show: (state: NodeState, text?: string) => void,
): () => void {
  if (bus.kind === 'in-process') return () => undefined;
  let timer: Timer | undefined;
  let shown = '';
  const tell = () => {
    timer = undefined;
    if (bus.state === 'closed') return;
    const { waiting, maybeLost } = metrics.snapshot().outbox;
    const counts = [...(waiting > 0 ? [`${waiting} …`] : []), ...(maybeLost > 0 ? [`${maybeLost} ?`] : [])].join(', ');
    const state = bus.state === 'up' ? (waiting > 0 ? 'waiting' : 'connected') : 'disconnected';
    const look = `${state} ${counts}`;
    if (look === shown) return;
    shown = look;
    show(state, counts === '' ? undefined : counts);
  };
  const soon = () => (timer ??= processClock.setTimer(tell, limits.watchedEveryMs * 5));
  const stops = [bus.onState(tell), metrics.onChange(soon)];
  return () => {
    for (const stop of stops) stop();
    processClock.clearTimer(timer);
  };
}
