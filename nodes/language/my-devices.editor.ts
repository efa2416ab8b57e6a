/** The tab *My devices* of the dialog: looks for devices, shows them to tick, and makes functions of those that are. */
import type { Device, Skipped } from '../../engine/devices/device.ts';
import { deviceRows } from './device-rows.editor.ts';
import type { ShownFunction } from './function-form.editor.ts';

interface Looked {
  readonly devices?: readonly Device[];
  readonly skipped?: readonly Skipped[];
  readonly problems?: readonly string[];
  readonly fault?: string;
}

interface Made {
  readonly functions?: readonly ShownFunction[];
  readonly fault?: string;
}

/** Asks one thing at a time: only the last answer counts. */
interface Asking {
  post<T>(what: string, body: object, then: (answer: T) => void): void;
  close(): void;
}

function createAsking(failed: () => void): Asking {
  let asked = 0;
  return {
    post<T>(what: string, body: object, then: (answer: T) => void) {
      const mine = (asked += 1);
      void $.ajax({
        ...{ url: `folkmoot-admin/devices/${what}`, method: 'POST', contentType: 'application/json' },
        data: JSON.stringify(body),
      })
        .done((answer: T) => {
          if (mine === asked) then(answer);
        })
        .fail(() => {
          if (mine === asked) failed();
        });
    },
    close: () => void (asked += 1),
  };
}

export interface MyDevices {
  /** What is to be saved. */
  read(): readonly Device[];
  look(): void;
  close(): void;
}

const pasteFieldId = 'folkmoot-devices-pasted';

/** @param use Takes the functions into the dialog's list. `functions`: gives those that are there, if they can be read. */
export function myDevices(
  node: EditorNode,
  functions: () => readonly ShownFunction[] | undefined,
  use: (functions: readonly ShownFunction[]) => void,
): MyDevices {
  const word = (id: string, values?: Readonly<Record<string, unknown>>): string =>
    node._(`folkmoot-language.device.${id}`, values);
  let saved = (node['devices'] as readonly Device[] | undefined) ?? [];
  const asking = createAsking(() => say(word('failed'), true));
  const said = $('#folkmoot-devices-said');
  const add = $('#folkmoot-devices-add');
  const rows = deviceRows(node, $('#node-config-input-devices-list'), count);
  const backbones = backboneChoice(word('paste'));

  function count(): void {
    const { length } = rows.ticked();
    add.text(word('add', { count: length })).prop('disabled', length === 0 && saved.length === 0);
  }

  function say(text: string, isFault = false): void {
    said.text(text).toggleClass('folkmoot-fault', isFault);
  }

  function show({ devices = [], skipped = [], problems = [], fault }: Looked): void {
    if (fault !== undefined) return say(fault, true);
    const known = new Map(saved.map((device) => [device.id, device]));
    const found = devices.map((device) => ({ ...device, ...ownOf(known.get(device.id)) }));
    const ids = new Set(found.map(({ id }) => id));
    rows.show([...found, ...saved.filter(({ id }) => !ids.has(id))], new Set(known.keys()));
    const left = skipped.map(({ name, why }) => $('<li>').text(`${name}: ${why}`));
    $('#folkmoot-devices-skipped').empty().append(left);
    $('#folkmoot-devices-skipped-part').toggle(left.length > 0);
    $('#folkmoot-devices-table').toggle(found.length + saved.length > 0);
    say([word(found.length ? 'found' : 'none', { count: found.length }), ...problems].join(' '), problems.length > 0);
    count();
  }

  function look(): void {
    const backbone = String(backbones.val() ?? '');
    const pasted = String($(`#${pasteFieldId}`).val() ?? '');
    if (backbone === '' && pasted.trim() === '') return say(word('pasteFirst'));
    say(word('looking'));
    asking.post<Looked>('look', backbone === '' ? { pasted } : { backbone }, show);
  }

  function takeOver(): void {
    const own = functions();
    if (!own) return;
    const devices = rows.ticked();
    asking.post<Made>('functions', { functions: own, devices, earlier: saved }, (made) => {
      if (!made.functions) return say(made.fault ?? word('failed'), true);
      saved = devices;
      say(word('added', { count: devices.length }));
      count();
      use(made.functions);
    });
  }

  const isPasting = (): boolean => backbones.val() === '';
  const toggle = (): void => void $(`#${pasteFieldId}`).closest('.form-row').toggle(isPasting());
  backbones.on('change', toggle);
  toggle();
  $('#folkmoot-devices-look').text(word('look')).on('click', look);
  add.on('click', takeOver);
  $('#folkmoot-devices-all').on('change', (event) => rows.tickShown((event.target as HTMLInputElement).checked));
  $('#folkmoot-devices-filter').on('input', (event) => rows.filter((event.target as HTMLInputElement).value));
  if (saved.length) show({ devices: saved });
  else {
    $('#folkmoot-devices-table, #folkmoot-devices-skipped-part').hide();
    count();
  }
  return { read: () => saved, look, close: () => asking.close() };
}

/** The connections there are; none: a pasted list. */
function backboneChoice(paste: string): JQuery {
  const choice = $('#folkmoot-devices-backbone').empty();
  RED.nodes.eachConfig(({ id, type, name }) => {
    if (type === 'folkmoot-backbone')
      choice.append(
        $('<option>')
          .val(id)
          .text(name || id),
      );
  });
  return choice.append($('<option>').val('').text(paste));
}

/** What its owner wrote of it stays, whatever is told anew. */
function ownOf(known: Device | undefined): Partial<Device> {
  if (!known) return {};
  const { name, room, aliases, risk } = known;
  return { name, aliases, risk, ...(room === undefined ? {} : { room }) };
}
