/** What a person is asked before anything is done, and buttons to say it here. */
import type { RunLook } from '../../engine/watch/run-look.ts';
import { element } from './element.editor.ts';
import { timeOf } from './run-marks.editor.ts';
import { words, type ReadProblem, type ViewTools } from './view.editor.ts';

/** `data-until`: then they are of no use any more. */
export function answerButtons({ run, answer, waits }: RunLook, tools: ViewTools): HTMLElement[] {
  const note = element('span', { class: 'folkmoot-until', role: 'status', text: until(waits?.until ?? 0) });
  const buttons = (['approve', 'deny'] as const).map((decision) =>
    element('button', {
      type: 'button',
      class: 'red-ui-button red-ui-button-small',
      'data-focus': decision,
      text: words(`runs.${decision}`),
      onclick: () => decide(decision),
    }),
  );
  function decide(decision: string): void {
    for (const button of buttons) button.disabled = true;
    tools.send(`runs/${encodeURIComponent(run)}/${decision}`).catch((problem: unknown) => {
      for (const button of buttons) button.disabled = false;
      note.textContent = whyNot((problem as ReadProblem).status);
    });
  }
  return [
    element(
      'div',
      { class: 'folkmoot-asks', 'data-until': String(waits?.until ?? 0) },
      answer ? element('p', { class: 'folkmoot-said', text: answer }) : undefined,
      element('div', { class: 'folkmoot-answers' }, ...buttons, note),
    ),
  ];
}

const until = (at: number): string => words('runs.until', { time: timeOf(at) });

const whyNot = (status: number): string =>
  words(status === 401 || status === 403 ? 'runs.may-not' : status === 409 ? 'runs.too-late' : 'runs.unreachable');
