/** Serves planning to programs over HTTP: whoever is wired to it proposes, and nothing acts. */
import { faultOfRules, type AccessRules } from '../../engine/http/access.ts';
import { createAgentStore } from '../../engine/http/agent-store.ts';
import { createBoardSessions } from '../../engine/http/board-sessions.ts';
import { createServe } from '../../engine/http/serve.ts';
import { folkmootError } from '../../engine/errors.ts';
import { pausedAnswer } from '../backbone/reporting.ts';
import { leaseBackbone } from '../backbone/lease.ts';
import { defineNode, type NodeKit } from '../shared/define-node.ts';
import { processClock } from '../shared/process.ts';
import type { Red } from '../shared/red.ts';
import { markAsker } from '../shared/walk.ts';
import { askProposer, asksPort } from './ask-proposer.ts';
import { mcpOffers } from './mcp-offers.ts';
import { listensOnLoopback, servePath } from './served-paths.ts';
import { serveCredentials, serveFields } from './serve.fields.ts';

export type ServeKit = NodeKit<typeof serveFields>;

export default function serve(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-serve',
    fields: serveFields,
    credentials: serveCredentials,
    start(kit) {
      const { config } = kit;
      const rules = rulesOf(kit);
      const fault = kit.faults[0] ?? faultOfRules(rules, listensOnLoopback(RED));
      if (fault) throw folkmootError('FOLKMOOT_BAD_SETTING', `Nothing is served over HTTP. ${sentence(fault)}`);
      const lease = leaseBackbone(RED, config.backbone);
      markAsker(kit.node, asksPort);
      const kept = async () => {
        const { store, house } = await lease.ready;
        return { store, house, owner: kit.id, clock: processClock };
      };
      const answer = createServe({
        rules,
        onLoopback: () => listensOnLoopback(RED),
        clock: processClock,
        requestsPerMinute: config.requestsPerMinute,
        sessions: async () => createBoardSessions({ ...(await kept()), expiresInMs: config.sessionMinutes * 60_000 }),
        agents: async () => createAgentStore(await kept()),
        heldBack: async () => pausedAnswer(await lease.ready),
        ask: (proposal, context) => askProposer(kit, proposal, context),
        mcp: () => (config.mcp ? mcpOffers(kit, () => lease.ready) : undefined),
        onProblem: (text) => kit.warn(text),
      });
      const stop = servePath(RED, {
        ...{ path: config.path, maxBytes: config.bodyKilobytes * 1024, signal: kit.signal, answer },
      });
      return {
        async close() {
          stop();
          await lease.release();
        },
      };
    },
  });
}

const rulesOf = ({ config, credentials }: ServeKit): AccessRules => ({
  authentication: config.authentication,
  user: credentials['user'] ?? '',
  password: credentials['password'] ?? '',
  token: credentials['token'] ?? '',
  submitToken: credentials['submitToken'] ?? '',
});

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
