import assert from 'node:assert/strict';
import { callsOfLines, examplesIn, lineOfCall, unusedExamples } from './examples.ts';

const mow = { function: 'MowLawn', parameters: { area: 'front', times: 2 } };

describe('examples of an agent', () => {
  it('are those of a list that have the form of one', () => {
    const good = [
      { prompt: 'mow', calls: [mow] },
      { prompt: 'hello', calls: [] },
    ];
    const bad = [
      ...[null, 'mow', [], {}, { prompt: 'mow' }, { prompt: ' ', calls: [] }, { prompt: 'x', calls: [{}] }],
      { prompt: 'x', calls: [{ function: 'MowLawn', parameters: [] }] },
    ];
    assert.deepEqual(examplesIn([...bad, ...good]), good);
  });

  it('with a command that it may not give are named', () => {
    const examples = [
      { prompt: 'mow', calls: [mow] },
      { prompt: 'hello', calls: [] },
    ];
    assert.deepEqual(unusedExamples({ generates: ['MowLawn'], examples }), []);
    assert.deepEqual(unusedExamples({ generates: [], examples }), [
      'The example "mow" is left out: the agent may not give "MowLawn".',
    ]);
  });

  it('are written a command a line, and read so', () => {
    const calls = [mow, { function: 'AllOff', parameters: {} }];
    const text = calls.map(lineOfCall).join('\n');
    assert.equal(text, 'MowLawn {"area":"front","times":2}\nAllOff');
    assert.deepEqual(callsOfLines(`\n  ${text}  \n\n`), calls);
    assert.deepEqual(callsOfLines(''), []);
    for (const wrong of ['MowLawn area', 'MowLawn {area: 1}', '{"area":"front"}', 'mow the lawn', 'MowLawn []'])
      assert.equal(callsOfLines(wrong), undefined, wrong);
  });
});
