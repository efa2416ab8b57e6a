import { editorDefaults, labelStyle, showRowsWhen } from '../shared/editor-kit.ts';
import type { ListedAgents } from './listed-agents.ts';
import { routerFields } from './router.fields.ts';

const outputs = ['result', 'fallback', 'events', 'asks'] as const;

/** Whom the folder has given to the team as it is deployed, and what of it can't be used. */
function showFolder(router: EditorNode, place: JQuery): void {
  place.hide();
  if (!router['agentsFolder']) return;
  // Without an answer there is nothing to show: not deployed yet, or not this person's to see.
  $.getJSON('folkmoot-admin/router/agents', { router: router.id }).done(({ agents, problems }: ListedAgents) => {
    const names = agents.map(({ name }) => name).join(', ');
    const found = names
      ? router._('folkmoot-router.folder.agents', { names })
      : router._('folkmoot-router.folder.none');
    place.append([found, ...problems].map((line) => $('<div>').text(line))).show();
  });
}

RED.nodes.registerType('folkmoot-router', {
  category: 'folkmoot',
  color: '#E6E0F8',
  icon: 'folkmoot-router.svg',
  defaults: editorDefaults('folkmoot-router', routerFields),
  inputs: 1,
  outputs: 4,
  asksOutput: 3,
  answersAsks: true,
  paletteLabel: 'router',
  label() {
    return this.name || 'router';
  },
  labelStyle() {
    return labelStyle(this);
  },
  inputLabels() {
    return this._('folkmoot-router.input.message');
  },
  outputLabels(index) {
    return this._(`folkmoot-router.output.${outputs[index] ?? 'result'}`);
  },
  oneditprepare() {
    showRowsWhen($('#node-input-approve'));
    showFolder(this, $('#folkmoot-router-agents'));
  },
});
