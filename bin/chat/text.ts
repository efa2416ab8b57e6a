/** Text for a terminal: what others sent can't steer it, and fits into its rows. */

/** Line breaks and tabs stay; whatever else could move the cursor, change colours or ring goes. */
export const plain = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replace(/[^\P{C}\n\u200c\u200d]/gu, '');

const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const none = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** How many columns a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += none.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

/** A line as rows of at most so many columns, broken at blanks where there are some. */
export function rowsOf(line: string, columns: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const character of line) {
    row += character;
    if (widthOf(row) <= columns) continue;
    const blank = row.lastIndexOf(' ');
    const at = blank > 0 && character !== ' ' ? blank + 1 : row.length - character.length;
    rows.push(row.slice(0, at).trimEnd());
    row = row.slice(at).trimStart();
  }
  return [...rows, row];
}

/** Cut to so many columns, with a sign that it was. */
export function cutTo(text: string, columns: number): string {
  const line = text.replaceAll('\n', ' ');
  if (widthOf(line) <= columns) return line;
  let cut = '';
  for (const character of line) {
    if (widthOf(cut) + widthOf(character) > columns - 1) break;
    cut += character;
  }
  return `${cut}…`;
}
