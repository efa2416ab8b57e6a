/** The list of devices to tick: name, room and other names can be changed, and how careful one has to be. */
import type { Device } from '../../engine/devices/device.ts';

export interface DeviceRows {
  show(devices: readonly Device[], ticked: ReadonlySet<string>): void;
  /** Those that are ticked, as they are written now. */
  ticked(): Device[];
  /** Ticks all that are shown, or none of them. */
  tickShown(isTicked: boolean): void;
  /** Shows only those with these words in their name, room or sort. */
  filter(words: string): void;
}

const input = (kind: string, label: string, value: string): JQuery =>
  $('<input type="text" autocomplete="off">')
    .addClass(`folkmoot-d-${kind}`)
    .attr({ 'aria-label': label, title: label, placeholder: label })
    .val(value);

/** @param changed Told when a tick was set or taken away. */
export function deviceRows(node: EditorNode, list: JQuery, changed: () => void): DeviceRows {
  const word = (id: string, values?: Readonly<Record<string, unknown>>): string =>
    node._(`folkmoot-language.device.${id}`, values);
  const drawn: { readonly device: Device; readonly row: JQuery }[] = [];

  function riskChoice({ risk }: Device): JQuery {
    if (risk === 'read') return $('<span class="folkmoot-d-risk">').text(word('reads'));
    const choice = $('<select class="folkmoot-d-risk">').attr({ 'aria-label': word('risk'), title: word('risk') });
    for (const one of ['reversible', 'critical'])
      choice.append(
        $('<option>')
          .val(one)
          .text(node._(`folkmoot-language.risk.${one}`)),
      );
    return choice.val(risk);
  }

  function draw(device: Device, isTicked: boolean): void {
    const tick = $('<input type="checkbox" class="folkmoot-d-tick">')
      .prop('checked', isTicked)
      .attr('aria-label', word('tick', { name: device.name }))
      .on('change', changed);
    const can = [...device.settings, ...(device.settings.length ? [] : device.readings)].map(({ what }) => what);
    const kind = node._(`folkmoot-language.sort.${device.kind.replace(' ', '')}`);
    const does = $('<span class="folkmoot-d-does">').text(`${kind}: ${[...new Set(can)].join(', ')}`);
    const first = $('<div class="folkmoot-line">').append(
      tick,
      input('name', word('name'), device.name),
      input('room', word('room'), device.room ?? ''),
      riskChoice(device),
    );
    const second = $('<div class="folkmoot-line">').append(
      does,
      input('aliases', word('aliases'), device.aliases.join(', ')),
    );
    const row = $('<div class="folkmoot-device">').append(first, second);
    drawn.push({ device, row });
    list.append(row);
  }

  function read({ device, row }: (typeof drawn)[number]): Device {
    const text = (kind: string): string => String(row.find(`.folkmoot-d-${kind}`).val() ?? '').trim();
    const { room: _, ...rest } = device;
    const aliases = text('aliases')
      .split(',')
      .map((alias) => alias.trim())
      .filter(Boolean);
    return {
      ...rest,
      name: text('name') || device.name,
      ...(text('room') ? { room: text('room') } : {}),
      aliases: aliases.slice(0, 8),
      risk: device.risk === 'read' ? 'read' : text('risk') === 'critical' ? 'critical' : 'reversible',
    };
  }

  return {
    show(devices, ticked) {
      drawn.length = 0;
      list.empty();
      for (const device of devices) draw(device, ticked.has(device.id));
    },
    tickShown(isTicked) {
      for (const { row } of drawn)
        if (row.css('display') !== 'none') row.find('.folkmoot-d-tick').prop('checked', isTicked);
      changed();
    },
    filter(words) {
      const wanted = words.trim().toLowerCase();
      for (const { device, row } of drawn) {
        const text = [row.find('.folkmoot-d-name').val(), row.find('.folkmoot-d-room').val(), device.kind].join(' ');
        row.toggle(text.toLowerCase().includes(wanted));
      }
    },
    ticked: () => drawn.filter(({ row }) => row.find('.folkmoot-d-tick').prop('checked') === true).map(read),
  };
}
