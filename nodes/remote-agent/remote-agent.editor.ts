import {
  editorDefaults,
  labelStyle,
  markUnknownFunctions,
  offerFunctions,
  saveSetting,
  showRowsWhen,
  textList,
} from '../shared/editor-kit.ts';
import type { RegistryList } from './listed.ts';
import { remoteAgentFields } from './remote-agent.fields.ts';

/** What reads the commands of the dialog that is open. */
let readGenerates: (() => string[]) | undefined;

const row = (setting: string): JQuery => $(`#node-input-${setting}`);

/** Nobody in particular is asked by a broadcast. */
function showWho(): void {
  const show = (): void => {
    $('#folkmoot-remote-agent-who').toggle(row('kind').val() === 'tool' || row('mode').val() !== 'amica');
  };
  row('kind').on('change', show);
  row('mode').on('change', show);
  show();
}

/** Asks the runtime who is there: as deployed, so connections that are new come with the next deploy. */
function offerThoseThere(node: EditorNode): void {
  const found = $('#folkmoot-remote-agent-found');
  const say = (id: string, values: Readonly<Record<string, unknown>> = {}): void =>
    void found.text(node._(`folkmoot-remote-agent.found.${id}`, values));
  let wanted = 0;
  const look = (): void => {
    const own = (wanted += 1);
    say('looking');
    // Node-RED adds who is logged in.
    $.getJSON('folkmoot-admin/registry', { backbone: String(row('backbone').val() ?? '').replace('_ADD_', '') })
      .done((list: RegistryList) => {
        if (own === wanted) show(list);
      })
      .fail(() => {
        if (own === wanted) say('refused');
      });
  };
  const show = ({ agents, tools, problem }: RegistryList): void => {
    const there = row('kind').val() === 'tool' ? tools : agents;
    const option = ({ id, name, house, status, description }: (typeof there)[number]): JQuery => {
      const label = [name, house, status, description].filter(Boolean).join(' · ');
      return $('<option>').attr({ value: id, label });
    };
    $('#folkmoot-remote-agent-there').empty().append(there.map(option));
    if (problem) say(problem === 'missing' ? 'missing' : 'broker');
    else
      say(there.length === 0 ? 'nobody' : 'some', {
        list: there.map(({ id, house }) => (house ? `${id} (${house})` : id)).join(', '),
      });
  };
  $('#folkmoot-remote-agent-look').on('click', look);
  row('backbone').on('change', look);
  row('kind').on('change', look);
  look();
}

RED.nodes.registerType('folkmoot-remote-agent', {
  category: 'folkmoot',
  color: '#E6E0F8',
  icon: 'folkmoot-remote-agent.svg',
  defaults: editorDefaults('folkmoot-remote-agent', remoteAgentFields),
  inputs: 1,
  outputs: 2,
  answersAsks: true,
  paletteLabel: 'remote agent',
  label() {
    return this.name || String(this['remoteId'] || 'remote agent');
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-remote-agent.input.message');
  },
  outputLabels(index) {
    return this._(`folkmoot-remote-agent.output.${index === 0 ? 'result' : 'fallback'}`);
  },
  oneditprepare() {
    const language = row('language');
    offerFunctions($('#folkmoot-remote-agent-functions'), language);
    readGenerates = textList($('#node-input-generates-list'), {
      values: this['generates'],
      label: this._('folkmoot-remote-agent.placeholder.generates'),
      addLabel: this._('folkmoot-remote-agent.add.generates'),
      choices: 'folkmoot-remote-agent-functions',
    });
    markUnknownFunctions($('#node-input-generates-list'), language, this._('folkmoot-remote-agent.error.unknown'));
    showRowsWhen(row('kind'));
    showWho();
    offerThoseThere(this);
  },
  oneditsave() {
    const isChanged = saveSetting(this, 'generates', readGenerates?.() ?? []);
    readGenerates = undefined;
    return isChanged;
  },
});
