/** The GraphQL schema of a dialog: Node-RED reads it as it is typed, says what is wrong with it, and which mutations it has. */
import { holdDone } from '../shared/editor/hold-done.ts';
import type { SchemaCheck, ShownMutation } from './language.fields.ts';

export interface SchemaForm {
  /** What is to be saved. */
  read(): { readonly schema: string; readonly mutations: readonly ShownMutation[] };
  /** To be called when it comes into use, or is no longer in use. */
  check(): void;
  resize(): void;
  close(): void;
}

const id = 'node-config-input-schema-editor';
/** After the last key. */
const pauseMs = 300;

/** @param isInUse Whether the language is one of this kind. */
export function schemaForm(node: EditorNode, isInUse: () => boolean): SchemaForm {
  const schema = String(node['schema'] ?? '');
  const editor = RED.editor.createEditor({ id, mode: 'ace/mode/graphql', value: schema });
  const fault = $('<div class="form-tips folkmoot-fault" role="alert">').hide().insertAfter(`#${id}`);
  const found = $('#node-config-input-mutations-list').hide();
  let mutations = (node['mutations'] as readonly ShownMutation[] | undefined) ?? [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  const show = (checked: SchemaCheck): void => {
    const why = 'fault' in checked ? checked.fault : undefined;
    if (!('fault' in checked)) mutations = checked.mutations;
    fault.text(why ?? '').toggle(why !== undefined);
    $(`#${id}`).toggleClass('folkmoot-bad', why !== undefined);
    const names = mutations.map(({ name }) => name).join(', ');
    found.text(node._('folkmoot-language.tip.mutations', { names })).toggle(why === undefined);
    holdDone(why);
  };
  const ask = (): void => {
    const mine = (asked += 1);
    void $.ajax({
      url: 'folkmoot-admin/language/schema',
      method: 'POST',
      contentType: 'application/json',
      data: JSON.stringify({ schema: editor.getValue() }),
    })
      .done((checked: SchemaCheck) => {
        if (mine === asked && isInUse()) show(checked);
      })
      // Who can't ask may save all the same: a faulty schema is told when it is deployed.
      .fail(() => {
        if (mine === asked) holdDone(undefined);
      });
  };
  const check = (): void => {
    clearTimeout(timer);
    asked += 1;
    if (!isInUse()) return;
    holdDone(node._('folkmoot-language.error.reading'));
    timer = setTimeout(ask, pauseMs);
  };
  editor.on('change', check);
  return {
    check,
    read: () => ({ schema: editor.getValue(), mutations }),
    resize: () => editor.resize(),
    close() {
      clearTimeout(timer);
      asked += 1;
      editor.destroy();
    },
  };
}
