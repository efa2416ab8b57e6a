import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../../test/red/tier.ts';
import type { FunctionSpec } from '../../language/function-spec.ts';
import { compileLanguage } from './compile.ts';
import { interpret } from './interpret.ts';
import { planWithRules } from './plan.ts';
import { isActing } from './reading.ts';
import { planData, workshop } from './sample.ts';
import { english } from './words.en.ts';

const haul: FunctionSpec = {
  name: 'HaulLogs',
  description: 'Hauls logs from a stack of the yard to a shed',
  category: 'wood',
  risk: 'reversible',
  effect: true,
  repeatable: false,
  synonyms: ['carry', 'bring'],
  parameters: [
    { name: 'stack', type: 'string', required: true, allowedValues: ['long', 'short'] },
    { name: 'shed', type: 'string', required: true, allowedValues: ['upper', 'lower'] },
  ],
};
const language = compileLanguage([...workshop, haul], english);
const callsOf = (text: string) =>
  interpret(text, language)
    .requests.filter(isActing)
    .flatMap(({ fn, calls }) => calls.map((call) => [fn.spec.name, ...Object.values(call)]));
const runs = { seed: seed(), numRuns: repeats(100) };
const verbs = fc.constantFrom('haul', 'carry', 'bring');
const stacks = fc.constantFrom('long', 'short');
const sheds = fc.constantFrom('upper', 'lower');

describe('a way from one place to another', () => {
  it('is followed in any order of its ends', () => {
    fc.assert(
      fc.property(verbs, stacks, sheds, (verb, stack, shed) => {
        const expected = [['HaulLogs', stack, shed]];
        assert.deepEqual(callsOf(`${verb} the logs from the ${stack} stack to the ${shed} shed`), expected);
        assert.deepEqual(callsOf(`${verb} logs to the ${shed} shed from the ${stack} stack`), expected);
        assert.deepEqual(callsOf(`${verb} the logs of the ${stack} stack to ${shed}`), expected);
      }),
      runs,
    );
  });

  it('is asked about when it is said the other way round', () => {
    fc.assert(
      fc.property(verbs, stacks, sheds, (verb, stack, shed) => {
        assert.deepEqual(callsOf(`${verb} the logs from the ${shed} shed to the ${stack} stack`), []);
        assert.deepEqual(callsOf(`${verb} the logs from ${shed} to ${stack}`), []);
        assert.deepEqual(callsOf(`${verb} the logs of the ${stack} stack from the ${shed} shed`), []);
      }),
      runs,
    );
    const agent = { agentId: 'hauler', name: 'Hauler', description: '', topics: [], parameters: [], accepts: [] };
    const data = { functions: [haul], agents: [{ ...agent, generates: ['HaulLogs'] }] };
    const { questions = [] } = planWithRules(planData('haul the logs of the long stack from the upper shed', data));
    assert.match(questions[0]?.question ?? '', /can’t follow “from the upper” there\. Which shed/);
  });
});

describe('a word that tells where a thing goes', () => {
  it('is no state of it', () => {
    fc.assert(
      fc.property(fc.constantFrom('take', 'bring', 'carry', 'throw'), fc.constantFrom('out', 'off'), (verb, word) => {
        assert.deepEqual(callsOf(`${verb} the band saw ${word}`), []);
        assert.deepEqual(callsOf(`${verb} ${word} the band saw`), []);
      }),
      runs,
    );
    assert.deepEqual(callsOf('turn the band saw off'), [['SetSaw', 'band_saw', 'off']]);
    assert.deepEqual(callsOf('get the band saw off of it'), []);
    assert.deepEqual(callsOf('throw the band saw on'), [['SetSaw', 'band_saw', 'on']]);
  });
});
