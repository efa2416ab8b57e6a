/** Variables and headers as they are written in a dialog. */
import { folkmootError } from '../../engine/errors.ts';

/** `NAME=value; NAME=value` or `Name: value; Name: value`. Throws FOLKMOOT_BAD_SETTING, without saying a value. */
export function pairsIn(text: string, joint: '=' | ':'): Readonly<Record<string, string>> {
  const parts = text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter(Boolean);
  return Object.fromEntries(
    parts.map((part, index) => {
      const at = part.indexOf(joint);
      const name = part.slice(0, Math.max(0, at)).trim();
      if (!/^[A-Za-z0-9_-]+$/.test(name))
        throw folkmootError(
          'FOLKMOOT_BAD_SETTING',
          `Part ${index + 1} has to be NAME${joint === '=' ? '=' : ': '}value; parts stand apart by semicolons.`,
        );
      return [name, part.slice(at + 1).trim()];
    }),
  );
}
