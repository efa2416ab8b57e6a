/** Joins the engine's apply with this node's wires, ledger and language. */
import { createApply, type Apply } from '../../engine/apply/apply.ts';
import type { Order } from '../../engine/apply/decide.ts';
import type { DeviceMessage } from '../../engine/devices/device.ts';
import { effectsOfApply } from '../../engine/apply/effects-of-apply.ts';
import { rowFor, type Row } from '../../engine/apply/rows.ts';
import type { Report } from '../../engine/apply/report.ts';
import type { Mutation } from '../../engine/moot.ts';
import { createEffectLedger } from '../../engine/people/effects.ts';
import type { Backbone } from '../backbone/lease.ts';
import { isShadow } from '../backbone/reporting.ts';
import { languageInUse } from '../language/language-in-use.ts';
import type { InputContext, NodeKit } from '../shared/define-node.ts';
import { reachesAnything } from '../shared/next-nodes.ts';
import { processClock, runFeed } from '../shared/process.ts';
import type { RedMessage, Sent } from '../shared/red.ts';
import { rowMessage } from './apply-messages.ts';
import { publishToDevice } from './publish-to-device.ts';
import type { applyFields } from './apply.fields.ts';

export type ApplyKit = NodeKit<typeof applyFields>;

/** @param senders How answers to an input leave; commands taken up after a restart have none. */
export function engineOf(
  kit: ApplyKit,
  backbone: Backbone,
  rows: readonly Row[],
  senders: WeakMap<object, InputContext>,
): Apply {
  const sendRow = (row: number, mutation: Mutation, origin: unknown) => {
    const message = origin as Partial<RedMessage>;
    const outputs: Sent = [...Array.from({ length: row + 1 }, () => null), rowMessage(kit.RED, message, mutation, row)];
    const context = senders.get(message);
    if (context) context.send(outputs);
    else kit.send(outputs);
  };
  /** What went to a device, for a debug node; nobody need do anything with it. */
  const tellPublished = ({ mutation, place }: Order, origin: unknown, published: readonly DeviceMessage[]) => {
    const { moot: _moot, ...rest } = rowMessage(kit.RED, origin as Partial<RedMessage>, mutation, place.index);
    const outputs: Sent = [...Array.from({ length: place.index + 1 }, () => null), { ...rest, published }];
    kit.send(outputs);
  };
  const { store, metrics } = backbone;
  const made = createApply({
    language: () => languageInUse(kit.RED, kit.config.language),
    rows,
    effects: effectsOfApply(createEffectLedger(store, processClock), kit.id),
    store,
    owner: kit.id,
    clock: processClock,
    signal: kit.signal,
    isConnected: (row) => reachesAnything(kit.RED, kit.node, row + 1),
    send: sendRow,
    publish: (order, origin) =>
      publishToDevice(kit, backbone, order, (published) => tellPublished(order, origin, published)),
    isShadow: () => isShadow(backbone),
    onShadow: () => metrics.heldBack('shadow'),
    onFailure: (detail) => kit.warn(detail),
    tookOver: ({ run }) => run && runFeed.tookOver(run),
    working: ({ request }, withinMs) => runFeed.working({ request, withinMs }),
  });
  const told = (run: string | undefined, { payload, lines }: Report) => {
    if (run) runFeed.reported({ run, payload, lines });
  };
  return {
    ...made,
    async take(input) {
      const report = await made.take(input);
      told(input.moot.run, report);
      return report;
    },
    async returned(mutation, error) {
      const back = await made.returned(mutation, error);
      if (back.kind === 'late') told(mutation.run, back.report);
      return back;
    },
  };
}

/** Whether a row that leads somewhere carries a function out. What it may not do without asking is told by apply itself. */
export function carriesOut(kit: ApplyKit, rows: readonly Row[], name: string): boolean {
  const language = languageInUse(kit.RED, kit.config.language);
  const spec = language.find(name);
  const place = spec && rowFor(rows, spec, language.devices);
  return place !== undefined && (place.row.kind === 'device' || reachesAnything(kit.RED, kit.node, place.index + 1));
}
