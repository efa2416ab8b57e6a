/** Somebody makes a tool in the editor: drags, wires, deploys, asks and exports it. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, shoot, type EditorUser } from './editor-page.ts';

const tab = { id: 'f1', type: 'tab', label: 'my house', disabled: false, info: '' };

/** Text into the first typed input of a dialog that is open. */
const fillTyped = (page: Page, selector: string, words: string): Promise<void> =>
  page.evaluate(
    ([where, text]) => {
      const { $ } = window as unknown as {
        $(of: string): { first(): { typedInput(name: string, value: string): void } };
      };
      const input = $(where ?? '').first();
      input.typedInput('type', 'str');
      input.typedInput('value', text ?? '');
    },
    [selector, words],
  );

describe('somebody who makes a tool', function () {
  this.timeout(90_000);
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let user: EditorUser;

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

  it('drags a tool and a tool result, wires them to an agent, deploys, asks and gets the answer', async () => {
    const { palette, dialog, workspace, debug, page } = user;
    const inject = await palette.drag('inject', 120, 120);
    const agent = await palette.drag('folkmoot-agent', 320, 120);
    const answer = await palette.drag('debug', 620, 80);
    const tool = await palette.drag('folkmoot-tool', 240, 260);
    const change = await palette.drag('change', 520, 260);
    const result = await palette.drag('folkmoot-tool-result', 760, 260);
    await dialog.open(agent);
    await dialog.fill({ name: 'House keeper' });
    await dialog.done();
    await dialog.open(tool);
    await dialog.fill({
      name: 'cellar humidity',
      description: 'Tells how damp the cellar is',
      result: 'percent',
      sentence: 'the cellar has {result} % humidity',
      timeLimitSeconds: '5',
    });
    await page.locator('.red-ui-tray').last().locator('.red-ui-editableList-addButton:visible').first().click();
    await page.locator('#node-input-synonyms-list input').fill('basement');
    await shoot(page, 'dialog-tool-filled');
    await dialog.choose('parametersBy', 'schema');
    assert.equal(await page.locator('#node-input-schema').isVisible(), true);
    await dialog.choose('builtIn', 'load');
    assert.equal(await page.locator('#node-input-sentence').isVisible(), false);
    await dialog.choose('builtIn', '');
    await dialog.choose('parametersBy', 'form');
    await dialog.done();
    await dialog.open(change);
    await fillTyped(page, '.node-input-rule-property-value', '61');
    await dialog.done();
    await dialog.open(inject);
    await fillTyped(page, '#node-input-property-container .node-input-prop-property-value', 'how damp is the cellar?');
    await dialog.done();
    await workspace.wire({ from: inject, output: 0, to: agent });
    await workspace.wire({ from: agent, output: 0, to: answer });
    await workspace.wire({ from: agent, output: 3, to: tool });
    await workspace.wire({ from: tool, output: 0, to: change });
    await workspace.wire({ from: change, output: 0, to: result });
    await workspace.deploy();
    await shoot(page, 'tool-of-ones-own');
    await debug.open();
    await workspace.inject(inject);
    await debug.sees('The cellar has 61 % humidity.');
    assert.deepEqual((await workspace.node(tool)).faults ?? [], []);
  });

  it('exports it with all its settings and without credentials', async () => {
    const text = await user.workspace.exported();
    assert.match(text, /"folkmoot-tool"/);
    assert.match(text, /the cellar has \{result\} % humidity/);
    assert.match(text, /"synonyms":\["basement"\]/);
    assert.doesNotMatch(text, /credential|apiKey|password/i);
  });
});
