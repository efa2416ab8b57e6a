/** The dialog of connections: shows what applies, and its Test button says in words how it went. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { TestBroker } from '../broker.ts';
import { startMosquitto } from '../mosquitto.ts';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, shoot } from './editor-page.ts';

const id = 'aaaaaaaaaaaaaaab';
/** As an earlier version saved it: without most settings. */
const flow = (busUrl: string) => [
  { id: 'tab0000000000001', type: 'tab', label: 'x' },
  {
    id,
    type: 'folkmoot-backbone',
    name: '',
    settingsVersion: 1,
    bus: 'mqtt',
    busUrl,
    store: 'embedded',
    storePath: '',
  },
  {
    id: 'out0000000000001',
    type: 'folkmoot-bus-out',
    z: 'tab0000000000001',
    mode: 'topic',
    topic: 'a',
    backbone: id,
    x: 100,
    y: 100,
    wires: [],
  },
];

describe('the dialog of connections', function () {
  this.timeout(60_000);
  let broker: TestBroker;
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  before(async function () {
    this.timeout(120_000);
    broker = await startMosquitto();
    [nodeRed, browser] = await Promise.all([startNodeRed({ flows: flow(broker.url) }), openBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
    await broker?.stop();
  });

  for (const theme of ['light', 'dark'] as const)
    it(`shows what applies, and tests what it shows (${theme})`, async () => {
      const user = await openEditor(browser, nodeRed.url, theme);
      const { page } = user;
      const row = (name: string) => page.locator(`#node-config-input-${name}`);
      const tab = (name: string) => page.locator('#folkmoot-backbone-tabs').getByText(name, { exact: true }).click();
      await user.dialog.open(id);
      const result = page.locator('#folkmoot-backbone-result');
      await page.locator('#folkmoot-backbone-test').click();
      await result.getByText('✓ Messages: connected, and messages come back').waitFor();
      await result.getByText('✓ Memory: the folder').waitFor();
      await shoot(page, `dialog-backbone-messages-${theme}`);

      await row('busUrl').fill('mqtt://127.0.0.1:1');
      await page.locator('#folkmoot-backbone-test').click();
      await result.getByText('✗ Messages: no broker listens there').waitFor();

      await tab('Encryption');
      assert.equal(await result.isVisible(), true);
      assert.equal(await row('caFile').isVisible(), false);
      await tab('Messages');
      await row('busUrl').fill('mqtts://127.0.0.1:8883');
      assert.equal(await result.isVisible(), false, 'it was about another address');
      await tab('Encryption');
      assert.equal(await row('caFile').isVisible(), true);
      assert.equal(await row('verifyServer').isChecked(), true, 'on, although the flow does not say so');
      await shoot(page, `dialog-backbone-encryption-${theme}`);
      await row('verifyServer').uncheck();
      await page.locator('#folkmoot-backbone-unverified').waitFor();
      await row('verifyServer').check();

      await tab('Memory');
      assert.deepEqual([await row('storePath').isVisible(), await row('storeUrl').isVisible()], [true, false]);
      await row('store').selectOption('valkey');
      assert.equal(await row('storeUrl').isVisible(), true);
      const days = row('conversationDays');
      assert.deepEqual(
        [await days.isVisible(), await days.inputValue()],
        [true, '30'],
        'as long as Folkmoot keeps them',
      );
      await days.fill('45');
      await shoot(page, `dialog-backbone-memory-${theme}`);
      await row('store').selectOption('embedded');
      await tab('Who speaks');
      await row('allowedSenders').fill('ana\nkitchen-agent');
      await shoot(page, `dialog-backbone-people-${theme}`);
      await tab('Messages');
      await row('bus').selectOption('in-process');
      assert.equal(await row('busUrl').isVisible(), false);
      await row('bus').selectOption('mqtt');
      await user.dialog.done();
      const saved = (await user.workspace.node(id)) as unknown as Record<string, unknown>;
      assert.equal(saved['valid'], true);
      assert.match(await user.workspace.exported(), /"conversationDays":"?45"?/);
      assert.deepEqual(user.pageErrors, []);
      await user.close();
    });
});
