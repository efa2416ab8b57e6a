import assert from 'node:assert/strict';
import { writtenFigures } from './written.ts';

describe('answers of models as others wrote them', () => {
  const all = writtenFigures();
  const of = (half: 'open' | 'sealed', kind: string) =>
    all.filter((one) => one.half === half && one.file.includes(kind));
  const share = (half: 'open' | 'sealed', kind: string) => {
    const some = of(half, kind);
    return some.reduce((sum, { right }) => sum + right, 0) / some.reduce((sum, { total }) => sum + total, 0);
  };
  const words = all
    .flatMap(({ file, right, total, differing }) => [`${file}: ${right} of ${total}`, ...differing])
    .join('\n');

  it('give the calls that are meant, and are told without them', () => {
    assert.ok(share('open', 'calls-as-text') >= 0.95, words);
    assert.ok(share('sealed', 'calls-as-text') >= 0.75, words);
  });

  it('never run in the open half what is no call, and hardly in the other', () => {
    assert.equal(
      of('open', 'calls-as-text').reduce((sum, { ran }) => sum + ran, 0),
      0,
      words,
    );
    const sealed = of('sealed', 'calls-as-text');
    const total = sealed.reduce((sum, one) => sum + one.total, 0);
    assert.ok(sealed.reduce((sum, { ran }) => sum + ran, 0) / total <= 0.03, words);
  });

  it('are told without what was thought', () => {
    assert.ok(share('open', 'thinking') >= 0.95, words);
    assert.ok(share('sealed', 'thinking') >= 0.85, words);
  });
});
