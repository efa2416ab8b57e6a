/** An embedding without a model, for any language: words and pieces of words, hashed into one vector. */
import { folkmootError } from '../errors.ts';
import { unitVector, type Embed } from './embed.ts';
import { isSmallTerm, termsOf } from './terms.ts';

/** More would be mostly zeros; fewer let different words fall on one place too often. */
const dimensions = 384;
const weights = { word: 1, pair: 0.4, pieces: 1, small: 0.15 } as const;
/** Writing without spaces: its pieces are shorter, for each sign says more. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u;

/** Similar by wording, not by meaning: “keys” is near “key”, but “car” is not near “automobile”. */
export function createLexicalEmbed(): Embed {
  return {
    id: `lexical-${dimensions}-v1`,
    dimensions,
    embed: (texts) => Promise.resolve().then(() => texts.map(vectorOf)),
  };
}

function vectorOf(text: string): readonly number[] {
  const terms = termsOf(text);
  if (terms.length === 0) throw folkmootError('FOLKMOOT_BAD_INPUT', 'The text holds no words.');
  const vector = new Array<number>(dimensions).fill(0);
  const add = (feature: string, weight: number): void => {
    const hashed = hashOf(feature);
    // The sign lets features that fall on one place cancel each other instead of adding up.
    const at = hashed % dimensions;
    vector[at] = (vector[at] ?? 0) + (hashed & 0x40000000 ? weight : -weight);
  };
  terms.forEach((term, at) => {
    const weight = isSmallTerm(term) ? weights.small : 1;
    add(`w:${term}`, weights.word * weight);
    const pieces = piecesOf(term);
    for (const piece of pieces) add(`p:${piece}`, (weights.pieces * weight) / Math.sqrt(pieces.length));
    const next = terms[at + 1];
    if (next !== undefined) add(`b:${term} ${next}`, weights.pair * weight * (isSmallTerm(next) ? weights.small : 1));
  });
  // Everything cancelled out, which is very unlikely: the whole text is one feature then.
  if (vector.every((value) => value === 0)) add(text, 1);
  return unitVector(vector);
}

/** Runs of three and four characters with marks for begin and end; of two where no spaces are written. */
function piecesOf(term: string): string[] {
  const signs = [...(unspaced.test(term) ? term : `^${term}$`)];
  const sizes = unspaced.test(term) ? [1, 2] : [3, 4];
  return sizes.flatMap((size) =>
    Array.from({ length: Math.max(0, signs.length - size + 1) }, (_, at) => signs.slice(at, at + size).join('')),
  );
}

/** FNV-1a with a last mixing, so that neighbours fall far apart. 32 bits, never negative. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
