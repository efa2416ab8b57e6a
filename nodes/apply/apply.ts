/** Carries out commands: one message for each to its row, then one report. */
import { createApply, type Apply } from '../../engine/apply/apply.ts';
import { effectsOfApply } from '../../engine/apply/effects-of-apply.ts';
import type { Report } from '../../engine/apply/report.ts';
import { checkedRows, goneRows, type Row } from '../../engine/apply/rows.ts';
import type { Mutation } from '../../engine/moot.ts';
import { createEffectLedger } from '../../engine/people/effects.ts';
import { leaseBackbone, type Backbone } from '../backbone/lease.ts';
import { languageInUse } from '../language/language-in-use.ts';
import { requireChosen } from '../shared/chosen.ts';
import { defineNode, type InputContext, type NodeKit } from '../shared/define-node.ts';
import { flowsReady } from '../shared/flows-ready.ts';
import { mootOf, plainMessage } from '../shared/message.ts';
import { askRegistry, processClock, runFeed } from '../shared/process.ts';
import type { Red, RedMessage, Sent } from '../shared/red.ts';
import { applyFields } from './apply.fields.ts';
import { checkContent, isBack, lateMessage, reportMessage, rowMessage } from './apply-messages.ts';

type ApplyKit = NodeKit<typeof applyFields>;

export default function apply(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-apply',
    fields: applyFields,
    start(kit) {
      const { config } = kit;
      requireChosen(RED, config.policy, 'policy');
      const rows = checkedRows(config.rows);
      const lease = leaseBackbone(RED, config.backbone);
      /** How answers to an input leave; commands taken up after a restart have none. */
      const senders = new WeakMap<object, InputContext>();
      const engine = lease.ready.then((backbone) => engineOf(kit, backbone, rows, senders));
      const resumed = engine
        .then((made) => resume(kit, made, rows))
        .catch((error: unknown) => {
          if (!kit.signal.aborted) kit.error(error);
        });
      return {
        async input(message, context) {
          // Apply answers no asks: the commands of one are only shown to the agent that it is for.
          if (askRegistry.take(message, kit.id).kind === 'pass') return context.passOver();
          senders.set(message, context);
          await take(kit, await engine, rows, message, context);
        },
        async close(removed) {
          await resumed;
          if (removed) await engine.then((made) => made.forget()).catch(() => undefined);
          await lease.release();
        },
      };
    },
  });
}

function engineOf(
  kit: ApplyKit,
  { store }: Backbone,
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
  return createApply({
    language: () => languageInUse(kit.RED, kit.config.language),
    rows,
    effects: effectsOfApply(createEffectLedger(store, processClock), kit.id),
    store,
    owner: kit.id,
    clock: processClock,
    signal: kit.signal,
    send: sendRow,
    working: ({ request }, withinMs) => runFeed.working({ request, withinMs }),
  });
}

async function take(
  kit: ApplyKit,
  engine: Apply,
  rows: readonly Row[],
  message: RedMessage,
  context: InputContext,
): Promise<void> {
  const moot = mootOf(message);
  const mutation = isBack(message, moot);
  if (mutation) {
    const returned = await engine.returned(mutation, message.error);
    if (returned.kind === 'late') context.send([lateMessage(message, moot, returned.report)]);
    return;
  }
  // What Catch brings from elsewhere is never carried out.
  if (message.error !== undefined && moot.outcome === undefined) return;
  checkContent(message, moot);
  kit.status('thinking');
  const input = { payload: message.payload, moot, plain: { ...plainMessage(message).message, moot }, origin: message };
  const report = await engine.take(input);
  context.send([reportMessage(message, moot, report)]);
  showState(kit, rows, report);
}

async function resume(kit: ApplyKit, engine: Apply, rows: readonly Row[]): Promise<void> {
  await flowsReady(kit.RED, kit.signal);
  if (kit.config.rows.length > 0) showState(kit, rows);
  await engine.resume((report, message) => {
    kit.send([reportMessage(message, mootOf(message), report)]);
  });
}

/** Red while a row is for something that is gone, or when the last report has a failure. */
function showState(kit: ApplyKit, rows: readonly Row[], report?: Report): void {
  const isGone = goneRows(rows, languageInUse(kit.RED, kit.config.language)).length > 0;
  const failed = report?.lines.some(({ state }) => state === 'failed') ?? false;
  if (isGone || failed) kit.status('failed');
  else if (report) kit.status('done');
}
