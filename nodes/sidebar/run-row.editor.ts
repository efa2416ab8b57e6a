/** One run of the list: a line that says what and how, and below it, when it is open, everything that is known. */
import { agentIdFrom } from '../../engine/agent/agent-id.ts';
import type { CallLook, CommandLook, RunLook, StepLook } from '../../engine/watch/run-look.ts';
import { answerButtons } from './run-answer.editor.ts';
import { element } from './element.editor.ts';
import { duration, mark, stateOfStep, stateWords, timeOf } from './run-marks.editor.ts';
import { isWaiting } from './runs-store.editor.ts';
import { words, type ViewTools } from './view.editor.ts';

export interface RowOptions {
  readonly tools: ViewTools;
  readonly isOpen: boolean;
  /** The runtime's clock, in milliseconds since the epoch. */
  readonly now: number;
  readonly onToggle: () => void;
}

export function rowOf(run: RunLook, options: RowOptions): HTMLElement {
  const { isOpen, onToggle } = options;
  const more = `folkmoot-run-${run.run}`;
  const head = element(
    'button',
    {
      type: 'button',
      class: 'folkmoot-run-head',
      'aria-expanded': String(isOpen),
      'aria-controls': more,
      'data-focus': 'head',
      onclick: onToggle,
    },
    element('i', { class: `fa fa-angle-${isOpen ? 'down' : 'right'} folkmoot-twist`, 'aria-hidden': 'true' }),
    element('span', { class: 'folkmoot-run-what' }, ...triggerOf(run)),
    stateLine(run, options.now),
  );
  return element(
    'li',
    { class: 'folkmoot-run', 'data-run': run.run, 'data-state': run.state },
    head,
    ...(isWaiting(run, options.now) ? answerButtons(run, options.tools) : []),
    isOpen
      ? undefined
      : element('ul', { class: 'folkmoot-steps' }, ...run.steps.map((step) => stepChip(run, step, options))),
    run.reason && isWrong(run) && !isOpen ? element('p', { class: 'folkmoot-why', text: run.reason }) : undefined,
    element(
      'div',
      { id: more, class: 'folkmoot-more', ...(isOpen ? {} : { hidden: '' }) },
      ...(isOpen ? details(run, options) : []),
    ),
  );
}

const isWrong = ({ state }: RunLook): boolean => !['waiting', 'running', 'done', 'asked'].includes(state);

/** Who said what, or which event. */
function triggerOf({ text, user, events, decision }: RunLook): (Node | undefined)[] {
  if (events) {
    const source = events.map((event) => event.source).filter((one, index, all) => all.indexOf(one) === index);
    return [
      element('i', { class: 'fa fa-bolt', 'aria-hidden': 'true' }),
      element('span', { class: 'folkmoot-who', text: source.join(', ') }),
      element('span', { text }),
    ];
  }
  return [
    element('i', { class: 'fa fa-comment-o', 'aria-hidden': 'true' }),
    user ? element('span', { class: 'folkmoot-who', text: user }) : undefined,
    decision
      ? element('span', { class: 'folkmoot-decision', text: words(`decision.${decision}`) })
      : element('span', { text: `“${text}”` }),
  ];
}

function stateLine(run: RunLook, now: number): HTMLElement {
  const took = element('span', { class: 'folkmoot-took', text: duration((run.endedAt ?? now) - run.startedAt) });
  if (run.endedAt === undefined) took.dataset['since'] = String(run.startedAt);
  return element(
    'span',
    { class: 'folkmoot-run-state' },
    mark(run.state),
    element('span', { class: 'folkmoot-state', text: stateWords(isWaiting(run, now) ? 'approval' : run.state) }),
    element('span', { class: 'folkmoot-when' }, element('span', { text: timeOf(run.startedAt) }), took),
  );
}

/** An agent by its name, as a button that shows it in the flow; plain words when the editor doesn't have the node. */
function nodeLink(id: string | undefined, name: string, tools: ViewTools): HTMLElement {
  if (!id || tools.typeOf(id) === undefined) return element('span', { class: 'folkmoot-node', text: name });
  const title = words('runs.reveal', { name });
  return element('button', {
    type: 'button',
    class: 'folkmoot-node folkmoot-link',
    title,
    'aria-label': title,
    text: name,
    'data-node': id,
    'data-focus': `node-${id}`,
    onclick: () => tools.reveal(id),
  });
}

/** An agent that was asked directly is where the run began. */
const nodeOf = (run: RunLook, step: StepLook, tools: ViewTools): string | undefined =>
  step.node ?? (tools.typeOf(run.owner) === 'folkmoot-agent' ? run.owner : undefined);

/** The node's label, unless the agent goes by another name: it has none, or there are more of it in other subflows. */
export function nameOfStep(run: RunLook, step: StepLook, tools: ViewTools): string {
  const node = nodeOf(run, step, tools);
  const label = node && tools.labelOf(node);
  return label && agentIdFrom(label) === step.agent ? label : step.agent;
}

function stepChip(run: RunLook, step: StepLook, { tools }: RowOptions): HTMLElement {
  const state = stateOfStep(step);
  return element(
    'li',
    { class: 'folkmoot-chip' },
    mark(state),
    nodeLink(nodeOf(run, step, tools), nameOfStep(run, step, tools), tools),
    element('span', { class: 'folkmoot-state', text: stateWords(state) }),
  );
}

function details(run: RunLook, options: RowOptions): HTMLElement[] {
  const { tools } = options;
  const owner = element(
    'p',
    { class: 'folkmoot-began' },
    element('span', { text: words('runs.by') }),
    nodeLink(run.owner, tools.labelOf(run.owner) ?? run.owner, tools),
    run.via ? element('span', { text: `· ${words(`via.${run.via}`)}` }) : undefined,
    run.resumed ? element('span', { text: `· ${words('runs.resumed')}` }) : undefined,
    run.byFirstTier ? element('span', { text: `· ${words('runs.without-model')}` }) : undefined,
  );
  const events = (run.events ?? []).map(({ source, kind, value }) =>
    element('p', { class: 'folkmoot-event', text: `${source} · ${kind}: ${value}` }),
  );
  return [
    owner,
    ...events,
    ...section('reason', run.reason && isWrong(run) ? [said(run.reason, 'folkmoot-why')] : []),
    ...section(
      'steps',
      run.steps.length ? [element('ol', {}, ...run.steps.map((step) => stepDetail(run, step, options)))] : [],
    ),
    ...section('commands', run.commands.length ? [element('ul', {}, ...run.commands.map(commandDetail))] : []),
    ...section('answer', run.answer ? [said(run.answer)] : []),
    ...section('report', run.report ? [said(run.report)] : []),
  ];
}

const section = (name: string, content: readonly HTMLElement[]): HTMLElement[] =>
  content.length
    ? [element('section', { class: 'folkmoot-part' }, element('h4', { text: words(`runs.${name}`) }), ...content)]
    : [];

const said = (text: string, more = ''): HTMLElement => element('p', { class: `folkmoot-said ${more}`.trim(), text });

function stepDetail(run: RunLook, step: StepLook, { tools, now }: RowOptions): HTMLElement {
  const state = stateOfStep(step);
  const took = step.startedAt === undefined ? undefined : (step.endedAt ?? run.endedAt ?? now) - step.startedAt;
  return element(
    'li',
    { class: 'folkmoot-step' },
    element(
      'div',
      { class: 'folkmoot-chip' },
      mark(state),
      nodeLink(nodeOf(run, step, tools), nameOfStep(run, step, tools), tools),
      element('span', { class: 'folkmoot-state', text: stateWords(state) }),
      took === undefined ? undefined : element('span', { class: 'folkmoot-took', text: duration(took) }),
    ),
    step.prompt ? said(`“${step.prompt}”`, 'folkmoot-prompt') : undefined,
    ...(step.calls ?? []).map((call) => callDetail(call, tools)),
    step.text ? said(step.text) : undefined,
  );
}

function callDetail(call: CallLook, tools: ViewTools): HTMLElement {
  return element(
    'div',
    { class: 'folkmoot-chip folkmoot-call' },
    mark(call.state),
    element('span', { text: words('runs.asks') }),
    nodeLink(call.node, call.name ?? tools.labelOf(call.node) ?? call.node, tools),
    element('span', { class: 'folkmoot-state', text: stateWords(call.state) }),
  );
}

function commandDetail({ function: name, parameters, state, reason }: CommandLook): HTMLElement {
  const values = Object.entries(parameters).map(([key, value]) => `${key}: ${String(value)}`);
  return element(
    'li',
    { class: 'folkmoot-command' },
    element('code', { text: `${name}(${values.join(', ')})` }),
    state
      ? element(
          'span',
          { class: 'folkmoot-chip' },
          mark(state),
          element('span', { class: 'folkmoot-state', text: stateWords(state) }),
        )
      : undefined,
    reason ? said(reason, 'folkmoot-why') : undefined,
  );
}
