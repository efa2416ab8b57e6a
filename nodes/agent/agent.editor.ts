import { agentIdFrom } from '../../engine/agent/agent-id.ts';
import type { AgentExample } from '../../engine/agent/definition.ts';
import {
  dialogTabs,
  editorDefaults,
  labelStyle,
  markUnknownFunctions,
  offerFunctions,
  saveSetting,
  showRowsWhen,
  textList,
} from '../shared/editor-kit.ts';
import { exampleList } from './agent-examples.editor.ts';
import { offerExchange } from './agent-exchange.editor.ts';
import { agentFields } from './agent.fields.ts';

const outputs = ['result', 'fallback', 'events', 'asks'] as const;
const lists = ['topics', 'parameters', 'generates', 'accepts', 'steps', 'listensToEvents'] as const;
const ofFunctions: readonly string[] = ['generates', 'accepts'];
/** Ids of what an entry may be chosen from. */
const choicesOf: Readonly<Record<string, string>> = {
  generates: 'folkmoot-agent-functions',
  accepts: 'folkmoot-agent-functions',
  listensToEvents: 'folkmoot-agent-events',
};

/** What reads the lists of the dialog that is open. */
let readers: Readonly<Record<string, () => string[]>> = {};

let readExamples: (() => AgentExample[]) | undefined;

const readLists = () => Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read()]));

function showIdOfName(): void {
  const name = $('#node-input-name');
  const show = (): void => {
    $('#node-input-agentId').attr('placeholder', agentIdFrom(String(name.val() ?? '')));
  };
  name.on('input', show);
  show();
}

RED.nodes.registerType('folkmoot-agent', {
  category: 'folkmoot',
  color: '#E6E0F8',
  icon: 'folkmoot-agent.svg',
  defaults: editorDefaults('folkmoot-agent', agentFields),
  inputs: 1,
  outputs: 4,
  asksOutput: 3,
  answersAsks: true,
  paletteLabel: 'agent',
  label() {
    return this.name || String(this['agentId'] || 'agent');
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-agent.input.message');
  },
  outputLabels(index) {
    return this._(`folkmoot-agent.output.${outputs[index] ?? 'result'}`);
  },
  oneditprepare() {
    showRowsWhen($('#node-input-toolChoice'));
    dialogTabs('folkmoot-agent-tabs', [
      { id: 'folkmoot-agent-tab-who', label: this._('folkmoot-agent.tab.who') },
      { id: 'folkmoot-agent-tab-does', label: this._('folkmoot-agent.tab.does') },
      { id: 'folkmoot-agent-tab-how', label: this._('folkmoot-agent.tab.how') },
      { id: 'folkmoot-agent-tab-listens', label: this._('folkmoot-agent.tab.listens') },
      { id: 'folkmoot-agent-tab-limits', label: this._('folkmoot-agent.tab.limits') },
    ]);
    showIdOfName();
    const language = $('#node-input-language');
    offerFunctions($('#folkmoot-agent-functions'), language);
    readers = Object.fromEntries(
      lists.map((name) => [
        name,
        textList($(`#node-input-${name}-list`), {
          values: this[name],
          label: this._(`folkmoot-agent.placeholder.${name}`),
          addLabel: this._(`folkmoot-agent.add.${name}`),
          ...(choicesOf[name] ? { choices: choicesOf[name] } : {}),
        }),
      ]),
    );
    readExamples = exampleList(this);
    offerExchange(this, {
      language,
      read: () => ({ ...readLists(), examples: readExamples?.() ?? [] }),
    });
    for (const name of ofFunctions) {
      markUnknownFunctions($(`#node-input-${name}-list`), language, this._('folkmoot-agent.error.unknown'));
    }
  },
  oneditsave() {
    const now = { ...readLists(), examples: readExamples?.() ?? [] };
    // A list that came later is missing in nodes that were saved before: that alone is no change.
    const changed = Object.entries(now).map(
      ([name, list]) => (this[name] !== undefined || list.length > 0) && saveSetting(this, name, list),
    );
    readers = {};
    readExamples = undefined;
    return changed.includes(true);
  },
});
