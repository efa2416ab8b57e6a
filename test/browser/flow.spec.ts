import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, say, shoot, type EditorUser } from './editor-page.ts';

/** What the house can do, as somebody would paste it. */
const lamp = [
  {
    name: 'SetLight',
    description: 'Turn the light of a room on or off, or set its brightness',
    category: 'lights',
    risk: 'reversible',
    effect: true,
    repeatable: true,
    synonyms: ['turn light', 'light'],
    sentence: '{room} light {state}[ at {brightness}]',
    parameters: [
      { name: 'room', type: 'string', required: true, allowedValues: ['kitchen', 'hall'] },
      { name: 'state', type: 'string', required: false, allowedValues: ['on', 'off'] },
      { name: 'brightness', type: 'integer', required: false, minimum: 0, maximum: 100, unit: '%' },
    ],
    requireOneOf: [['state', 'brightness']],
  },
];
const tab = { id: 'f1', type: 'tab', label: 'my house', disabled: false, info: '' };
const language = {
  id: 'l1',
  type: 'folkmoot-language',
  name: 'lamps',
  settingsVersion: 1,
  kind: 'functions',
  functions: lamp,
};

describe('somebody in the editor', function () {
  this.timeout(90_000);
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let user: EditorUser;

  before(async function () {
    this.timeout(120_000);
    browser = await openBrowser();
  });
  beforeEach(async () => {
    nodeRed = await startNodeRed({ flows: [tab, language] });
    user = await openEditor(browser, nodeRed.url);
  });
  afterEach(async () => {
    const errors = [...user.pageErrors];
    await user.close();
    await nodeRed.stop();
    assert.deepEqual(errors, []);
  });
  after(() => browser?.close());

  it('drags a router and an agent, wires and configures them, deploys, asks, and sees the answer', async () => {
    const { palette, dialog, workspace, debug, page } = user;
    const inject = await palette.drag('inject', 140, 120);
    const router = await palette.drag('folkmoot-router', 340, 120);
    const agent = await palette.drag('folkmoot-agent', 540, 260);
    const apply = await palette.drag('folkmoot-apply', 540, 120);
    const sidebar = await palette.drag('debug', 720, 80);
    const lamp = await palette.drag('debug', 720, 180);
    await dialog.open(agent);
    await dialog.fill({ name: 'Lights', description: 'Turns lights on and off and dims them' });
    await page
      .getByRole('tab', { name: 'What it may do' })
      .or(page.locator('#folkmoot-agent-tabs a').nth(1))
      .first()
      .click();
    await dialog.choose('language', 'l1');
    await page.locator('#folkmoot-agent-tab-does .red-ui-editableList-addButton').first().click();
    await page.locator('#node-input-generates-list input').fill('SetLight');
    await dialog.done();
    await dialog.open(apply);
    await dialog.choose('language', 'l1');
    await page.locator('.red-ui-tray').last().locator('.red-ui-editableList-addButton').click();
    await page.locator('.folkmoot-target').last().fill('SetLight');
    await dialog.done();
    await workspace.wire({ from: inject, output: 0, to: router });
    await workspace.wire({ from: router, output: 3, to: agent });
    await workspace.wire({ from: router, output: 0, to: apply });
    await workspace.wire({ from: apply, output: 0, to: sidebar });
    await workspace.wire({ from: apply, output: 1, to: lamp });
    await dialog.open(inject);
    await say(user, 'turn the light on');
    await dialog.done();
    await workspace.deploy();
    await shoot(page, 'flow-of-ones-own');
    await debug.open();
    await workspace.inject(inject);
    await debug.sees('room');
    const [answer = ''] = await debug.messages();
    assert.match(answer, /which room/i);
    await dialog.open(inject);
    await say(user, 'turn the kitchen light on at 40 %');
    await dialog.done();
    await workspace.deploy();
    await debug.open();
    await workspace.inject(inject);
    await debug.sees('room: "kitchen"');
    await debug.sees('Kitchen light on at 40 %.');
    const later = (await debug.messages()).slice(1);
    assert.equal(later.length, 2, later.join(' | '));
    assert.match(later[0] ?? '', /room: "kitchen", state: "on", brightness: 40/);
    await shoot(page, 'flow-of-ones-own-result');
  });

  it('draws the asks output as a diamond with a dashed wire, also after a wire is added', async () => {
    const router = await user.palette.drag('folkmoot-router', 240, 120);
    const agent = await user.palette.drag('folkmoot-agent', 440, 220);
    await user.workspace.wire({ from: router, output: 3, to: agent });
    await user.page.locator('.folkmoot-asks-link').waitFor({ state: 'attached' });
    assert.equal(await user.page.locator(`[id="${router}"] .folkmoot-asks-port`).count(), 1);
    assert.equal(await user.page.locator('.folkmoot-asks-link').count(), 1);
  });

  it('imports an example, deploys it, presses its button, and sees command and reply', async () => {
    const { workspace, debug, page } = user;
    await workspace.importExample('1 - one sentence, one lamp');
    await workspace.deploy();
    await debug.open();
    const injects = await workspace.ids('inject');
    const labels = await Promise.all(injects.map(async (id) => (await workspace.node(id)).label));
    const chosen = injects[labels.findIndex((label) => label.includes('40 %'))];
    assert.ok(chosen);
    await workspace.show(chosen);
    await workspace.inject(chosen);
    await debug.sees('room: "kitchen"');
    await debug.sees('kitchen light on at 40');
    await shoot(page, 'example-imported');
  });

  it('keeps the wires of an apply node when its rows change', async () => {
    const { palette, dialog, workspace, page } = user;
    const apply = await palette.drag('folkmoot-apply', 240, 120);
    const row = async (kind: string, target?: string): Promise<void> => {
      await page.locator('.red-ui-tray').last().locator('.red-ui-editableList-addButton').click();
      await page.locator('.folkmoot-kind').last().selectOption(kind);
      if (target) await page.locator('.folkmoot-target').last().fill(target);
    };
    await dialog.open(apply);
    await dialog.choose('language', 'l1');
    await row('function', 'SetLight');
    await row('else');
    await dialog.done();
    const lampDebug = await palette.drag('debug', 480, 80);
    const otherDebug = await palette.drag('debug', 480, 200);
    await workspace.wire({ from: apply, output: 1, to: lampDebug });
    await workspace.wire({ from: apply, output: 2, to: otherDebug });
    await dialog.open(apply);
    await page.locator('#node-input-rows-list > li').first().locator('.red-ui-editableList-item-remove').click();
    await page.waitForTimeout(500);
    await dialog.done();
    const wires = await page.evaluate((id) => {
      const { nodes } = (
        window as unknown as {
          RED: { nodes: { getNodeLinks(of: string): { sourcePort: number; target: { id: string } }[] } };
        }
      ).RED;
      return nodes.getNodeLinks(id).map((link) => [Number(link.sourcePort), link.target.id]);
    }, apply);
    assert.deepEqual(wires, [[1, otherDebug]]);
  });

  it('sees in red what a row of apply can no longer find, and hears why', async () => {
    const { palette, dialog, workspace, page } = user;
    const apply = await palette.drag('folkmoot-apply', 240, 120);
    await dialog.open(apply);
    await dialog.choose('language', 'l1');
    await page.locator('.red-ui-tray').last().locator('.red-ui-editableList-addButton').click();
    await page.locator('.folkmoot-target').fill('OpenGate');
    assert.equal(await page.locator('.folkmoot-target.input-error').count(), 1);
    await shoot(page, 'apply-row-gone');
    await dialog.done();
    const node = await workspace.node(apply);
    assert.equal(node.valid, false);
    assert.match(JSON.stringify(node.faults), /OpenGate.*sends nothing/);
  });
});
