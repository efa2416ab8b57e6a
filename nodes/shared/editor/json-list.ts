/**
 * A list that is edited as text. Node-RED closes a dialog whatever its `oneditsave` finds, so a text that can't be read
 * keeps "Done" from being pressed, by mouse and by keyboard, and says why.
 */

import { holdDone } from './hold-done.ts';

/** Why a text is no list, as id of a word of the catalogue and what it holds; nothing: it is one. */
type Fault = { readonly id: 'json' | 'noList' | 'noEntry'; readonly values: Readonly<Record<string, unknown>> };

type Read<T> = { readonly list: T[] } | { readonly fault: Fault };

export interface JsonListOptions {
  readonly node: EditorNode;
  readonly setting: string;
  /** Whether the text counts: it is shown, and holds the truth. */
  readonly isInUse: () => boolean;
  /** Says a fault in the words of this node's catalogue. */
  readonly word: (fault: Fault['id'], values: Fault['values']) => string;
}

export interface JsonListEditor<T> {
  /** Nothing: the text is no list. */
  read(): T[] | undefined;
  show(list: readonly T[]): void;
  /** Marks what is wrong, or that nothing is; also to be called when `isInUse` may have changed. */
  check(): void;
  resize(): void;
  /** At the dialog's end. */
  close(): void;
}

/** A list of objects in a config node's dialog; the element is `node-config-input-<setting>-editor`. */
export function jsonListEditor<T>({ node, setting, isInUse, word }: JsonListOptions): JsonListEditor<T> {
  const id = `node-config-input-${setting}-editor`;
  const editor = RED.editor.createEditor({
    id,
    mode: 'ace/mode/json',
    value: JSON.stringify(node[setting] ?? [], null, 2),
  });
  const reason = $('<div class="form-tips folkmoot-fault" role="alert">').hide().insertAfter(`#${id}`);
  const readNow = (): Read<T> => readList<T>(editor.getValue());
  const check = (): void => {
    const read = readNow();
    const fault = 'fault' in read && isInUse() ? read.fault : undefined;
    reason.text(fault ? word(fault.id, fault.values) : '').toggle(fault !== undefined);
    $(`#${id}`).toggleClass('folkmoot-bad', fault !== undefined);
    holdDone(fault ? reason.text() : undefined);
  };
  editor.on('change', check);
  return {
    check,
    read() {
      const read = readNow();
      return 'list' in read ? read.list : undefined;
    },
    show: (shown) => editor.setValue(JSON.stringify(shown, null, 2)),
    resize: () => editor.resize(),
    close: () => editor.destroy(),
  };
}

function readList<T>(text: string): Read<T> {
  let read: unknown;
  try {
    read = JSON.parse(text.trim() || '[]');
  } catch (error) {
    return { fault: { id: 'json', values: { reason: String((error as Error).message) } } };
  }
  if (!Array.isArray(read)) return { fault: { id: 'noList', values: {} } };
  const wrong = read.findIndex((one) => typeof one !== 'object' || one === null || Array.isArray(one));
  return wrong < 0 ? { list: read as T[] } : { fault: { id: 'noEntry', values: { number: wrong + 1 } } };
}
