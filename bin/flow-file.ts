/** The flow of a home, read before Node-RED does: it would take one that it can't read for an empty one. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { folkmootError } from '../engine/errors.ts';

/** A node as the file holds it. */
export type FlowNode = Readonly<Record<string, unknown>>;

/** Node-RED takes the copy that it made at the last deploy when the file itself is empty. */
async function hasBackup(file: string): Promise<boolean> {
  const backup = path.join(path.dirname(file), `.${path.basename(file)}.backup`);
  const found = await stat(backup).catch(() => undefined);
  return found !== undefined && found.size > 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Its nodes. @throws FOLKMOOT_START_REFUSED when Node-RED could not read it. */
export async function readFlow(file: string): Promise<readonly FlowNode[]> {
  const text = await readFile(file, 'utf8');
  if (text === '' && (await hasBackup(file))) return [];
  const flow = parse(text);
  if (Array.isArray(flow)) return flow.filter((node): node is FlowNode => typeof node === 'object' && node !== null);
  throw folkmootError(
    'FOLKMOOT_START_REFUSED',
    `The flow in ${file} cannot be read: mend that file, or take the shipped flow with "npm start -- --fresh", which ` +
      `keeps yours as ${path.basename(file)}.bak.`,
  );
}
