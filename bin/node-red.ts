/** Node-RED inside this process, with the nodes of this package and a user directory in the home. */
import type { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { HomeFolder } from './home-folder.ts';

import { editorLogin, letsIn } from './login.ts';
import { watchListening, type UntilListening } from './listening.ts';
import { loggingTo } from './log.ts';
import { listen } from './ports.ts';
import type { HomeSettings } from './settings.ts';
import { watchStore, type UntilStore } from './store-watch.ts';

export interface RunningNodeRed {
  /** Address of the editor, for this computer. */
  readonly editor: string;
  /** Why the flows don't run, in words; then only the editor does. */
  readonly problem?: string;
  /** Resolves when what people ask is heard, or after a while: a flow of one's own may never do so. */
  readonly untilListening: UntilListening;
  readonly untilStore: UntilStore;
  close(): Promise<void>;
}

/** Longest wait for Node-RED to start the flows. */
const flowsMs = 60_000;

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const notYet: Handler = (_request, response) => {
  response.writeHead(503, { 'Retry-After': '2' });
  response.end('The home is starting.');
};

function nodeRedSettings(home: HomeFolder, settings: HomeSettings, packageRoot: string, port: number) {
  return {
    uiHost: settings.host,
    uiPort: port,
    httpAdminRoot: '/',
    httpNodeRoot: '/',
    userDir: home.userDir,
    nodesDir: packageRoot,
    flowFile: home.flowFile,
    flowFilePretty: true,
    credentialSecret: home.credentialSecret,
    ...editorLogin(settings.password),
    telemetry: { enabled: false, updateNotification: false },
    editorTheme: {
      tours: false,
      projects: { enabled: false },
      page: { title: 'Folkmoot' },
      header: { title: 'Folkmoot' },
    },
    logging: loggingTo((line) => console.error(line)),
  };
}

const inBrackets = (host: string) => (host.includes(':') ? `[${host}]` : host);
const reachable = (host: string) => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : inBrackets(host));

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

interface RuntimeState {
  readonly id?: string;
  readonly payload?: { readonly error?: string; readonly types?: readonly string[] };
}

/** Resolves when the flows run, or with a sentence when they don't: then people mend them in the editor. */
function untilFlowsRun(events: EventEmitter): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (problem?: string) => {
      clearTimeout(timer);
      events.off('runtime-event', onState);
      events.off('flows:started', onStarted);
      resolve(problem);
    };
    const onStarted = () => end();
    const onState = ({ id, payload }: RuntimeState) => {
      if (id !== 'runtime-state' || !payload?.error) return;
      const types = payload.types?.length ? ` (${payload.types.join(', ')})` : '';
      end(`The flow does not run: ${payload.error.replaceAll('-', ' ')}${types}. Open the editor to mend it.`);
    };
    const timer = setTimeout(() => end('The flow did not start in time. Open the editor to see why.'), flowsMs);
    events.on('runtime-event', onState);
    events.once('flows:started', onStarted);
  });
}

/** Resolves when the flows run. @throws FOLKMOOT_PORT_TAKEN, FOLKMOOT_START_REFUSED, or what Node-RED throws. */
export async function startNodeRed(
  home: HomeFolder,
  settings: HomeSettings,
  packageRoot: string,
): Promise<RunningNodeRed> {
  let handler: Handler = notYet;
  const server = createServer((request, response) => handler(request, response, () => undefined));
  const port = await listen(server, settings.editorPort, settings.host, 'the editor');
  const { default: nodeRed } = await import('node-red');
  // Their types know neither telemetry nor a list of users made by functions.
  nodeRed.init(server, nodeRedSettings(home, settings, packageRoot, port));
  const admin = nodeRed.httpAdmin as unknown as Handler;
  const served = nodeRed.httpNode as unknown as Handler;
  const notFound = (response: ServerResponse) => response.writeHead(404).end('There is nothing here.');
  const started = untilFlowsRun(nodeRed.events);
  const untilListening = watchListening(nodeRed.events);
  const untilStore = watchStore(nodeRed.events);
  await nodeRed.start();
  handler = (request, response) =>
    admin(request, response, () => {
      if (letsIn(request, response, settings.password)) served(request, response, () => notFound(response));
    });
  const problem = await started;
  return {
    ...(problem ? { problem } : {}),
    editor: `http://${reachable(settings.host)}:${port}`,
    untilListening,
    untilStore,
    async close() {
      await nodeRed.stop();
      await closeServer(server);
    },
  };
}
