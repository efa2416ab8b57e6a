/** Deploys the flows of a running home as its editor does when each node was touched. */
import assert from 'node:assert/strict';
import type { HomeProcess } from './home-process.ts';

interface Flows {
  readonly rev: string;
  readonly flows: readonly Record<string, unknown>[];
}

export const deployKinds = ['full', 'flows', 'nodes', 'reload'] as const;

const version = { 'Node-RED-API-Version': 'v2' };

/** @param note Another one than the last time, or nothing has changed. */
export async function deployHome(home: HomeProcess, kind: (typeof deployKinds)[number], note: string): Promise<void> {
  const url = new URL('flows', home.ready.editor);
  const { rev, flows } = (await (await fetch(url, { headers: version })).json()) as Flows;
  const changed = flows.map((node) => (String(node['type']).startsWith('folkmoot-') ? { ...node, info: note } : node));
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...version, 'content-type': 'application/json', 'Node-RED-Deployment-Type': kind },
    body: JSON.stringify({ rev, flows: changed }),
  });
  assert.equal(answer.status, 200, await answer.text());
}
