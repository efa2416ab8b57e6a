import assert from 'node:assert/strict';
import { filesOf, read, readJson } from './sources.ts';

interface Words {
  readonly [group: string]: Readonly<Record<string, string>>;
}
const { 'folkmoot-sidebar': words } = readJson('nodes/sidebar/locales/en-US/sidebar.json') as {
  readonly 'folkmoot-sidebar': Words;
};
const ids = Object.entries(words).flatMap(([group, entries]) => Object.keys(entries).map((name) => `${group}.${name}`));
const code = filesOf('nodes/sidebar/*.editor.ts').map(read).join('\n');

/** The values of a union of words in `engine/`. */
function valuesOf(file: string, type: string): string[] {
  const union = new RegExp(`export type ${type} =([^;]+);`).exec(read(file))?.[1] ?? '';
  const values = [...union.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '');
  assert.ok(values.length > 2, `${type} was not found in ${file}`);
  return values;
}

describe('the sidebar', () => {
  it('has words for all it says, and no word that nothing says', () => {
    const used = [...code.matchAll(/'((?:label|runs|state|via)\.[a-z-]+)'/g)].map((match) => match[1] ?? '');
    assert.deepEqual(
      used.filter((id) => !ids.includes(id)),
      [],
    );
    // The rest of an id may be put in: line('empty'), section('steps', …).
    const said = (id: string): boolean => {
      const [group = '', name = ''] = id.split('.');
      return used.includes(id) || (code.includes(`\`${group}.\${`) && (group !== 'runs' || code.includes(`'${name}'`)));
    };
    assert.deepEqual(
      ids.filter((id) => !said(id)),
      [],
    );
  });

  it('has words for each state of runs, steps, asks and commands', () => {
    const moot = 'engine/moot.ts';
    const report = /readonly state: ('applied'[^;]+);/.exec(read(moot))?.[1] ?? '';
    const states = [
      ...valuesOf(moot, 'Outcome'),
      ...valuesOf(moot, 'StepState'),
      ...valuesOf(moot, 'AnswerStatus'),
      ...[...report.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? ''),
    ];
    assert.deepEqual(
      states.filter((state) => !words['state']?.[state]),
      [],
    );
  });

  it('has no colours of its own, so that the dark theme works', () => {
    const styles = read('nodes/sidebar/sidebar.html');
    assert.doesNotMatch(styles, /#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/i);
    assert.deepEqual(
      [...styles.matchAll(/(?:^|\s)(?:color|background): (?!var\(|none|inherit|currentColor)([^;]+);/g)].map(
        (match) => match[1],
      ),
      [],
    );
  });

  it('puts words into the page as text, never as HTML', () => {
    assert.doesNotMatch(code, /innerHTML|outerHTML|insertAdjacentHTML|\.html\(|document\.write/);
  });
});
