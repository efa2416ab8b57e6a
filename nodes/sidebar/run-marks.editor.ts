/** How the states of runs, steps and commands look: a colour, a shape, and always words. */
import type { RunLook, StepLook } from '../../engine/watch/run-look.ts';
import { element } from './element.editor.ts';
import { words } from './view.editor.ts';

type Colour = 'green' | 'blue' | 'yellow' | 'red' | 'grey';

const colours: Readonly<Record<string, Colour>> = {
  running: 'blue',
  done: 'green',
  answered: 'green',
  applied: 'green',
  asked: 'yellow',
  undecided: 'yellow',
  limit: 'red',
  timeout: 'red',
  failed: 'red',
};

/** A dot is how it ended well or badly, a ring is anything in between. */
const dots = new Set(['running', 'done', 'answered', 'applied', 'limit', 'timeout', 'failed']);

export const stateWords = (state: string): string => words(`state.${state}`);

export function mark(state: string): HTMLElement {
  const shape = dots.has(state) ? 'dot' : 'ring';
  return element('span', {
    class: `folkmoot-mark folkmoot-mark-${colours[state] ?? 'grey'} folkmoot-mark-${shape}`,
    'aria-hidden': 'true',
  });
}

export const stateOfStep = ({ state, asked }: StepLook): string => (asked && state === 'answered' ? 'asked' : state);

/** `8 ms`, `1.2 s`, `12 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 100) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export const timeOf = (ms: number): string => new Date(ms).toLocaleTimeString();

/** All that is said of a run, for the filter. */
export function searchText(run: RunLook, nameOf: (step: StepLook) => string): string {
  const said = [
    run.text,
    run.user,
    run.reason,
    run.answer,
    run.report,
    stateWords(run.state),
    run.waits ? stateWords('approval') : undefined,
    ...(run.events ?? []).flatMap(({ source, kind, value }) => [source, kind, value]),
    ...run.steps.flatMap((step) => [step.agent, nameOf(step), step.prompt, step.text, stateWords(stateOfStep(step))]),
    ...run.commands.flatMap((command) => [command.function, ...Object.values(command.parameters)]),
  ];
  return said.join('\n').toLowerCase();
}
