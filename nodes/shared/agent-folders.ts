/** Folders of agents that the routers of one backbone have, for those who list them or read them again. */
import type { FolderState } from '../../engine/agent-documents/agents-folder.ts';
import type { Backbone } from '../backbone/lease.ts';

export interface TeamFolder {
  /** Node id. */
  readonly router: string;
  readonly path: string;
  /** What stands, and what can't be used. */
  readonly state: FolderState;
  /** Reads its files again. Never rejects. */
  reload(): Promise<FolderState>;
}

export const agentFoldersOf = (backbone: Backbone): Set<TeamFolder> =>
  backbone.once('agentFolders', () => new Set<TeamFolder>());

/** Reads all of them again. Never rejects. */
export async function reloadAgents(backbone: Backbone): Promise<FolderState> {
  const states = await Promise.all([...agentFoldersOf(backbone)].map((folder) => folder.reload()));
  return {
    agents: states.flatMap(({ agents }) => agents),
    problems: states.flatMap(({ problems }) => problems),
  };
}
