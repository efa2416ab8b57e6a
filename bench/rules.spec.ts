import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { createLanguage } from '../engine/language/language.ts';
import type { FunctionSpec } from '../engine/language/function-spec.ts';
import { memoryFunctions } from '../engine/memory/memory-functions.ts';
import { compiled } from '../engine/model/rules/compiled.ts';
import { interpret } from '../engine/model/rules/interpret.ts';
import { isActing } from '../engine/model/rules/reading.ts';
import { sharedFiles } from '../test/shared-data.ts';
import { codeOf, filesOf, isSpec } from '../test/structure/sources.ts';
import { measure } from './rules.cases.ts';
import type { BenchCase } from './rules.cases.ts';
import { readJson, runSet, say, setFiles, trapFigures } from './rules.sets.ts';
import type { SetCase, SetResult } from './rules.sets.ts';

const specsOf = (file: string) => readJson(file) as FunctionSpec[];
const home = specsOf('bench/rules-home.functions.json');
const starter = specsOf('flows/home.functions.json');
const greenhouse = specsOf('test/sets/greenhouse/functions.json');
const [shared] = Object.values(sharedFiles('', 'home-commands-en.json'));
const commands = (shared === undefined ? readJson('bench/rules-own.cases.json') : JSON.parse(shared)) as BenchCase[];

const sum = (results: readonly SetResult[], key: 'total' | 'right' | 'wrong' | 'acted') =>
  results.reduce((all, one) => all + one[key], 0);
const share = (part: number, total: number) => part / Math.max(1, total);
/** Texts of open sets only: sealed sentences are never shown. */
const wrongOf = (result: SetResult) =>
  result.file.includes('.sealed.')
    ? []
    : result.cases.filter(({ verdict }) => verdict === 'wrong').map(({ text }) => text);
const results = (part: string) =>
  setFiles()
    .filter((file) => file.includes(part))
    .map((file) => runSet(file));

describe('the rules on spoken home commands', () => {
  it('have at least 80 % right and under 1 % wrong', () => {
    const { total, right, wrong } = measure(commands, home);
    assert.ok(share(right, total) >= 0.8, `${right} of ${total} right`);
    assert.ok(share(wrong, total) < 0.01, `${wrong} of ${total} wrong`);
  });

  it('understand the project’s own sentences of that form', () => {
    const { total, right, wrong } = measure(readJson('bench/rules-own.cases.json') as BenchCase[], home);
    assert.deepEqual([right, wrong], [total, 0]);
  });
});

describe('the rules on the sentence sets', () => {
  it('understand the whole table of the starter home', () => {
    const [table] = results('home/table');
    assert.ok(table);
    assert.deepEqual(
      table.cases.filter(({ verdict }) => verdict !== 'right').map(({ text }) => text),
      [],
    );
  });

  it('do nothing on sentences on which nothing may happen', () => {
    const sets = results('home/nothing');
    assert.ok(sum(sets, 'total') >= 150);
    assert.equal(sum(sets, 'wrong') + sum(sets, 'acted'), 0, sets.flatMap(wrongOf).join('\n'));
  });

  for (const [name, part] of [
    ['home', 'home/hand'],
    ['greenhouse', 'greenhouse/hand'],
  ] as const) {
    it(`have at least 80 % right and under 1 % wrong of the open ${name} sentences`, () => {
      const sets = results(part).filter(({ file }) => file.includes('.open.'));
      assert.ok(share(sum(sets, 'right'), sum(sets, 'total')) >= 0.8);
      assert.ok(share(sum(sets, 'wrong'), sum(sets, 'total')) < 0.01, sets.flatMap(wrongOf).join('\n'));
    });

    it(`have under 2 % wrong of the sealed ${name} sentences`, () => {
      const sets = results(part).filter(({ file }) => file.includes('.sealed.'));
      assert.ok(sum(sets, 'total') >= 60);
      assert.ok(share(sum(sets, 'wrong'), sum(sets, 'total')) < 0.02, `${sum(sets, 'wrong')} wrong`);
    });
  }

  it('do nothing on sentences that contradict themselves, and act on clear ones like them', () => {
    const sets = results('/traps-');
    const open = trapFigures(sets, 'open');
    assert.equal(open.wrong, 0, sets.flatMap(wrongOf).join('\n'));
    const sealed = trapFigures(sets, 'sealed');
    assert.ok(sealed.total >= 100);
    assert.ok(share(sealed.wrong, sealed.total) < 0.02, `${sealed.wrong} wrong`);
    for (const { understood, lookAlikes } of [open, sealed])
      assert.ok(share(understood, lookAlikes) >= 0.8, `${understood} of ${lookAlikes} right`);
  });

  it('never turn a light of the home off at a level, whatever the room, the level and the words', () => {
    const rooms = ['kitchen', 'living room', 'bedroom', 'hall'];
    for (const room of rooms)
      for (let percent = 1; percent <= 100; percent++)
        for (const text of [
          `turn the ${room} light off at ${percent} %`,
          `${room} light off, ${percent} percent`,
          `tell everybody that the ${room} light is off and set the ${room} light to ${percent} %`,
        ])
          assert.deepEqual(say(text, starter).calls, [], text);
  });

  it('do the same when somebody in the team has a memory', () => {
    for (const file of setFiles()) {
      const [without, withMemory] = [runSet(file), runSet(file, memoryFunctions)];
      const differs = without.cases.filter((one, at) => !isDeepStrictEqual(one.got, withMemory.cases[at]?.got));
      // Sealed sentences are never shown.
      const shown = differs.map(({ text }) => (file.includes('.sealed.') ? file : text));
      assert.deepEqual(shown, []);
    }
  });

  it('follow dialogues', () => {
    const sets = results('home/dialogues');
    assert.equal(sum(sets, 'wrong'), 0, sets.flatMap(wrongOf).join('\n'));
    assert.ok(share(sum(sets, 'right'), sum(sets, 'total')) >= 0.8);
  });

  it('do nothing once such a sentence is denied, asked, conditional, reported or taken back', () => {
    const turns: readonly ((text: string) => string)[] = [
      (text) => `don't ${text}`,
      (text) => `you must never ${text}`,
      (text) => `if it rains, ${text}`,
      (text) => `why did you ${text}`,
      (text) => `should I ${text}`,
      (text) => `he said ${text}`,
      (text) => `I was about to ${text}`,
      (text) => `${text} or not`,
      (text) => `${text} tomorrow`,
      (text) => `${text} when I am home`,
      (text) => `${text}, just kidding`,
      (text) => `${text}. Never mind!`,
    ];
    for (const [functions, part] of [
      [starter, 'home/hand'],
      [greenhouse, 'greenhouse/hand'],
    ] as const) {
      const files = setFiles().filter((file) => file.includes(part) && !file.includes('.sealed.'));
      const cases = files.flatMap((file) => (readJson(file) as { cases: SetCase[] }).cases);
      const single = cases.filter(
        ({ text, expect }) => expect === 'act' && !/[,.!:]|\b(?:and|not|so|that|um|leave)\b|n't/.test(text),
      );
      for (const text of single.flatMap((one) => turns.map((turn) => turn(one.text))))
        assert.deepEqual(say(text, functions).calls, [], text);
    }
  });

  it('give the same calls step by step as the whole sentence does', () => {
    for (const [functions, part] of [
      [starter, 'home/'],
      [greenhouse, 'greenhouse/'],
    ] as const) {
      const language = compiled(functions.filter(({ effect }) => effect));
      const files = setFiles().filter((file) => file.includes(part) && !file.includes('.sealed.'));
      for (const { text } of files.flatMap((file) => (readJson(file) as { cases?: SetCase[] }).cases ?? [])) {
        const whole = interpret(text, language)
          .requests.filter(isActing)
          .flatMap(({ fn, calls }) => calls.map((call) => JSON.stringify([fn.spec.name, sorted(call)])));
        const stepwise = say(text, functions).calls.map((call) =>
          JSON.stringify([call.function, sorted(call.parameters)]),
        );
        assert.deepEqual(
          stepwise.filter((call) => whole.includes(call)),
          whole,
          text,
        );
      }
    }
  });
});

const sorted = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).sort(([a], [b]) => a.localeCompare(b));

describe('the languages that the rules are measured with', () => {
  it('have at most eight synonyms a function and a value, and are valid', () => {
    for (const specs of [home, starter, greenhouse]) {
      createLanguage(specs);
      for (const spec of specs) {
        assert.ok((spec.synonyms ?? []).length <= 8, spec.name);
        for (const { synonyms = {} } of spec.parameters)
          for (const words of Object.values(synonyms)) assert.ok(words.length <= 8, spec.name);
      }
    }
  });

  it('are named nowhere in the code and the word lists of the rules', () => {
    const code = filesOf('engine/model/rules/*.ts')
      .filter((file) => !isSpec(file) && !file.endsWith('sample.ts'))
      .map(codeOf)
      .join('\n');
    const names = [home, starter, greenhouse].flat().map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => code.includes(name)),
      [],
    );
  });

  it('have no sentence of theirs in the word lists', () => {
    const code = filesOf('engine/model/rules/*.ts').map(codeOf).join('\n').toLowerCase();
    const said = commands.map(({ text }) => text.toLowerCase()).filter((text) => text.split(' ').length > 2);
    assert.deepEqual(
      said.filter((text) => code.includes(text)),
      [],
    );
  });
});
