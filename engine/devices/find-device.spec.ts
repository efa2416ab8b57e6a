import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { findDevice } from './find-device.ts';

const named = (name: string, room?: string, ...aliases: string[]) => ({ name, aliases, ...(room ? { room } : {}) });
const devices = [
  named('kitchen ceiling', 'kitchen', 'kitchen light'),
  named('Küche Spüle', 'küche'),
  named('bedroom blind', 'bedroom'),
  named('bathroom radiator', 'bathroom'),
  named('office radiator', 'office'),
];
const found = (said: string): string => {
  const result = findDevice(said, devices);
  if (result.kind === 'found') return result.device.name;
  const names = (result.kind === 'tie' ? result.devices : result.nearest).map(({ name }) => name);
  return `${result.kind}: ${names.join(', ')}`;
};

describe('a device that is named', () => {
  it('is found by name or other name, whatever the case, the accents and the Unicode form', () => {
    for (const said of [
      'Küche Spüle',
      'KÜCHE SPÜLE',
      'kuche spule',
      'Ku\u0308che Spu\u0308le',
      'küche_spüle',
      'kücheSpüle',
    ])
      assert.equal(found(said), 'Küche Spüle', said);
    assert.equal(found('the ceiling in the kitchen'), 'kitchen ceiling');
    assert.equal(found('Kitchen Light'), 'kitchen ceiling');
    assert.equal(found('bedroom'), 'bedroom blind');
  });

  it('is never guessed: two that fit are a tie, and a miss names the nearest', () => {
    assert.equal(found('radiator'), 'tie: bathroom radiator, office radiator');
    assert.match(found('ofice radiater'), /^miss: office radiator/);
    const lamps = [named('living floor lamp', 'living'), named('reading lamp of the upper floor')];
    assert.deepEqual(findDevice('floor lamp', lamps), { kind: 'found', device: lamps[0] });
    assert.equal(findDevice('lamp floor', lamps).kind, 'tie');
    assert.equal(findDevice('lamp', lamps).kind, 'tie');
    assert.equal(found('spaceship'), 'miss: ');
    assert.equal(found(''), 'miss: ');
  });

  it('is found by its own name among any others, unless another has the same', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(names, (all) => {
        const list = all.map((name) => named(name));
        for (const one of list) {
          const result = findDevice(one.name, list);
          if (result.kind === 'found')
            assert.equal(result.device.name.normalize('NFC').trim(), one.name.normalize('NFC').trim());
        }
      }),
      { seed: seed(), numRuns: repeats(1_000) },
    );
  });
});
