/** Examples of an agent's work in its dialog: what is said, and below it the commands, one a line. */
import type { AgentExample } from '../../engine/agent/definition.ts';
import { callsOfLines, lineOfCall } from '../../engine/agent/examples.ts';
import { itemsOf, nameRemoveButton } from '../shared/editor-kit.ts';

const list = (): JQuery => $('#node-input-examples-list');

const linesOf = (item: JQuery): string => String(item.find('.folkmoot-example-calls').val() ?? '');

/** What can't be read would be lost by "Done", so it can't be pressed then. */
function check(wrong: string): void {
  let isWrong = false;
  for (const item of itemsOf(list())) {
    const isBad = callsOfLines(linesOf(item)) === undefined;
    const lines = item.find('.folkmoot-example-calls');
    lines.toggleClass('input-error', isBad).attr('title', isBad ? wrong : '');
    isWrong ||= isBad;
  }
  $('#node-dialog-ok')
    .prop('disabled', isWrong)
    .toggleClass('disabled', isWrong)
    .attr('title', isWrong ? wrong : '');
}

function draw(container: JQuery, { prompt, calls = [] }: Partial<AgentExample>, word: (id: string) => string): void {
  const said = $('<input type="text" class="folkmoot-wide folkmoot-example-prompt" autocomplete="off">')
    .attr({ 'aria-label': word('prompt'), placeholder: word('prompt') })
    .val(prompt ?? '');
  const lines = $('<textarea class="folkmoot-wide folkmoot-example-calls" rows="2" spellcheck="false">')
    .attr({ 'aria-label': word('calls'), placeholder: word('calls') })
    .val(calls.map(lineOfCall).join('\n'));
  container.append(said, lines);
  nameRemoveButton(container, word('prompt'));
  if (prompt === undefined) said.trigger('focus');
}

/** @returns what reads them; those without words are left out. */
export function exampleList(node: EditorNode): () => AgentExample[] {
  const word = (id: string): string => node._(`folkmoot-agent.example.${id}`);
  const look = (): void => check(word('wrong'));
  list()
    .addClass('folkmoot-list')
    .editableList<Partial<AgentExample>>({
      height: 'auto',
      sortable: true,
      removable: true,
      addButton: node._('folkmoot-agent.add.examples'),
      addItem: (container, _index, data) => draw(container, data, word),
      removeItem: () => setTimeout(look, 0),
    })
    .on('input', look);
  showExamples(node['examples']);
  return () =>
    itemsOf(list()).flatMap((item) => {
      const prompt = String(item.find('.folkmoot-example-prompt').val() ?? '').trim();
      return prompt ? [{ prompt, calls: callsOfLines(linesOf(item)) ?? [] }] : [];
    });
}

/** In the place of those that are there. */
export function showExamples(examples: unknown): void {
  list().editableList('empty');
  for (const example of Array.isArray(examples) ? (examples as AgentExample[]) : [])
    list().editableList('addItem', { ...example });
}
