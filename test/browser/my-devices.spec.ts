/** From an empty flow to a spoken command, by ticking devices: no JSON, no Function node. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import mqtt, { type MqttClient } from 'mqtt';
import type { Browser } from 'playwright-core';
import type { TestBroker } from '../broker.ts';
import { startMosquitto } from '../mosquitto.ts';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, say, shoot, type EditorUser } from './editor-page.ts';

/** 64 devices of 22 sorts, written after Zigbee2MQTT's published format by somebody who has not seen the code. */
const house = JSON.parse(readFileSync(new URL('../sets/devices/zigbee2mqtt-r.json', import.meta.url), 'utf8')) as {
  readonly devices: readonly object[];
};
const chosen = [
  ...['kitchen ceiling', 'living room light strip', 'kitchen coffee machine', 'bedroom blinds', 'bedroom radiator'],
  ...['living room curtain', 'bathroom extractor', 'cellar main water valve', 'bathroom window', 'cellar climate'],
];

const backbone = 'aaaaaaaaaaaaaaab';
const flow = (busUrl: string) => [
  { id: 'tab0000000000001', type: 'tab', label: 'home' },
  {
    id: backbone,
    type: 'folkmoot-backbone',
    name: 'the broker',
    bus: 'mqtt',
    busUrl,
    store: 'embedded',
    storePath: '',
  },
];

describe('my devices', function () {
  this.timeout(90_000);
  let broker: TestBroker;
  let client: MqttClient;
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let user: EditorUser;
  const sent: string[] = [];
  before(async function () {
    this.timeout(120_000);
    broker = await startMosquitto();
    client = await mqtt.connectAsync(broker.url);
    client.on('message', (topic, payload) => void sent.push(`${topic} ${payload.toString()}`));
    await client.subscribeAsync('zigbee2mqtt/+/set');
    await client.subscribeAsync('zigbee2mqtt/+/+/set');
    await client.publishAsync('zigbee2mqtt/bridge/devices', JSON.stringify(house.devices), { retain: true, qos: 1 });
    [nodeRed, browser] = await Promise.all([startNodeRed({ flows: flow(broker.url) }), openBrowser()]);
    user = await openEditor(browser, nodeRed.url);
  });
  after(async () => {
    await user?.close();
    await browser?.close();
    await nodeRed?.stop();
    await client?.endAsync();
    await broker?.stop();
  });

  it('are found, ticked, and do what is said', async () => {
    const { page, palette, dialog, workspace, debug } = user;
    const inject = await palette.drag('inject', 140, 120);
    const router = await palette.drag('folkmoot-router', 300, 120);
    const agent = await palette.drag('folkmoot-agent', 500, 240);
    const apply = await palette.drag('folkmoot-apply', 500, 120);
    const report = await palette.drag('debug', 660, 80);
    await dialog.open(router);
    await page.locator('#node-input-lookup-language, #node-input-btn-language-add').first().click();
    await page.locator('#folkmoot-devices-open').waitFor({ state: 'visible' });
    await page.waitForTimeout(400);
    await page.locator('#folkmoot-devices-open').click();
    await page.locator('.folkmoot-device').first().waitFor();
    assert.ok((await page.locator('.folkmoot-device').count()) >= 40);
    await shoot(page, 'my-devices-found');
    for (const name of chosen) {
      await page.locator('#folkmoot-devices-filter').fill(name);
      await page.getByLabel(`use ${name}`, { exact: true }).check();
    }
    await page.locator('#folkmoot-devices-filter').fill('');
    await shoot(page, 'my-devices-ticked');
    await page.locator('#folkmoot-devices-add').click();
    await page.getByText('The functions of 10 devices are in the list.').waitFor();
    await page.locator('#folkmoot-language-tabs').getByText('Functions').click();
    await shoot(page, 'my-devices-functions');
    await dialog.done();
    await dialog.done();
    const [language = ''] = await workspace.ids('folkmoot-language');
    await dialog.open(agent);
    await dialog.fill({
      name: 'House',
      description: 'Turns lights and plugs on and off, moves blinds and sets heatings',
    });
    await page.locator('#folkmoot-agent-tabs a').nth(1).click();
    await dialog.choose('language', language);
    for (const category of ['lights', 'switches', 'blinds', 'climate']) {
      await page.locator('#folkmoot-agent-tab-does .red-ui-editableList-addButton').first().click();
      await page.locator('#node-input-generates-list input').last().fill(`category:${category}`);
    }
    await dialog.done();
    await dialog.open(apply);
    await dialog.choose('language', language);
    await dialog.choose('backbone', backbone);
    await page.locator('.red-ui-tray').last().locator('.red-ui-editableList-addButton').click();
    await page.locator('.folkmoot-kind').last().selectOption('device');
    await shoot(page, 'my-devices-apply');
    await dialog.done();
    await workspace.wire({ from: inject, output: 0, to: router });
    await workspace.wire({ from: router, output: 3, to: agent });
    await workspace.wire({ from: router, output: 0, to: apply });
    await workspace.wire({ from: apply, output: 0, to: report });
    const says = async (text: string, answer: string): Promise<string[]> => {
      await dialog.open(inject);
      await say(user, text);
      await dialog.done();
      await workspace.deploy();
      await debug.open();
      sent.length = 0;
      await workspace.inject(inject);
      await debug.sees(answer);
      return sent;
    };
    assert.deepEqual(await says('turn the kitchen ceiling on at 40 %', 'Kitchen ceiling on at 40 %.'), [
      'zigbee2mqtt/kitchen/ceiling/set {"state":"ON","brightness":102}',
    ]);
    assert.deepEqual(await says('set the bedroom radiator to 19.5', 'Bedroom radiator at 19.5 °C.'), [
      'zigbee2mqtt/bedroom/radiator/set {"occupied_heating_setpoint":19.5}',
    ]);
    assert.deepEqual(await says('make the kitchen ceiling red', 'Not done: Kitchen ceiling in red.'), []);
    await shoot(page, 'my-devices-done');
    assert.deepEqual(user.pageErrors, []);
  });
});
