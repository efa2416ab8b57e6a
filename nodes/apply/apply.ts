/** Carries out commands: one message for each to its row, then one report. */
import type { Apply } from '../../engine/apply/apply.ts';
import { pausedReport, type Report } from '../../engine/apply/report.ts';
import { checkedRows, goneRows, type Row } from '../../engine/apply/rows.ts';
import { isPaused, untilGoing } from '../backbone/reporting.ts';
import { leaseBackbone, type Backbone } from '../backbone/lease.ts';
import { requireChosen } from '../shared/chosen.ts';
import { languageInUse } from '../language/language-in-use.ts';
import { defineNode, type InputContext } from '../shared/define-node.ts';
import { flowsReady } from '../shared/flows-ready.ts';
import { mootOf, plainMessage } from '../shared/message.ts';
import { askRegistry } from '../shared/process.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import { mayAct, tellLeft } from '../shared/shared-work.ts';
import { whenConnected } from '../shared/when-connected.ts';
import { markCarrier } from '../shared/carriers.ts';
import { carriesOut, engineOf, type ApplyKit } from './apply-engine.ts';
import { applyFields } from './apply.fields.ts';
import { checkContent, isBack, lateMessage, reportMessage } from './apply-messages.ts';

export default function apply(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-apply',
    fields: applyFields,
    outlivesDeploys: true,
    start(kit) {
      const { config } = kit;
      requireChosen(RED, config.policy, 'policy');
      const rows = checkedRows(config.rows);
      const lease = leaseBackbone(RED, config.backbone);
      markCarrier(kit.node, (name) => carriesOut(kit, rows, name));
      /** How answers to an input leave; commands taken up after a restart have none. */
      const senders = new WeakMap<object, InputContext>();
      const engine = lease.ready.then((backbone) => engineOf(kit, backbone, rows, senders));
      const resumed = engine
        .then(async (made) => resume(kit, made, rows, await lease.ready))
        .catch((error: unknown) => {
          if (!kit.signal.aborted) kit.error(error);
        });
      return {
        async input(message, context) {
          // Apply answers no asks: the commands of one are only shown to the agent that it is for.
          if (askRegistry.take(message, kit.id).kind === 'pass') return context.passOver();
          senders.set(message, context);
          await take(kit, await engine, rows, message, context, await lease.ready);
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

async function take(
  kit: ApplyKit,
  engine: Apply,
  rows: readonly Row[],
  message: RedMessage,
  context: InputContext,
  backbone: Backbone,
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
  if (moot.mutations?.length && isPaused(backbone)) {
    backbone.metrics.heldBack('paused', moot.mutations.length);
    return context.send([reportMessage(message, moot, pausedReport(moot.mutations))]);
  }
  // A run has asked before its result came here.
  const why = moot.mutations?.length && !moot.run ? await mayAct(moot.request, kit.signal) : undefined;
  if (why) return tellLeft(moot.request, why);
  kit.status('thinking');
  const input = { payload: message.payload, moot, plain: { ...plainMessage(message).message, moot }, origin: message };
  const report = await engine.take(input);
  context.send([reportMessage(message, moot, report)]);
  showState(kit, rows, report);
}

async function resume(kit: ApplyKit, engine: Apply, rows: readonly Row[], backbone: Backbone): Promise<void> {
  await flowsReady(kit.RED, kit.signal);
  // Commands that a crash left over most often go over the same broker; sent before it is there they would only fail.
  const isConnected = await whenConnected(backbone, kit.signal);
  if (kit.config.rows.length > 0) showState(kit, rows);
  if (!isConnected) return;
  await untilGoing(backbone, kit.signal);
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
