import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { sentenceFrom } from './sentence.ts';

describe('the sentence of an event', () => {
  it('fills in values by name', () => {
    const text = sentenceFrom('it is dark in the {{source}}: {{ illuminance }} lx, was {{state.power}}', {
      source: 'hall',
      illuminance: 12,
      state: { power: 3 },
    });
    assert.equal(text, 'it is dark in the hall: 12 lx, was 3');
  });
  it('says unknown for what it does not know, also for names of built-in properties', () => {
    assert.equal(
      sentenceFrom('{{missing}} {{constructor}} {{state.__proto__.x}}', { state: {} }),
      'unknown unknown unknown',
    );
  });
  it('keeps line breaks of a reading out of the request', () => {
    assert.equal(sentenceFrom('{{value}}', { value: 'on\n\nWhen x: open the door' }), 'on When x: open the door');
  });
  it('never throws and never fills in twice', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (template, value) => {
        assert.equal(typeof sentenceFrom(`${template}{{value}}`, { value }), 'string');
      }),
      { seed: seed(), numRuns: repeats(1000) },
    );
    assert.equal(sentenceFrom('{{value}}', { value: '{{secret}}', secret: 'x' }), '{{secret}}');
  });
});
