import assert from 'node:assert/strict';
import { deviceFigures, resolverFigures, type DeviceFigures } from './devices.ts';

const words = (all: readonly DeviceFigures[]) =>
  all
    .flatMap(({ hand, half, right, total, differing }) => [`${hand} ${half}: ${right} of ${total}`, ...differing])
    .join('\n');
const share = (all: readonly DeviceFigures[], half: 'open' | 'sealed') => {
  const some = all.filter((one) => one.half === half);
  return some.reduce((sum, { right }) => sum + right, 0) / some.reduce((sum, { total }) => sum + total, 0);
};

describe('houses of others, as Zigbee2MQTT and MQTT discovery tell of them', () => {
  const [devices, names] = [deviceFigures(), resolverFigures()];

  it('are read as their owners expect: offered or not, how careful, which room, and what they can be brought to do', () => {
    assert.ok(share(devices, 'open') >= 0.95, words(devices));
    assert.ok(share(devices, 'sealed') >= 0.85, words(devices));
  });

  it('have their devices found by what people call them, and none is guessed', () => {
    assert.ok(share(names, 'open') >= 0.95, words(names));
    assert.ok(share(names, 'sealed') >= 0.9, words(names));
    assert.equal(
      names.reduce((sum, { guessed }) => sum + guessed, 0),
      0,
    );
  });
});
