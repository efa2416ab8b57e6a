/** A running home: its lock, broker, Node-RED and `ready.json`, opened in order and closed in the reverse. */
import path from 'node:path';
import { startBroker, type Broker } from './broker.ts';
import { answersMqtt5 } from './broker-probe.ts';
import { readFlow } from './flow-file.ts';
import { fillFolder, prepareFolder } from './home-folder.ts';
import { lockHome } from './home-lock.ts';
import { storeOfHome } from './home-store.ts';
import { keepMinutesTidy } from './minutes-folder.ts';
import { startNodeRed } from './node-red.ts';
import { inWords } from './refusal.ts';
import { removeReady, withoutLogin, writeReady, type Ready } from './ready.ts';
import { userName, type HomeSettings } from './settings.ts';

export interface Home {
  readonly ready: Ready;
  close(): Promise<void>;
}

interface StartOptions {
  readonly settings: HomeSettings;
  /** The package's folder. */
  readonly root: string;
  /** Gets each line for people. */
  readonly say: (line: string) => void;
}

const minutesOf = ({ folder }: HomeSettings): string => path.join(folder, 'minutes');

/** What the flow reads: it names these variables where its broker and its model are set. */
function tellFlow(settings: HomeSettings, brokerUrl: string): void {
  process.env.FOLKMOOT_MQTT_URL = brokerUrl;
  process.env.FOLKMOOT_VALKEY_URL = settings.storeUrl;
  process.env.FOLKMOOT_HOUSE = settings.house;
  process.env.FOLKMOOT_SIMULATION = settings.brokerUrl ? 'off' : 'on';
  process.env.FOLKMOOT_MINUTES = minutesOf(settings);
  process.env.FOLKMOOT_MODEL_PROVIDER = settings.model.provider;
  process.env.FOLKMOOT_MODEL_NAME = settings.model.modelName;
  process.env.FOLKMOOT_MODEL_URL = settings.model.baseUrl;
  process.env.FOLKMOOT_MODEL_TIMEOUT = String(settings.model.timeoutSeconds);
}

async function noteOnBroker(settings: HomeSettings, broker: Broker | undefined): Promise<string> {
  if (!broker) {
    const isThere = await answersMqtt5(settings.brokerUrl);
    const where = withoutLogin(settings.brokerUrl);
    return isThere ? '' : ` No MQTT 5 broker answers at ${where} yet; the home connects as soon as one does.`;
  }
  const { port, isSet } = settings.brokerPort;
  if (isSet || broker.port === port) return '';
  const taken = `mqtt://127.0.0.1:${port}`;
  const isBroker = await answersMqtt5(taken);
  const hint = isBroker
    ? `, where an MQTT 5 broker answers: to use that one, start with FOLKMOOT_MQTT_URL=${taken}`
    : '';
  return ` Port ${port} is taken${hint}.`;
}

function readyLine(settings: HomeSettings, ready: Ready, note: string): string {
  const wanted = settings.editorPort.port;
  const isMoved = !settings.editorPort.isSet && !ready.editor.endsWith(`:${wanted}`);
  return [
    `Folkmoot ready: editor ${ready.editor}${settings.password ? ` (user ${userName})` : ''}`,
    `broker ${ready.mqtt}${ready.isBrokerEmbedded ? ' (embedded)' : ''}`,
    ...(ready.valkey ? [`memory ${ready.valkey}`] : []),
    `model ${[settings.model.provider, settings.model.modelName].filter(Boolean).join(' ')}`,
    `home ${settings.folder}.${isMoved ? ` Port ${wanted} is taken.` : ''}${note}`,
  ].join(', ');
}

/** A flow of one's own may never listen to what people ask; one that is about to is waited for. */
const patience = { ms: 5_000, connectingMs: 30_000 };
const notListening = ' What people ask is not heard yet.';

/**
 * Opens a home. Resolves when it takes requests.
 * @throws FOLKMOOT_START_REFUSED, FOLKMOOT_PORT_TAKEN in plain words; then nothing stays open.
 */
export async function startHome({ settings, root, say }: StartOptions): Promise<Home> {
  const open: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (let step = open.pop(); step; step = open.pop()) await step();
  };
  try {
    await prepareFolder(settings.folder);
    const lock = await lockHome(settings.folder);
    open.push(() => lock.release());
    await removeReady(settings.folder);
    const shippedFile = path.join(root, 'flows', 'home.json');
    const folder = await fillFolder(settings.folder, { shippedFile, isFresh: settings.isFresh });
    folder.notes.forEach(say);
    const broker = settings.brokerUrl ? undefined : await startBroker(settings.brokerPort);
    if (broker) open.push(() => broker.close());
    const brokerUrl = broker?.url ?? settings.brokerUrl;
    const store = storeOfHome(settings.storeUrl, await readFlow(path.join(folder.userDir, folder.flowFile)));
    const note = await noteOnBroker(settings, broker);
    tellFlow(settings, brokerUrl);
    open.push(keepMinutesTidy(minutesOf(settings)));
    const nodeRed = await startNodeRed(folder, settings, root);
    open.push(() => nodeRed.close());
    if (nodeRed.problem) say(nodeRed.problem);
    // So that a request right after the ready line is heard; a broker that isn't there yet is not waited for.
    const isAwaited = !nodeRed.problem && (note === '' || broker !== undefined);
    const isHeard = !isAwaited || (await nodeRed.untilListening(patience));
    const ready: Ready = {
      v: 1,
      pid: process.pid,
      editor: nodeRed.editor,
      mqtt: withoutLogin(brokerUrl),
      isBrokerEmbedded: broker !== undefined,
      ...(store.address ? { valkey: store.address } : {}),
      since: new Date().toISOString(),
    };
    await writeReady(settings.folder, ready);
    open.push(() => removeReady(settings.folder));
    const noteOnStore = nodeRed.problem ? '' : await store.note(nodeRed.untilStore);
    say(readyLine(settings, ready, note + noteOnStore + (isHeard ? '' : notListening)));
    return { ready, close };
  } catch (error) {
    await close();
    throw inWords(error, settings.folder);
  }
}
