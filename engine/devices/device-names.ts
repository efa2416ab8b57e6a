/** Names, rooms and other names of devices, from what their owner called them. */
import type { Device } from './device.ts';
import { plain } from './plain.ts';

const rooms = [
  ...['kitchen', 'living room', 'lounge', 'sitting room', 'dining room', 'bedroom', 'master bedroom', 'guest room'],
  ...[
    'kids room',
    'children’s room',
    'nursery',
    'bathroom',
    'bath',
    'toilet',
    'hall',
    'hallway',
    'corridor',
    'landing',
  ],
  ...[
    'entrance',
    'porch',
    'office',
    'study',
    'attic',
    'loft',
    'basement',
    'cellar',
    'garage',
    'laundry',
    'utility room',
  ],
  ...[
    'garden',
    'terrace',
    'balcony',
    'patio',
    'driveway',
    'shed',
    'pantry',
    'stairs',
    'upstairs',
    'downstairs',
    'pool',
  ],
  ...['küche', 'wohnzimmer', 'schlafzimmer', 'bad', 'badezimmer', 'flur', 'büro', 'keller', 'dachboden', 'garten'],
  ...['kinderzimmer', 'esszimmer', 'gästezimmer', 'terrasse', 'balkon', 'cuisine', 'salon', 'chambre', 'couloir'],
];
const known = new Map(rooms.map((room) => [plain(room), room]));

/** `living_room/floor-lamp` → living room floor lamp. Letters keep their case and accents, in composed form. */
export const spokenName = (given: string): string =>
  given
    .normalize('NFC')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_/\\.\-–]+/g, ' ')
    .replace(/[^\p{L}\p{N}\s'’&()]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * The room of a name: what stands before the first slash, else known words of a room at its beginning or end.
 * Undefined: nothing says so.
 */
export function roomOf(given: string): string | undefined {
  const [first = '', ...rest] = given.normalize('NFC').split('/');
  if (rest.length > 0 && spokenName(first) && !/^0x[0-9a-f]+$/i.test(first)) return spokenName(first).toLowerCase();
  const words = spokenName(given).toLowerCase().split(' ');
  for (let length = Math.min(3, words.length); length > 0; length -= 1)
    for (const part of [words.slice(0, length), words.slice(-length)]) {
      const room = known.get(plain(part.join(' ')));
      if (room && length < words.length) return part.join(' ');
    }
  return undefined;
}

const nouns: Partial<Record<Device['kind'], string>> = {
  light: 'light',
  blind: 'blinds',
  heating: 'heating',
  fan: 'fan',
  lock: 'lock',
};

/** Proposed other names: "kitchen light" for the only light of the kitchen. */
export function withAliases(devices: readonly Device[]): readonly Device[] {
  const names = new Set(devices.map(({ name }) => plain(name)));
  return devices.map((device) => {
    const noun = nouns[device.kind];
    const { room, kind } = device;
    if (!noun || !room || devices.filter((one) => one.room === room && one.kind === kind).length > 1) return device;
    const alias = `${room} ${noun}`;
    const isKnown = names.has(plain(alias)) || device.aliases.includes(alias);
    return isKnown ? device : { ...device, aliases: [...device.aliases, alias] };
  });
}

/** No two of one name, whatever their case and accents: all that share one get a number, so that none is meant by chance. */
export function withOwnNames(devices: readonly Device[]): readonly Device[] {
  const counts = new Map<string, number>();
  for (const { name } of devices) counts.set(plain(name), (counts.get(plain(name)) ?? 0) + 1);
  const taken = new Set(devices.map(({ name }) => plain(name)).filter((name) => counts.get(name) === 1));
  return devices.map((device) => {
    if (counts.get(plain(device.name)) === 1) return device;
    let n = 1;
    while (taken.has(plain(`${device.name} ${n}`))) n += 1;
    taken.add(plain(`${device.name} ${n}`));
    return { ...device, name: `${device.name} ${n}` };
  });
}
