import { agentIdFrom } from '../../engine/agent/agent-id.ts';
import {
  dialogTabs,
  editorDefaults,
  labelStyle,
  markUnknownFunctions,
  offerFunctions,
  saveSetting,
  textList,
} from '../shared/editor-kit.ts';
import { agentFields } from './agent.fields.ts';

const outputs = ['result', 'fallback', 'events', 'asks'] as const;
const lists = ['topics', 'parameters', 'generates', 'accepts', 'listensToEvents'] as const;
const ofFunctions: readonly string[] = ['generates', 'accepts'];
/** Ids of what an entry may be chosen from. */
const choicesOf: Readonly<Record<string, string>> = {
  generates: 'folkmoot-agent-functions',
  accepts: 'folkmoot-agent-functions',
  listensToEvents: 'folkmoot-agent-events',
};

/** What reads the lists of the dialog that is open. */
let readers: Readonly<Record<string, () => string[]>> = {};

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
    dialogTabs('folkmoot-agent-tabs', [
      { id: 'folkmoot-agent-tab-who', label: this._('folkmoot-agent.tab.who') },
      { id: 'folkmoot-agent-tab-does', label: this._('folkmoot-agent.tab.does') },
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
    for (const name of ofFunctions) {
      markUnknownFunctions($(`#node-input-${name}-list`), language, this._('folkmoot-agent.error.unknown'));
    }
  },
  oneditsave() {
    const changed = lists.map((name) => saveSetting(this, name, readers[name]?.() ?? []));
    readers = {};
    return changed.includes(true);
  },
});
