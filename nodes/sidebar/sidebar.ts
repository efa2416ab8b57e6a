/** The runtime's half of the sidebar: keeps the last runs, tells editors that there is something new, and serves them. */
import { createRunList } from '../../engine/watch/run-list.ts';
import { processClock, runFeed } from '../shared/process.ts';
import type { Red } from '../shared/red.ts';
import { watchRuns } from './run-watch.ts';

export interface AdminRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, string>>;
}

export interface AdminResponse {
  set(header: string, value: string): AdminResponse;
  json(body: unknown): unknown;
  sendStatus(status: number): unknown;
}

type Handler = (request: AdminRequest, response: AdminResponse, next: () => void) => unknown;

/** What of Node-RED's API only a plugin uses. */
export interface PluginRed extends Red {
  readonly httpAdmin: Readonly<Record<'get' | 'post', (path: string, ...handlers: readonly Handler[]) => unknown>>;
  readonly auth: { needsPermission(permission: string): Handler };
  readonly comms: { publish(topic: string, data: unknown, retain: boolean): void };
  readonly plugins: { registerPlugin(id: string, definition: object): void };
}

/** Node-RED loads it once in a process; specs do more often, and then the last one counts. */
let stop = (): void => undefined;

export default function sidebar(RED: PluginRed): void {
  stop();
  const watch = watchRuns({
    feed: runFeed,
    clock: processClock,
    makeList: (onChange) => createRunList({ clock: processClock, onChange, nodeOf: (id) => inEditor(RED, id) }),
    // To all editors, whatever their users may see: that something is new, and nothing of it.
    tell: (revision) => RED.comms.publish('folkmoot/runs', { revision }, false),
  });
  stop = watch.close;
  RED.httpAdmin.get(
    '/folkmoot-admin/runs',
    RED.auth.needsPermission('folkmoot.runs.read'),
    ({ query: { after, epoch } }, response) => {
      const revision = Number(after);
      const known = typeof epoch === 'string' && Number.isSafeInteger(revision);
      return response
        .set('cache-control', 'no-store')
        .json(known ? watch.list.since(revision, epoch) : watch.list.since());
    },
  );
  RED.httpAdmin.post(
    '/folkmoot-admin/runs/:run/:decision',
    RED.auth.needsPermission('folkmoot.runs.write'),
    ({ params: { run = '', decision = '' } = {} }, response) => {
      if (decision !== 'approve' && decision !== 'deny') return response.sendStatus(404);
      const waits = watch.list.since().runs.find((one) => one.run === run)?.waits;
      // It was answered meanwhile, or nobody waits any more.
      if (!waits || waits.until < processClock.now()) return response.sendStatus(409);
      runFeed.decided({ run, decision });
      return response.sendStatus(202);
    },
  );
  RED.plugins.registerPlugin('folkmoot-runs-feed', { type: 'folkmoot-feed', onremove: watch.close });
}

/** Within a subflow the editor knows only what the instance was made from. */
const inEditor = (RED: Red, id: string): string => RED.nodes.getNode(id)?._alias ?? id;
