/** Somebody builds a team out of the whole palette: drags, wires, configures, deploys, uses and exports it. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { nodeNames, readJson } from '../structure/sources.ts';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, shoot, type EditorUser } from './editor-page.ts';

type Saved = Readonly<Record<string, unknown>>;
const example = readJson('examples/1 - one sentence, one lamp.json') as readonly Saved[];
const functions = example.find(({ type }) => type === 'folkmoot-language')?.['functions'];
const tab = { id: 'f1', type: 'tab', label: 'my house', disabled: false, info: '' };
const secrets = {
  apiKey: 'key-not-to-be-exported',
  busPassword: 'password-not-to-be-exported',
  served: 'nor-this-one',
};
/** Where each node of the palette is put. */
const places: Readonly<Record<string, readonly [x: number, y: number]>> = {
  'bus-in': [100, 100],
  router: [270, 100],
  blackboard: [460, 100],
  apply: [660, 100],
  'bus-out': [720, 220],
  agent: [300, 220],
  memory: [520, 220],
  tool: [120, 340],
  'tool-result': [300, 340],
  sense: [480, 340],
  judge: [660, 340],
  'remote-agent': [300, 440],
  serve: [520, 440],
  tools: [120, 440],
};

/** Another flow of the house, that asks over the same connections and hears the answer. */
const neighbour = (backbone: string): readonly Saved[] => {
  const bus = { z: 'n1', settingsVersion: 1, mode: 'topic', backbone };
  return [
    { id: 'n1', type: 'tab', label: 'the other flow' },
    { id: 'n2', z: 'n1', type: 'inject', x: 140, y: 100, props: [{ p: 'payload' }], repeat: '', crontab: '', once: false, onceDelay: 0.1, topic: '', payloadType: 'str', payload: 'turn the kitchen light on at 40 %', wires: [['n3']] }, // prettier-ignore
    { ...bus, id: 'n3', type: 'folkmoot-bus-out', x: 480, y: 100, topic: 'house/asked', whenDown: 'keep', wires: [] },
    { ...bus, id: 'n4', type: 'folkmoot-bus-in', x: 140, y: 200, topic: 'house/told', replySeconds: 300, wires: [['n5']] }, // prettier-ignore
    { id: 'n5', z: 'n1', type: 'debug', x: 480, y: 200, active: true, tosidebar: true, complete: 'payload', targetType: 'msg', wires: [] }, // prettier-ignore
  ];
};

describe('somebody with the whole palette', function () {
  this.timeout(90_000);
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let user: EditorUser;
  const dragged = new Map<string, string>();
  const idOf = (name: string): string => dragged.get(name) ?? assert.fail(`${name} was not dragged`);

  before(async function () {
    this.timeout(120_000);
    [browser, nodeRed] = await Promise.all([openBrowser(), startNodeRed({ flows: [tab] })]);
    user = await openEditor(browser, nodeRed.url);
  });
  after(async () => {
    await user?.close();
    await browser?.close();
    await nodeRed?.stop();
  });
  afterEach(() => assert.deepEqual(user.pageErrors, []));

  /** Makes a config node with the + of the dialog that is open. */
  async function make(setting: string, configure: () => Promise<void>): Promise<void> {
    const { page, dialog } = user;
    await page.locator(`#node-input-btn-${setting}-add`).click();
    await page.locator('#node-config-dialog-ok').last().waitFor({ state: 'visible' });
    // The tray slides in.
    await page.waitForTimeout(350);
    await configure();
    await dialog.done();
  }

  it('drags and wires every node, and makes what they refer to with +', async () => {
    const { palette, dialog, workspace, page } = user;
    for (const [name, [x, y]] of Object.entries(places))
      dragged.set(name, await palette.drag(`folkmoot-${name}`, x, y));
    const lamp = await palette.drag('debug', 800, 160);
    await dialog.open(idOf('bus-in'));
    await dialog.choose('mode', 'topic');
    await dialog.fill({ topic: 'house/asked' });
    await make('backbone', async () => {
      await dialog.choose('bus', 'mqtt');
      await dialog.fill({ name: 'mine', busUser: 'anna', busPassword: secrets.busPassword });
      await dialog.choose('bus', 'in-process');
    });
    await dialog.done();
    const [backbone = ''] = await workspace.ids('folkmoot-backbone');
    await dialog.open(idOf('bus-out'));
    await dialog.choose('mode', 'topic');
    await dialog.fill({ topic: 'house/told' });
    await dialog.choose('backbone', backbone);
    await dialog.done();
    await dialog.open(idOf('agent'));
    await dialog.fill({ name: 'Lights', description: 'Turns lights on and off and dims them' });
    await page.locator('#folkmoot-agent-tabs a').nth(1).click();
    await make('language', async () => {
      await dialog.fill({ name: 'lamps' });
      await page.locator('#folkmoot-language-tabs a').nth(1).click();
      await page.locator('#node-config-input-functions-editor').waitFor({ state: 'visible' });
      await page.evaluate((text) => {
        interface Editor {
          getDomNode(): Element;
          setValue(text: string): void;
        }
        const { monaco } = window as unknown as { monaco: { editor: { getEditors(): Editor[] } } };
        const isOfFunctions = (one: Editor) => one.getDomNode().closest('#node-config-input-functions-editor') !== null;
        monaco.editor.getEditors().find(isOfFunctions)?.setValue(text);
      }, JSON.stringify(functions));
    });
    await page.locator('#folkmoot-agent-tab-does .red-ui-editableList-addButton').first().click();
    await page.locator('#node-input-generates-list input').fill('SetLight');
    await page.locator('#folkmoot-agent-tabs a').last().click();
    await make('model', async () => {
      await dialog.choose('provider', 'openai');
      await dialog.fill({ name: 'words', apiKey: secrets.apiKey });
      await dialog.choose('provider', 'rules');
    });
    await dialog.done();
    const [language = ''] = await workspace.ids('folkmoot-language');
    await dialog.open(idOf('apply'));
    await dialog.choose('language', language);
    await page.locator('.red-ui-tray').last().locator('.red-ui-editableList-addButton').click();
    await page.locator('.folkmoot-target').last().fill('SetLight');
    await dialog.done();
    await dialog.open(idOf('memory'));
    await make('memoryStore', () => dialog.fill({ name: 'of the house' }));
    await dialog.done();
    await dialog.open(idOf('tools'));
    await make('toolbox', async () => {
      await dialog.choose('kind', 'time');
      await dialog.fill({ name: 'clock' });
    });
    await dialog.done();
    for (const [name, rows] of [
      ['tool', { name: 'humidity', description: 'Tells how damp the cellar is' }],
      ['judge', { name: 'heat or save', question: 'Shall we heat, or save?' }],
    ] as const) {
      await dialog.open(idOf(name));
      await dialog.fill(rows);
      await dialog.done();
    }
    await dialog.open(idOf('serve'));
    await dialog.choose('authentication', 'basic');
    await dialog.fill({ user: 'anna', password: secrets.served });
    await dialog.done();
    for (const [from, output, to] of [
      ['serve', 1, 'router'],
      ['bus-in', 0, 'router'],
      ['router', 0, 'blackboard'],
      ['router', 3, 'agent'],
      ['blackboard', 0, 'apply'],
      ['apply', 0, 'bus-out'],
      ['agent', 3, 'memory'],
    ] as const)
      await workspace.wire({ from: idOf(from), output, to: idOf(to) });
    await workspace.wire({ from: idOf('apply'), output: 1, to: lamp });
    for (const id of dragged.values()) assert.deepEqual((await workspace.node(id)).faults ?? [], []);
    await page.locator('.folkmoot-asks-link').nth(1).waitFor({ state: 'attached' });
    await shoot(page, 'every-node');
  });

  it('deploys it, and another flow’s words become a command and a report', async () => {
    const { workspace, debug, page } = user;
    const [backbone = ''] = await workspace.ids('folkmoot-backbone');
    await workspace.importText(JSON.stringify(neighbour(backbone)));
    await workspace.deploy();
    await debug.open();
    await workspace.show('n2');
    await workspace.inject('n2');
    await debug.sees('room: "kitchen", state: "on", brightness: 40');
    await debug.sees('Kitchen light on at 40 %.');
    await shoot(page, 'every-node-used');
  });

  it('exports all of it without a credential', async () => {
    const kept = async (type: string): Promise<unknown> => {
      const [id = ''] = await user.workspace.ids(type);
      return (await fetch(`${nodeRed.url}/credentials/${type}/${id}`)).json();
    };
    assert.match(JSON.stringify(await kept('folkmoot-backbone')), /"has_busPassword":true/);
    assert.match(JSON.stringify(await kept('folkmoot-model')), /"has_apiKey":true/);
    assert.match(JSON.stringify(await kept('folkmoot-serve')), /"has_password":true/);
    const exported = await user.workspace.exported();
    const answer = await fetch(`${nodeRed.url}/flows`);
    for (const text of [exported, await answer.text()]) {
      const types = (JSON.parse(text) as Saved[]).map(({ type }) => String(type));
      const missing = nodeNames().filter((name) => !types.includes(`folkmoot-${name}`));
      assert.deepEqual(missing, []);
      for (const secret of [...Object.values(secrets), '"anna"']) assert.ok(!text.includes(secret), secret);
    }
  });
});
