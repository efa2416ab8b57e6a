/** The answers of `test/sets/model-text`, written by others: which calls count, what is said, what was thought. */
import { globSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../engine/language/json-schema.ts';
import { messageParts } from '../engine/model/written/message-parts.ts';
import { spokenAndThought } from '../engine/model/written/thinking.ts';
import { writtenAnswer } from '../engine/model/written/written-calls.ts';
import { readJson, root } from './rules.sets.ts';

interface WrittenCase {
  readonly id?: string;
  readonly text?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly offered?: readonly string[];
  readonly expect: {
    readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
    readonly say?: string;
    readonly thinking?: string;
  };
}

interface WrittenFile {
  readonly tools?: readonly { readonly name: string; readonly parameters: JsonSchema }[];
  readonly cases: readonly WrittenCase[];
}

export interface WrittenFigures {
  readonly file: string;
  readonly half: 'open' | 'sealed';
  readonly total: number;
  readonly right: number;
  /** A call ran that was none: the worst that can happen. */
  readonly ran: number;
  /** Of the open half. */
  readonly differing: readonly string[];
}

const plain = (text = '') => text.replace(/\s+/g, ' ').trim();

function callFault({ tools = [] }: WrittenFile, { text = '', offered, expect }: WrittenCase) {
  const all = tools
    .filter(({ name }) => !offered || offered.includes(name))
    .map((one) => ({ ...one, schema: one.parameters }));
  const got = writtenAnswer(text, all);
  const calls = got.calls.map(({ name, args }) => ({ name, arguments: args }));
  const wanted = expect.calls ?? [];
  const areRight = isDeepStrictEqual(calls, wanted);
  const isSaid = expect.say === undefined || plain(got.say) === plain(expect.say);
  const ran = calls.some((call) => !wanted.some((one) => isDeepStrictEqual(one, call)));
  const said = isSaid ? '' : ` says ${JSON.stringify(got.say)}, not ${JSON.stringify(expect.say)}`;
  return { isRight: areRight && isSaid, ran, fault: `${areRight ? '' : JSON.stringify(calls)}${said}` };
}

function thoughtFault({ text, fields, expect }: WrittenCase) {
  const got = fields ? messageParts(fields) : spokenAndThought(text ?? '');
  const isRight = plain(got.say) === plain(expect.say) && plain(got.thinking) === plain(expect.thinking);
  return { isRight, ran: false, fault: JSON.stringify(got) };
}

export const writtenFigures = (): WrittenFigures[] =>
  globSync('test/sets/model-text/*.json', { cwd: root })
    .sort()
    .map((file) => {
      const read = readJson(file) as WrittenFile;
      const half = file.includes('.sealed.') ? 'sealed' : 'open';
      const results = read.cases.map((one) => ({
        one,
        ...(file.includes('calls-as-text') ? callFault(read, one) : thoughtFault(one)),
      }));
      const wrong = results.filter(({ isRight }) => !isRight);
      return {
        ...{ file, half, total: results.length, right: results.length - wrong.length },
        ran: results.filter(({ ran }) => ran).length,
        differing:
          half === 'open'
            ? wrong.map(
                ({ one, fault }) => `${one.id ?? ''} ${JSON.stringify(one.text ?? one.fields).slice(0, 160)}: ${fault}`,
              )
            : [],
      };
    });

if (process.argv[1]?.endsWith('written.ts'))
  for (const { file, total, right, ran, differing } of writtenFigures()) {
    console.log(`${file}: ${right} of ${total}${ran ? `, ${ran} ran that were none` : ''}`);
    if (process.argv.includes('--open')) for (const one of differing) console.log(`  ${one}`);
  }
