/** Carries out commands: one message for each to its row, then one report. */
import type { Apply } from '../../engine/apply/apply.ts';
import { checkedRows, type Row } from '../../engine/apply/rows.ts';
import { untilGoing } from '../backbone/reporting.ts';
import { leaseBackbone, type Backbone } from '../backbone/lease.ts';
import { requireChosen } from '../shared/chosen.ts';
import { defineNode, type InputContext } from '../shared/define-node.ts';
import { flowsReady } from '../shared/flows-ready.ts';
import { mootOf } from '../shared/message.ts';
import { askRegistry } from '../shared/process.ts';
import type { Red } from '../shared/red.ts';
import { whenConnected } from '../shared/when-connected.ts';
import { markCarrier } from '../shared/carriers.ts';
import { carriesOut, engineOf, type ApplyKit } from './apply-engine.ts';
import { applyFields } from './apply.fields.ts';
import { reportMessage } from './apply-messages.ts';
import { showState, take } from './take.ts';

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
          await take({ kit, engine: await engine, rows, backbone: await lease.ready, senders }, message, context);
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
