/** Which agent speaks for which side, in the dialog of a judge: one line each. */
import { agentIdFrom } from '../../engine/agent/agent-id.ts';
import { itemsOf, nameRemoveButton } from '../shared/editor-kit.ts';
import type { JudgeSide } from './judge.fields.ts';

/** Short names of all agents of the flows, to choose from. */
function offerAgents(list: JQuery): void {
  const ids = new Set<string>();
  RED.nodes.eachNode((node) => {
    if (node.type === 'folkmoot-agent') ids.add(String(node['agentId'] || agentIdFrom(node.name || node.id)));
  });
  list.empty().append([...ids].sort().map((id) => $('<option>').attr('value', id)));
}

/** @returns what reads the lines; those without an agent or a side are left out. */
export function sideList(node: EditorNode, sides: unknown): () => JudgeSide[] {
  const list = $('#node-input-sides-list');
  const word = (id: string): string => node._(`folkmoot-judge.side.${id}`);
  offerAgents($('#folkmoot-judge-agents'));
  list.addClass('folkmoot-list').editableList<Partial<JudgeSide>>({
    height: 'auto',
    sortable: true,
    removable: true,
    addButton: node._('folkmoot-judge.add.sides'),
    addItem(container, _index, data) {
      const input = (name: 'agent' | 'side') =>
        $('<input type="text" autocomplete="off">')
          .addClass(`folkmoot-side-${name}`)
          .attr({ 'aria-label': word(name), placeholder: word(name) })
          .val(data[name] ?? '');
      const agent = input('agent').attr('list', 'folkmoot-judge-agents');
      container.append($('<div class="folkmoot-line">').append(agent, input('side')));
      nameRemoveButton(container, word('agent'));
      if (data.agent === undefined) agent.trigger('focus');
    },
  });
  for (const side of Array.isArray(sides) ? (sides as JudgeSide[]) : []) list.editableList('addItem', { ...side });
  return () =>
    itemsOf(list).flatMap((item) => {
      const read = (name: string) => String(item.find(`.folkmoot-side-${name}`).val() ?? '').trim();
      const [agent, side] = [read('agent'), read('side')];
      return agent && side ? [{ agent, side }] : [];
    });
}
