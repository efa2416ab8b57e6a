/** Tells editors who is on a broker, so that people choose instead of typing. */
import type { Registry } from '../../engine/registry/registry.ts';
import { leaseBackbone } from '../backbone/lease.ts';
import { membershipOf } from '../backbone/membership.ts';
import type { Red } from '../shared/red.ts';
import type { PluginRed } from '../sidebar/sidebar.ts';
import type { Listed, RegistryList } from './listed.ts';

const path = '/folkmoot-admin/registry';

/** Part of the editor's own interface, behind its permission; without one (as in some specs) it is left out. */
export function serveRegistry(RED: Red): void {
  const { httpAdmin, auth } = RED as Partial<PluginRed>;
  if (!httpAdmin || !auth) return;
  httpAdmin.get(path, auth.needsPermission('folkmoot.registry.read'), ({ query }, response) => {
    const id = typeof query['backbone'] === 'string' ? query['backbone'] : '';
    void listOf(RED, id).then((list) => response.set('cache-control', 'no-store').json(list));
  });
}

async function listOf(RED: Red, id: string): Promise<RegistryList> {
  const nothing = { agents: [], tools: [] };
  if (id === '') return { ...nothing, problem: 'no broker' };
  let lease;
  try {
    lease = leaseBackbone(RED, id);
    const membership = membershipOf(await lease.ready);
    if (!membership) return { ...nothing, problem: 'no broker' };
    await membership.registry.ready;
    return shown(membership.registry, membership.process);
  } catch {
    return { ...nothing, problem: 'missing' };
  } finally {
    await lease?.release();
  }
}

/** Others' only: one's own agents are reached over a wire. */
function shown(registry: Registry, own: string): RegistryList {
  const listed = (
    all: readonly (Omit<Listed, 'description'> & { readonly process: string; readonly words: string })[],
  ) =>
    all
      .filter(({ process, status }) => process !== own && status !== 'gone')
      .map(({ id, name, house, status, words }) => ({ id, name, house, status, description: words }));
  return {
    agents: listed(registry.agents().map((one) => ({ ...one, words: one.description }))),
    tools: listed(registry.tools().map((one) => ({ ...one, words: one.purpose }))),
  };
}
