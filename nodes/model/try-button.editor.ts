/** The button that tries the model that the dialog shows, from where Node-RED runs. */
import { modelFields } from './model.fields.ts';

interface Finding {
  readonly isOk: boolean;
  readonly text: string;
}

type Answer = { readonly findings: readonly Finding[] } | { readonly fault: string };

const input = (name: string): JQuery => $(`#node-config-input-${name}`);

/** What the dialog holds now, saved or not. */
const asEntered = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(modelFields)
      .filter((name) => name !== 'script')
      .map((name) => [name, String(input(name).val() ?? '')]),
  );

export function tryButton(node: EditorNode): void {
  const button = $('#folkmoot-model-try');
  const result = $('#folkmoot-model-result').hide();
  const show = (...lines: string[]): void => {
    result.empty().show();
    for (const line of lines) result.append($('<div>').text(line));
    result[0]?.scrollIntoView({ block: 'nearest' });
  };
  // What was found out is about other settings then.
  button.closest('form').on('input change', () => result.hide());
  button.on('click', () => {
    button.prop('disabled', true);
    show(node._('folkmoot-model.try.running'));
    void $.ajax({
      url: 'folkmoot-admin/model/try',
      method: 'POST',
      contentType: 'application/json',
      data: JSON.stringify({ id: node.id, settings: asEntered(), apiKey: String(input('apiKey').val() ?? '') }),
    })
      .done((answer: Answer) => {
        if ('fault' in answer) show(`✗ ${answer.fault}`);
        else show(...answer.findings.map(({ isOk, text }) => `${isOk ? '✓' : '✗'} ${text}`));
      })
      .fail((_request, _status, text) => show(node._('folkmoot-model.try.failed', { text })))
      .always(() => button.prop('disabled', false));
  });
}
