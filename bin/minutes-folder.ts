/** The folder of minutes does not grow for ever: the oldest files go, by age and by number. */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

export const mostMinutes = 1_000;
export const minutesAgeMs = 365 * 24 * 3_600_000;
const everyMs = 6 * 3_600_000;

/** Removes what is too old or too much; other files stay. A folder that isn't there has nothing to remove. Never rejects. */
export async function tidyMinutes(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const files: { readonly file: string; readonly at: number }[] = [];
  for (const name of names.filter((entry) => entry.endsWith('.minute.json'))) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile()) files.push({ file, at: found.mtimeMs });
  }
  files.sort((a, b) => b.at - a.at);
  const due = files.filter(({ at }, index) => index >= mostMinutes || now - at > minutesAgeMs);
  for (const { file } of due) await rm(file, { force: true }).catch(() => undefined);
}

/** Now and every six hours; gives what ends it. */
export function keepMinutesTidy(folder: string): () => void {
  const tidy = () => void tidyMinutes(folder, Date.now());
  const timer = setInterval(tidy, everyMs);
  timer.unref();
  tidy();
  return () => clearInterval(timer);
}
