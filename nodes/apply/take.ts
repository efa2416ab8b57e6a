/** What apply does with a message: what a row brings back, commands, a fresh start, or words that pass. */
import type { Apply } from '../../engine/apply/apply.ts';
import { freshStart } from '../../engine/apply/fresh-start.ts';
import { cancelledReport, pausedReport, type Report } from '../../engine/apply/report.ts';
import { goneRows, type Row } from '../../engine/apply/rows.ts';
import { loadBoard } from '../../engine/blackboard/stored-board.ts';
import { folkmootError } from '../../engine/errors.ts';
import type { Moot } from '../../engine/moot.ts';
import type { Backbone } from '../backbone/lease.ts';
import { isPaused } from '../backbone/reporting.ts';
import { languageInUse } from '../language/language-in-use.ts';
import type { InputContext } from '../shared/define-node.ts';
import { mootOf, plainMessage } from '../shared/message.ts';
import { runFeed } from '../shared/process.ts';
import type { RedMessage } from '../shared/red.ts';
import { mayAct, tellLeft } from '../shared/shared-work.ts';
import type { ApplyKit } from './apply-engine.ts';
import { checkContent, freshOperation, isBack, isCancelled, lateMessage, reportMessage } from './apply-messages.ts';

export interface ApplyWork {
  readonly kit: ApplyKit;
  readonly engine: Apply;
  readonly rows: readonly Row[];
  readonly backbone: Backbone;
  /** How answers to an input leave. */
  readonly senders: WeakMap<object, InputContext>;
}

export async function take(work: ApplyWork, message: RedMessage, context: InputContext): Promise<void> {
  const moot = mootOf(message);
  const mutation = isBack(message, moot);
  if (mutation) {
    const returned = await work.engine.returned(mutation, message.error);
    if (returned.kind === 'late') context.send([lateMessage(message, moot, returned.report)]);
    return;
  }
  // What Catch brings from elsewhere is never carried out.
  if (message.error !== undefined && moot.outcome === undefined) return;
  const isFresh = message['operation'] === freshOperation;
  if (!isFresh) checkContent(message, moot);
  try {
    if ((isFresh || moot.mutations?.length) && isCancelled(message)) return tellCancelled(work, message, moot, context);
    await carryOut(work, isFresh ? await withEarlier(work, message, moot) : message, context);
  } finally {
    // However it ended, nobody need deliver it again.
    if (moot.run) runFeed.tookOver(moot.run);
  }
}

async function carryOut(work: ApplyWork, message: RedMessage, context: InputContext): Promise<void> {
  const { kit, backbone, senders } = work;
  const moot = mootOf(message);
  if (moot.mutations?.length && isPaused(backbone)) {
    backbone.metrics.heldBack('paused', moot.mutations.length);
    return context.send([reportMessage(message, moot, pausedReport(moot.mutations))]);
  }
  // A run has asked before its result came here.
  const why = moot.mutations?.length && !moot.run ? await mayAct(moot.request, kit.signal) : undefined;
  if (why) return tellLeft(moot.request, why);
  kit.status('thinking');
  senders.set(message, context);
  const input = { payload: message.payload, moot, plain: { ...plainMessage(message).message, moot }, origin: message };
  const report = await work.engine.take(input);
  context.send([reportMessage(message, moot, report)]);
  showState(kit, work.rows, report);
}

/** Nothing is written down of it either: the same commands may come again, and are then new. */
function tellCancelled({ kit, rows }: ApplyWork, message: RedMessage, moot: Moot, context: InputContext): void {
  const report = cancelledReport(moot);
  if (moot.run) runFeed.reported({ run: moot.run, ...report });
  context.send([reportMessage(message, moot, report)]);
  showState(kit, rows, report);
}

const nothingEarlier = 'There is nothing from before that could be done again.';

/** The message with all that its conversation's board holds. Throws FOLKMOOT_BAD_INPUT without conversation and commands. */
async function withEarlier({ kit, rows, backbone }: ApplyWork, message: RedMessage, moot: Moot): Promise<RedMessage> {
  const { conversation } = moot;
  if (conversation === undefined && moot.mutations === undefined)
    throw folkmootError(
      'FOLKMOOT_BAD_INPUT',
      'A fresh start needs the conversation in msg.moot.conversation, or the commands in msg.moot.mutations.',
    );
  const board = conversation === undefined ? [] : (await loadBoard(backbone.store, conversation)).board.view();
  const language = languageInUse(kit.RED, kit.config.language);
  const mutations = freshStart({ message: message._msgid, board, moot, language, rows });
  // Words of a run are its own; without one the payload means nothing here.
  const payload = moot.run === undefined ? nothingEarlier : message.payload;
  return { ...message, payload, moot: { ...moot, mutations } };
}

/** Red while a row is for something that is gone, or when the last report has a failure. */
export function showState(kit: ApplyKit, rows: readonly Row[], report?: Report): void {
  const isGone = goneRows(rows, languageInUse(kit.RED, kit.config.language)).length > 0;
  const failed = report?.lines.some(({ state }) => state === 'failed') ?? false;
  if (isGone || failed) kit.status('failed');
  else if (report) kit.status('done');
}
