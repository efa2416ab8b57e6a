/** Import and Export in an agent's dialog. The runtime reads and writes; what it reads is put into the dialog, not saved. */
import { showExamples } from './agent-examples.editor.ts';
import type { Exchange, ExchangeRequest } from './exchange.ts';

export interface ExchangeOptions {
  readonly language: JQuery;
  /** The lists of the dialog as they are now. */
  readonly read: () => Readonly<Record<string, unknown>>;
}

const texts = ['name', 'agentId', 'description', 'instructions'] as const;
const lists = ['topics', 'parameters', 'accepts', 'generates', 'steps'] as const;
const field = (name: string): JQuery => $(`#node-input-${name}`);
const area = (): JQuery => $('#folkmoot-agent-text');

export function offerExchange(node: EditorNode, options: ExchangeOptions): void {
  const word = (id: string): string => node._(`folkmoot-agent.exchange.${id}`);
  const say = (...lines: readonly string[]): void => {
    const notes = $('#folkmoot-agent-notes').empty();
    notes.append(lines.map((line) => $('<div>').text(line))).toggle(lines.length > 0);
    notes[0]?.scrollIntoView({ block: 'nearest' });
  };
  const ask = (what: 'read' | 'write', request: ExchangeRequest, show: (answer: Exchange) => void): void =>
    void $.ajax({
      url: `folkmoot-admin/agents/${what}`,
      method: 'POST',
      contentType: 'application/json',
      data: JSON.stringify({ ...request, ...languageNow(options.language) }),
    })
      .done(show)
      .fail(({ responseJSON }: { responseJSON?: { error?: string } }) => say(responseJSON?.error ?? word('refused')));
  const write = (): void =>
    ask(
      'write',
      { agent: agentNow(options), form: $('#folkmoot-agent-form').val() as 'own' },
      ({ text = '', notes }) => {
        area().val(text);
        offerFile(text);
        say(...notes);
      },
    );
  const open = (what: 'import' | 'export'): void => {
    $('#folkmoot-agent-exchange').show();
    $('[data-exchange]').each((_index, part) => void $(part).toggle(part.dataset['exchange'] === what));
    area().val('').trigger('focus');
    $('#folkmoot-agent-exchange')[0]?.scrollIntoView({ block: 'end' });
    say();
    if (what === 'export') write();
  };
  $('#folkmoot-agent-exchange').hide();
  $('#folkmoot-agent-import').on('click', () => open('import'));
  $('#folkmoot-agent-export').on('click', () => open('export'));
  $('#folkmoot-agent-form').on('change', write);
  $('#folkmoot-agent-file').on('change', (event) => {
    const [file] = (event.target as HTMLInputElement).files ?? [];
    void file?.text().then((text) => area().val(text));
  });
  $('#folkmoot-agent-take').on('click', () =>
    ask('read', { text: String(area().val()) }, ({ agent = {}, notes }) => {
      take(agent);
      say(word('taken'), ...notes);
    }),
  );
}

/** As the editor has it, deployed or not; one of another kind is known to the runtime alone. */
function languageNow(language: JQuery): Pick<ExchangeRequest, 'language' | 'functions'> {
  const id = String(language.val() ?? '').replace('_ADD_', '');
  const chosen = RED.nodes.node(id);
  const functions = chosen?.['kind'] === 'graphql' ? undefined : chosen?.['functions'];
  return Array.isArray(functions) ? { functions } : { language: id };
}

/** Blank parts are left out. Without a name it is called as it is shown. */
function agentNow({ read }: ExchangeOptions): object {
  const { listensToEvents: _, ...listed } = read();
  const said = texts.map((name) => [name, String(field(name).val() ?? '').trim()] as const);
  return {
    ...Object.fromEntries(said.filter(([, value]) => value)),
    name: String(field('name').val() || field('agentId').val() || field('agentId').attr('placeholder')),
    ...listed,
    fallback: field('fallback').prop('checked') === true,
  };
}

function offerFile(text: string): void {
  const name = String(field('agentId').val() || field('agentId').attr('placeholder'));
  $('#folkmoot-agent-save').attr({
    download: `${name}.agent.json`,
    href: `data:application/json;charset=utf-8,${encodeURIComponent(text)}`,
  });
}

function take(read: object): void {
  const agent = read as Readonly<Record<string, unknown>>;
  for (const name of texts)
    field(name)
      .val(String(agent[name] ?? ''))
      .trigger('input')
      .trigger('change');
  field('fallback').prop('checked', agent['fallback'] === true);
  for (const name of lists) {
    const list = $(`#node-input-${name}-list`);
    list.editableList('empty');
    for (const value of (agent[name] as readonly string[] | undefined) ?? []) list.editableList('addItem', { value });
    list.trigger('change');
  }
  showExamples(agent['examples']);
}
