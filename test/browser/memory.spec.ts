import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, shoot, type EditorUser } from './editor-page.ts';

const flows = [
  { id: 'f1', type: 'tab', label: 'my house', disabled: false, info: '' },
  { id: 'bb', type: 'folkmoot-backbone', name: 'mine', settingsVersion: 1, bus: 'in-process', store: 'embedded' },
  { id: 'store', type: 'folkmoot-memory-store', name: 'mine', settingsVersion: 1, backbone: 'bb' },
];
const secret = 'not-to-be-exported';

describe('somebody with a memory in the editor', function () {
  this.timeout(90_000);
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let user: EditorUser;

  before(async function () {
    this.timeout(120_000);
    [nodeRed, browser] = await Promise.all([startNodeRed({ flows }), openBrowser()]);
    user = await openEditor(browser, nodeRed.url);
  });
  after(async () => {
    await user?.close();
    await browser?.close();
    await nodeRed?.stop();
  });
  afterEach(() => assert.deepEqual(user.pageErrors, []));

  it('drags, wires and configures it, deploys, remembers, and asks for it', async () => {
    const { palette, dialog, workspace, debug, page } = user;
    const [said, asked] = [await palette.drag('inject', 140, 100), await palette.drag('inject', 140, 200)];
    const [remember, recall] = [await palette.drag('folkmoot-memory', 360, 100), await palette.drag('folkmoot-memory', 360, 200)]; // prettier-ignore
    const sidebar = await palette.drag('debug', 600, 140);
    for (const [id, operation] of [
      [remember, 'remember'],
      [recall, 'recall'],
    ] as const) {
      await dialog.open(id);
      await dialog.choose('operation', operation);
      await dialog.choose('result', 'words');
      await dialog.choose('memoryStore', 'store');
      await shoot(page, `memory-${operation}`);
      await dialog.done();
    }
    for (const [inject, words] of [
      [said, 'the spare key is with Maria'],
      [asked, 'where is the spare key?'],
    ] as const) {
      await dialog.open(inject);
      await say(user, words);
      await dialog.done();
    }
    await workspace.wire({ from: said, output: 0, to: remember });
    await workspace.wire({ from: asked, output: 0, to: recall });
    await workspace.wire({ from: remember, output: 0, to: sidebar });
    await workspace.wire({ from: recall, output: 0, to: sidebar });
    // A password on the way, to look for it in the export.
    await dialog.open('bb');
    await dialog.choose('bus', 'mqtt');
    await dialog.fill({ busUser: 'anna', busPassword: secret });
    await dialog.choose('bus', 'in-process');
    await dialog.done();
    await workspace.deploy();
    await debug.open();
    await workspace.inject(asked);
    await debug.sees('I don’t remember anything about that.');
    await workspace.inject(said);
    await debug.sees('I will remember: “the spare key is with Maria”.');
    await workspace.inject(asked);
    await debug.sees('You told me: “the spare key is with Maria”.');
    await shoot(page, 'memory-in-use');
  });

  it('shows an agent’s wire to it as one that gives a right', async () => {
    const { palette, workspace, page } = user;
    const agent = await palette.drag('folkmoot-agent', 140, 320);
    const [memory = ''] = await workspace.ids('folkmoot-memory');
    await workspace.wire({ from: agent, output: 3, to: memory });
    await page.locator('.folkmoot-asks-link').first().waitFor({ state: 'attached' });
    assert.equal(await page.locator('.folkmoot-asks-link').count(), 1);
  });

  it('exports all of it without a credential', async () => {
    const exported = await user.workspace.exported();
    const answer = await fetch(`${nodeRed.url}/flows`);
    for (const text of [exported, await answer.text()]) {
      assert.match(text, /folkmoot-memory-store/);
      assert.match(text, /"operation":"recall"/);
      assert.doesNotMatch(text, new RegExp(secret));
    }
  });
});

/** Fills the payload of an inject node whose dialog is open. */
async function say(user: EditorUser, words: string): Promise<void> {
  await user.page.evaluate((text) => {
    const { $ } = window as unknown as {
      $(selector: string): { first(): { typedInput(name: string, value: string): void } };
    };
    const payload = $('#node-input-property-container .node-input-prop-property-value').first();
    payload.typedInput('type', 'str');
    payload.typedInput('value', text);
  }, words);
}
