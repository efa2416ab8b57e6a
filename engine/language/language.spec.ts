import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isFolkmootError } from '../errors.ts';
import { checkCall } from './check-call.ts';
import { consequencesOf } from './consequences.ts';
import type { FunctionSpec } from './function-spec.ts';
import { toJsonSchema, toToolSchema } from './json-schema.ts';
import { createLanguage } from './language.ts';
import { fillPlaceholders } from './placeholders.ts';
import { sampleFunctions } from '../../test/language/sample.ts';
import { sentenceOf } from './sentence.ts';

const language = createLanguage(sampleFunctions);
const bare = (extra: object): object => ({
  name: 'Act',
  description: 'Acts',
  category: 'x',
  risk: 'reversible',
  effect: true,
  repeatable: true,
  parameters: [],
  ...extra,
});
const refused = (specs: readonly unknown[], ...words: (string | RegExp)[]) =>
  assert.throws(
    () => createLanguage(specs),
    (error: unknown) => {
      assert.ok(isFolkmootError(error, 'FOLKMOOT_LANGUAGE_INVALID'), String(error));
      for (const word of words) assert.match(error.message, typeof word === 'string' ? new RegExp(word) : word);
      return true;
    },
  );
const specOf = (name: string): FunctionSpec => {
  const spec = language.find(name);
  assert.ok(spec);
  return spec;
};

describe('language', () => {
  it('finds functions by name and lists by category', () => {
    assert.equal(language.find('mowlawn')?.name, 'MowLawn');
    assert.equal(language.find('Nothing'), undefined);
    assert.deepEqual(language.resolve(['category:waste', 'MowLawn', 'MowLawn', 'Gone']), ['MowLawn', 'CollectWaste']);
    assert.deepEqual(language.unknown(['category:pool', 'MowLawn', 'Gone']), ['category:pool', 'Gone']);
    assert.ok(language.categories.includes('lawn-waste'));
  });

  it('keeps no reference to what it was given', () => {
    const own = structuredClone(sampleFunctions) as unknown as { name: string }[];
    const made = createLanguage(own);
    own[0]!.name = 'Changed';
    assert.equal(made.functions[0]?.name, 'SetLight');
  });

  it('refuses what is wrong, naming function, parameter and what is allowed', () => {
    const parameter = { name: 'room', type: 'string', required: true };
    refused(['text'], 'number 1', 'object');
    refused([bare({ name: '1st' })], 'begins with a letter');
    refused([bare({ risk: 'huge' })], 'Function Act', 'read, reversible, critical');
    refused([bare({ colour: 1 })], 'Function Act', 'colour');
    refused([bare({ parameters: [{ ...parameter, type: 'int' }] })], 'Function Act, parameter room', 'string, integer');
    refused([bare({ parameters: [parameter, parameter] })], 'parameter room is there twice');
    refused([bare({}), bare({ name: 'ACT' })], 'ACT is there twice');
    refused([bare({ synonyms: Array(9).fill('x') })], 'synonyms', 'at most 8');
    const many = { ...parameter, allowedValues: ['a'], synonyms: { a: Array(9).fill('x') } };
    refused([bare({ parameters: [many] })], 'parameter room, synonyms a', 'at most 8');
    const stray = { ...parameter, allowedValues: ['a'], synonyms: { b: ['x'] } };
    refused([bare({ parameters: [stray] })], 'parameter room', '"b", which is not an allowed value \\(a\\)');
    refused([bare({ requireOneOf: [['gone']] })], 'parameter gone', 'no parameters');
    refused([bare({ sentence: '{gone}' })], 'sentence names parameter gone');
    refused([bare({ sentence: '{gone:1=x|y}' })], 'sentence names parameter gone');
    const count = { name: 'n', type: 'integer', required: true };
    refused([bare({ sentence: '{n:no=x}', parameters: [count] })], 'parameter n: "no" before = is no value');
    refused([bare({ sentence: '{n:at #|0=x}', parameters: [count] })], 'come last, but "0=x" comes after');
    refused([bare({ parameters: [{ ...count, label: '' }] })], 'parameter n, label');
    const number = { name: 'n', type: 'integer', required: true, minimum: 5, maximum: 1 };
    refused([bare({ parameters: [number] })], 'minimum 5 is greater than maximum 1');
  });

  it('refuses consequences that name unknown functions or parameters', () => {
    refused([bare({ consequences: [{ function: 'Gone', parameters: {} }] })], 'consequence Gone', 'there are Act');
    refused([bare({ consequences: [{ function: 'Act', parameters: { x: '1' } }] })], 'has no parameter x');
    const own = { name: 'x', type: 'string', required: true };
    const from = [{ function: 'Act', parameters: { x: '{y}' } }];
    refused([bare({ parameters: [own], consequences: from })], 'takes its value from y; Act has x');
  });

  it('becomes JSON Schema', () => {
    assert.deepEqual(toJsonSchema(specOf('SetLight')), {
      type: 'object',
      properties: {
        room: { type: 'string', minLength: 1, maxLength: 8000, enum: ['kitchen', 'living_room', 'bedroom'] },
        state: { type: 'string', minLength: 1, maxLength: 8000, enum: ['on', 'off'] },
        brightness: { description: 'in %', type: 'integer', minimum: 0, maximum: 100 },
      },
      required: ['room'],
      additionalProperties: false,
      allOf: [{ anyOf: [{ required: ['state'] }, { required: ['brightness'] }] }],
    });
    assert.equal(toToolSchema(specOf('SetLight'))['allOf'], undefined);
  });
});

describe('a call', () => {
  const good = (name: string, parameters: Record<string, unknown>) => {
    const checked = checkCall(language, { function: name, parameters });
    assert.ok(checked.ok, checked.ok ? '' : checked.finding);
    return checked.parameters;
  };
  const bad = (name: string, parameters: Record<string, unknown>, allowed?: string[]) => {
    const checked = checkCall(language, { function: name, parameters }, allowed);
    assert.ok(!checked.ok);
    return checked;
  };

  it('gets typed values in the spelling of the language', () => {
    assert.deepEqual(good('setlight', { brightness: '40 %', room: 'Living Room' }), {
      room: 'living_room',
      brightness: 40,
    });
    assert.deepEqual(good('SetLight', { room: 'lounge', state: 'ON' }), { room: 'living_room', state: 'on' });
    assert.equal(good('SetTemperature', { room: 'bedroom', celsius: '2.15e+1' })['celsius'], 21.5);
    assert.deepEqual(good('SetTemperature', { room: 'bedroom', celsius: '21,5 °C' }), {
      room: 'bedroom',
      celsius: 21.5,
    });
    assert.deepEqual(good('SetLight', { room: 'kitchen', state: 'on', brightness: null }), {
      room: 'kitchen',
      state: 'on',
    });
  });

  it('is refused with function, parameter and what is allowed', () => {
    const hot = bad('SetTemperature', { room: 'bedroom', celsius: 90 });
    assert.equal(
      hot.finding,
      'Function SetTemperature, parameter celsius: 90 is not allowed; allowed is a number (5 to 30 degrees).',
    );
    assert.equal(hot.forPeople, 'The bedroom can be set to 5 to 30 degrees, not 90.');
    const room = bad('SetLight', { room: 'garage', state: 'on' });
    assert.equal(
      room.finding,
      'Function SetLight, parameter room: garage is not allowed; allowed is kitchen, living_room, bedroom.',
    );
    assert.equal(room.forPeople, 'The room can be kitchen, living room or bedroom, not garage.');
    const bright = bad('SetLight', { room: 'kitchen', brightness: 150 });
    assert.equal(bright.forPeople, 'The brightness for the kitchen can be 0 to 100 %, not 150.');
    assert.match(
      bad('SetLight', { room: 'kitchen', brightness: 'high' }).finding,
      /high is not allowed; allowed is an integer/,
    );
    assert.match(
      bad('SetLight', { room: 'kitchen', state: 'on', colour: 'red' }).finding,
      /colour does not exist; allowed are room/,
    );
    assert.match(bad('SetLight', { room: 'kitchen', brightness: 40.5 }).finding, /40.5 is not allowed/);
  });

  it('that lacks values asks for them', () => {
    const light = bad('SetLight', { state: 'on' });
    assert.deepEqual([light.problem, light.missing], ['missing', ['room']]);
    assert.equal(light.forPeople, 'Which room: kitchen, living room or bedroom?');
    const take: object = {
      name: 'site_name',
      label: 'site',
      type: 'string',
      required: true,
      allowedValues: ['a', 'b'],
    };
    const labelled = checkCall(createLanguage([bare({ parameters: [take] })]), { function: 'Act', parameters: {} });
    assert.ok(!labelled.ok);
    assert.equal(labelled.forPeople, 'Which site: a or b?');
    const set = bad('SetLight', { room: 'kitchen' });
    assert.deepEqual([set.problem, set.missing], ['missing', ['state', 'brightness']]);
    assert.equal(set.forPeople, 'What should be set: on or off, or the brightness (0 to 100 %)?');
    assert.match(set.finding, /at least one of state, brightness/);
    assert.equal(bad('SetTemperature', { room: 'bedroom' }).forPeople, 'How many degrees (5 to 30)?');
    assert.equal(bad('SetTemperature', { celsius: 90 }).problem, 'value');
    assert.equal(bad('TellPerson', { text: '  ' }).problem, 'missing');
  });

  it('of a function that is not allowed is refused with those that are', () => {
    assert.equal(bad('MowLawn', { area: 'front' }, ['SetLight']).code, 'FOLKMOOT_NOT_ALLOWED');
    assert.match(bad('Explode', {}, ['SetLight']).finding, /Explode does not exist; allowed are SetLight/);
  });

  it('never throws and never passes what the schema forbids, whatever a model sends', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...language.functions.map((f) => f.name), 'x'),
        fc.jsonValue(),
        (name, parameters) => {
          const checked = checkCall(language, { function: name, parameters: parameters as Record<string, unknown> });
          if (!checked.ok) assert.ok(checked.finding && checked.forPeople);
          else assert.deepEqual(checkCall(language, { function: name, parameters: checked.parameters }), checked);
        },
      ),
    );
  });

  it('refuses texts for people that hold function names', () => {
    const names = /SetLight|SetTemperature|living_room|FOLKMOOT/;
    for (const one of [bad('SetLight', { room: 'x' }), bad('SetTemperature', {}), bad('SetLight', {}, ['MowLawn'])])
      assert.doesNotMatch(one.forPeople, names);
  });
});

describe('consequences', () => {
  it('come with the call, typed', () => {
    const found = consequencesOf(language, { function: 'MowLawn', parameters: { area: 'back' } });
    assert.deepEqual(
      found.map((one) => [one.spec.name, one.parameters]),
      [['ProduceCutGrass', { area: 'back' }]],
    );
  });

  it('of consequences come too, a circle ends, and there is a cap', () => {
    const own = [{ name: 'n', type: 'string', required: true }];
    const circle = createLanguage([
      bare({ name: 'A', parameters: own, consequences: [{ function: 'B', parameters: { n: '{n}' } }] }),
      bare({ name: 'B', parameters: own, consequences: [{ function: 'A', parameters: { n: '{n}' } }] }),
      bare({ name: 'G', parameters: own, consequences: [{ function: 'G', parameters: { n: '{n}x' } }] }),
    ]);
    assert.deepEqual(
      consequencesOf(circle, { function: 'A', parameters: { n: '1' } }).map((one) => one.spec.name),
      ['B'],
    );
    assert.equal(consequencesOf(circle, { function: 'G', parameters: { n: 'a' } }).length, 20);
  });
});

describe('a sentence for people', () => {
  it('has values, units and optional parts', () => {
    const light = specOf('SetLight');
    assert.equal(
      sentenceOf(light, { room: 'living_room', state: 'on', brightness: 40 }),
      'Living room light on at 40 %',
    );
    assert.equal(sentenceOf(light, { room: 'kitchen', brightness: 40 }), 'Kitchen light at 40 %');
    assert.equal(sentenceOf(specOf('SetTemperature'), { room: 'bedroom', celsius: 21 }), 'Bedroom set to 21 degrees');
    assert.equal(sentenceOf(specOf('MowLawn'), { area: 'front' }), 'Mow lawn: front');
    assert.equal(sentenceOf(specOf('TellPerson'), { text: 'a_b {x} [y]' }), 'Tell person: a_b {x} [y]');
  });

  it('has words for single values and for all others', () => {
    const position = { name: 'position', type: 'integer', required: false, unit: '%' };
    const place = { name: 'place', type: 'string', required: false, allowedValues: ['sun_room', 'hall'] };
    const told = (sentence: string, given: Record<string, number | string>) => {
      const [spec] = createLanguage([bare({ sentence, parameters: [position, place] })]).functions;
      assert.ok(spec);
      return sentenceOf(spec, given);
    };
    const blind = '{place} blind[ {position:0=closed|100=fully open|at # open}]';
    assert.equal(told(blind, { place: 'sun_room', position: 0 }), 'Sun room blind closed');
    assert.equal(told(blind, { place: 'sun_room', position: 100 }), 'Sun room blind fully open');
    assert.equal(told(blind, { place: 'hall', position: 40 }), 'Hall blind at 40 % open');
    assert.equal(told(blind, { place: 'hall' }), 'Hall blind');
    assert.equal(told('blind {position:0=closed}', { position: 40 }), 'Blind 40 %');
    assert.equal(told('in {place:sun_room=the sun|the # ($&)}', { place: 'sun_room' }), 'In the sun');
    assert.equal(told('in {place:sun_room=the sun|the #}', { place: 'hall' }), 'In the hall');
  });
});

describe('placeholders', () => {
  const specs = [
    bare({
      name: 'Switch',
      parameters: [
        { name: 'name', type: 'string', required: true, allowedValues: ['{entities:light}', 'all'] },
        { name: 'area', type: 'string', required: false, allowedValues: ['{areas}'] },
      ],
      sentence: '{name}[ in {area}]',
    }),
    bare({ name: 'Go', parameters: [{ name: 'floor', type: 'string', required: true, allowedValues: ['{floors}'] }] }),
  ] as FunctionSpec[];

  it('are filled, each value once', () => {
    const entities = [
      { name: 'Lamp', domain: 'light' },
      { name: 'lamp', domain: 'light' },
      { name: 'Fan', domain: 'fan' },
    ];
    const filled = fillPlaceholders(specs, { areas: ['Hall'], floors: ['First Floor'], entities });
    assert.deepEqual(filled[0]?.parameters[0]?.allowedValues, ['Lamp', 'all']);
    assert.deepEqual(filled[1]?.parameters[0]?.allowedValues, ['First Floor']);
  });

  it('of which nothing is known allow nothing', () => {
    const filled = fillPlaceholders(specs, {});
    assert.deepEqual(
      filled.map((spec) => [spec.name, spec.parameters.length, spec.sentence]),
      [['Switch', 1, '{name}']],
    );
    const unfilled = createLanguage(specs);
    const checked = checkCall(unfilled, { function: 'Go', parameters: { floor: '{floors}' } });
    assert.ok(!checked.ok && /nothing yet/.test(checked.finding));
  });
});
