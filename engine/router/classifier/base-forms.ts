/** Words under the forms that a word list or a description may know them by. */
import { stemOf } from '../../model/rules/tokens.ts';

const irregular: Readonly<Record<string, string>> = Object.fromEntries(
  `men man,women woman,children child,geese goose,mice mouse,feet foot,teeth tooth,oxen ox,people person,mown mow,eaten eat,ate eat,
  fed feed,sold sell,bought buy,sown sow,grown grow,grew grow,told tell,said say,forgot forget,forgotten forget,took take,taken take,
  brought bring,lit light,shut shut,froze freeze,thieves thief,dwarves dwarf,elves elf,hooves hoof,kept keep,made make,got get`
    .split(',')
    .map((pair) => pair.trim().split(' ') as [string, string]),
);

/** The word itself without a plural first, then what it may be a form of: "moving" is of "move", "wolves" of "wolf". */
export function baseForms(word: string): readonly string[] {
  const found = [stemOf(word)];
  const base = Object.hasOwn(irregular, word) ? irregular[word] : undefined;
  if (base !== undefined) found.push(base);
  if (/ves$/.test(word)) found.push(`${word.slice(0, -3)}f`, `${word.slice(0, -3)}fe`);
  for (const [ending, least] of [
    ['ing', 6],
    ['ed', 5],
  ] as const) {
    if (!word.endsWith(ending) || word.length < least) continue;
    const cut = word.slice(0, -ending.length);
    found.push(cut, `${cut}e`);
    if (cut.at(-1) === cut.at(-2)) found.push(cut.slice(0, -1));
    if (cut.endsWith('i')) found.push(`${cut.slice(0, -1)}y`);
  }
  return found;
}
