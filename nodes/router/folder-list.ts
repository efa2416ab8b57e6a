/** `GET folkmoot-admin/router/agents`: tells editors which agents of its folder a deployed router has, and which it can't use. */
import type { Red, RedNode } from '../shared/red.ts';
import type { PluginRed } from '../sidebar/sidebar.ts';
import type { FolderTeam } from './folder-team.ts';
import type { ListedAgents } from './listed-agents.ts';

const folders = new WeakMap<object, FolderTeam>();

export const showFolderOf = (router: RedNode, folder: FolderTeam): void => void folders.set(router, folder);

/** Behind the editor's permission; without an editor it is left out. */
export function serveFolders(RED: Red): void {
  const { httpAdmin, auth } = RED as Partial<PluginRed>;
  if (!httpAdmin || !auth) return;
  httpAdmin.get(
    '/folkmoot-admin/router/agents',
    auth.needsPermission('folkmoot.agents.read'),
    ({ query: { router } }, response) => {
      const node = typeof router === 'string' ? RED.nodes.getNode(router) : undefined;
      response.set('cache-control', 'no-store').json(listed(node ? folders.get(node) : undefined));
    },
  );
}

function listed(folder: FolderTeam | undefined): ListedAgents {
  const { agents = [], problems = [] } = folder?.state() ?? {};
  return {
    agents: agents.map(({ file, definition: { agentId, name } }) => ({ agentId, name, file })),
    problems,
  };
}
