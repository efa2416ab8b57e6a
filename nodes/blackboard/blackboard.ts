/** The commands and notes that a team shares: write, read, watch, clear, export, import, and gather at a team's end. */
import { publishChanges, watchChanges } from '../../engine/blackboard/board-changes.ts';
import { acceptedNames, operate, type Operation } from '../../engine/blackboard/operations.ts';
import { folkmootError } from '../../engine/errors.ts';
import type { Moot } from '../../engine/moot.ts';
import { leaseBackbone, type Backbone } from '../backbone/lease.ts';
import { languageInUse } from '../language/language-in-use.ts';
import { defineNode, type InputContext, type NodeKit } from '../shared/define-node.ts';
import { mootOf } from '../shared/message.ts';
import { askRegistry } from '../shared/process.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import { blackboardFields } from './blackboard.fields.ts';
import { gatherFor, type NodeGather } from './gathering.ts';

export type BlackboardKit = NodeKit<typeof blackboardFields>;

export default function blackboard(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-blackboard',
    fields: blackboardFields,
    outlivesDeploys: true,
    start(kit) {
      const { config } = kit;
      const lease = leaseBackbone(RED, config.backbone);
      const report = (error: unknown) => {
        if (!kit.signal.aborted) kit.error(error);
      };
      const gather = gatherFor(kit, lease.ready);
      gather.resumed.catch(report);
      const watch = lease.ready.then((backbone) =>
        config.operation === 'watch' ? watchFor(kit, backbone) : undefined,
      );
      watch.catch(report);
      return {
        async input(message, context) {
          // A board answers no asks: what passes here was meant for somebody else.
          if (askRegistry.take(message, kit.id).kind === 'pass') return context.passOver();
          await take(kit, await lease.ready, gather, message, context);
        },
        async close(removed) {
          await gather.close(removed);
          await (await watch.catch(() => undefined))?.close().catch(() => undefined);
          await lease.release();
        },
      };
    },
  });
}

async function take(
  kit: BlackboardKit,
  backbone: Backbone,
  gather: NodeGather,
  message: RedMessage,
  context: InputContext,
): Promise<void> {
  const moot = mootOf(message);
  const operation = operationOf(kit, message);
  if (operation === 'gather') return gather.take(message, moot);
  const result = await operate(backbone.store, {
    operation,
    conversation: conversationOf(kit, moot),
    moot,
    payload: message.payload,
    accepts: acceptsOf(kit),
    language: languageInUse(kit.RED, kit.config.language),
  });
  for (const change of result.changes) context.send([null, changeMessage(kit, message, moot, change)]);
  publishChanges(backbone.bus, result.changes).catch((error: unknown) => {
    if (!kit.signal.aborted) kit.error(error);
  });
  if (result.note) kit.warn(result.note);
  const { mutations, data } = result;
  const held = { mutations, ...(data === undefined ? {} : { data }) };
  context.send([{ ...message, payload: result.payload, moot: { ...moot, ...held } }]);
  kit.status('done');
}

/** Copied, for the message itself goes on by the first output. */
function changeMessage(kit: BlackboardKit, message: RedMessage, moot: Moot, payload: unknown): Partial<RedMessage> {
  const run = moot.run ? { run: moot.run } : {};
  return kit.RED.util.cloneMessage({ ...message, payload, moot: { v: 1, ...run } });
}

const operations: readonly unknown[] = ['write', 'read', 'data', 'clear', 'export', 'import', 'gather'];

function operationOf(kit: BlackboardKit, message: RedMessage): Operation | 'gather' {
  const { operation } = kit.config;
  if (operation === 'watch') return 'read';
  if (operation !== 'message') return operation;
  const said = message['operation'] ?? 'write';
  if (operations.includes(said)) return said as Operation | 'gather';
  throw folkmootError('FOLKMOOT_BAD_INPUT', `msg.operation "${String(said)}" is none of ${operations.join(', ')}.`);
}

/** The board of the conversation, else of the run, else this node's own. */
const conversationOf = (kit: BlackboardKit, { conversation, run }: Moot): string =>
  conversation ?? run ?? `node:${kit.id}`;

const acceptsOf = (kit: BlackboardKit): string[] =>
  kit.config.accepts.filter((entry) => typeof entry === 'string' && entry !== '');

/** Every change of every board on this bus that the node accepts. */
function watchFor(kit: BlackboardKit, { bus }: Backbone) {
  return watchChanges(bus, (change) => {
    if (change.kind === 'mutation') {
      const names = acceptedNames(acceptsOf(kit), languageInUse(kit.RED, kit.config.language));
      if (names && !names.includes(change.mutation.function)) return;
    }
    const run = change.kind === 'mutation' ? change.mutation.run : undefined;
    kit.send([null, { payload: change, topic: change.kind, moot: { v: 1, ...(run ? { run } : {}) } }]);
  });
}
