import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { readJson } from '../structure/sources.ts';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, shoot, type EditorUser } from './editor-page.ts';

type Saved = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };
const example = readJson('examples/9 - heat or save.json') as readonly Saved[];
const named = (name: string): string => example.find((one) => one['name'] === name)?.id ?? assert.fail(name);
const own = (id: string): string => `own-${id}`;
const secret = 'not-to-be-exported';
/** What the nodes that are dragged refer to, with ids of their own, and a tab for them. */
const flows = [
  { id: 'f1', type: 'tab', label: 'my house', disabled: false, info: '' },
  ...example
    .filter(({ type }) => type === 'folkmoot-language' || type === 'folkmoot-model')
    .map((one) => ({ ...one, id: own(one.id) })),
  { id: 'hosted', type: 'folkmoot-model', name: 'hosted', settingsVersion: 1, provider: 'openai', modelName: 'x' },
];

describe('somebody with a judge in the editor', function () {
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

  it('drags it and two agents, wires and configures them, deploys, and sees the verdict', async () => {
    const { palette, dialog, workspace, debug, page } = user;
    const inject = await palette.drag('inject', 120, 120);
    const sense = await palette.drag('folkmoot-sense', 290, 120);
    const judge = await palette.drag('folkmoot-judge', 460, 120);
    const sidebar = await palette.drag('debug', 700, 100);
    const agents = [await palette.drag('folkmoot-agent', 660, 220), await palette.drag('folkmoot-agent', 660, 300)];
    for (const [index, [name, model]] of [
      ['Warm rooms', 'what comfort says'],
      ['Low bills', 'what costs say'],
    ].entries()) {
      const agent = agents[index] ?? assert.fail();
      await dialog.open(agent);
      await dialog.fill({ name: name ?? '' });
      await page.locator('#folkmoot-agent-tabs a').nth(1).click();
      await dialog.choose('language', own(named('a house with heating')));
      if (index === 0) {
        await page.locator('#folkmoot-agent-tab-does .red-ui-editableList-addButton').first().click();
        await page.locator('#node-input-generates-list input').fill('SetHeating');
      }
      await page.locator('#folkmoot-agent-tabs a').last().click();
      await dialog.choose('model', own(named(model ?? '')));
      await dialog.done();
      await workspace.wire({ from: judge, output: 3, to: agent });
    }
    await dialog.open(judge);
    await dialog.fill({ name: 'heat or save', question: 'Shall we heat, or save?', rounds: '1' });
    await page.locator('#folkmoot-judge-tab-what .red-ui-editableList-addButton').click();
    await page.locator('.folkmoot-side-agent').fill('warm-rooms');
    await page.locator('.folkmoot-side-side').fill('warm rooms');
    await shoot(page, 'judge-dialog');
    await dialog.choose('verdictBy', 'model');
    await page.locator('#node-input-criteria').waitFor({ state: 'visible' });
    await shoot(page, 'judge-dialog-model');
    await dialog.choose('verdictBy', 'weighted');
    await page.locator('#node-input-criteria').waitFor({ state: 'hidden' });
    await dialog.done();
    await dialog.open(sense);
    await dialog.fill({ ignoreFirstSeconds: '0' });
    await dialog.done();
    await workspace.wire({ from: inject, output: 0, to: sense });
    await workspace.wire({ from: sense, output: 0, to: judge });
    await workspace.wire({ from: judge, output: 0, to: sidebar });
    await dialog.open(inject);
    await measure(user, '{"temperature":17}');
    await dialog.done();
    // A key on the way, to look for it in the export.
    await dialog.open('hosted');
    await dialog.fill({ apiKey: secret });
    await dialog.done();
    await workspace.deploy();
    await debug.open();
    await workspace.inject(inject);
    await debug.sees('Heat the living room to 21 degrees.');
    assert.equal(await page.locator('.folkmoot-asks-link').count(), 2);
    await shoot(page, 'judge-in-use');
  });

  it('opens its dialog again with what was saved', async () => {
    const { dialog, workspace, page } = user;
    const [judge = ''] = await workspace.ids('folkmoot-judge');
    await dialog.open(judge);
    assert.equal(await page.locator('.folkmoot-side-agent').inputValue(), 'warm-rooms');
    assert.equal(await page.locator('.folkmoot-side-side').inputValue(), 'warm rooms');
    await page.locator('#folkmoot-judge-tabs a').nth(1).click();
    await shoot(page, 'judge-dialog-limits');
    await dialog.done();
    assert.equal((await workspace.node(judge)).changed, false);
  });

  it('exports all of it without a credential', async () => {
    const exported = await user.workspace.exported();
    const answer = await fetch(`${nodeRed.url}/flows`);
    for (const text of [exported, await answer.text()]) {
      assert.match(text, /folkmoot-judge/);
      assert.match(text, /"side":"warm rooms"/);
      assert.doesNotMatch(text, new RegExp(secret));
    }
  });

  it('finds “heat or save” among the examples, and sees it heat, save, and do nothing', async () => {
    const { workspace, debug, page } = user;
    await workspace.importExample('9 - heat or save');
    await workspace.deploy();
    await workspace.show(named('heat or save'));
    await shoot(page, 'judge-example');
    await debug.open();
    await workspace.inject(named('17 °C'));
    await debug.sees('celsius: 21');
    await workspace.inject(named('20.5 °C'));
    await debug.sees('Leave the heating as it is. It is warm enough.');
    await workspace.inject(named('19 °C'));
    await debug.sees('There is no decision');
    await shoot(page, 'judge-example-used');
  });
});

/** Fills the payload of an inject node whose dialog is open. */
async function measure(user: EditorUser, json: string): Promise<void> {
  await user.page.evaluate((text) => {
    const { $ } = window as unknown as {
      $(selector: string): { first(): { typedInput(name: string, value: string): void } };
    };
    const payload = $('#node-input-property-container .node-input-prop-property-value').first();
    payload.typedInput('type', 'json');
    payload.typedInput('value', text);
  }, json);
}
