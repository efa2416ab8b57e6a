import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { readJson } from '../structure/sources.ts';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, shoot, type EditorUser } from './editor-page.ts';

const flows = [
  ...(readJson('examples/1 - one sentence, one lamp.json') as object[]),
  { id: 'aaaaaaaaaaaaaaaa', type: 'folkmoot-model', name: '', settingsVersion: 1, provider: 'scripted', script: [] },
];

interface TextEditor {
  setValue(text: string): void;
  getValue(): string;
  getContainerDomNode(): HTMLElement;
}

interface InEditor {
  RED: {
    actions: { invoke(action: string): void };
    nodes: { node(id: string): Record<string, unknown> };
    editor: Record<string, unknown>;
  };
  monaco: { editor: { getEditors(): TextEditor[] } };
}

describe('a list that is edited as text', function () {
  this.timeout(60_000);
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  before(async function () {
    this.timeout(120_000);
    [nodeRed, browser] = await Promise.all([startNodeRed({ flows }), openBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  /** What the text editor of a list in the open dialog does. */
  function textOf({ page }: EditorUser, setting = 'functions') {
    const place = `#node-config-input-${setting}-editor`;
    const shown = () =>
      page.waitForFunction(
        (where) =>
          (window as unknown as InEditor).monaco.editor
            .getEditors()
            .some((one) => document.querySelector(where)?.contains(one.getContainerDomNode())),
        place,
      );
    return {
      async set(text: string) {
        await shown();
        await page.evaluate(
          ([where = '', to = '']) =>
            (window as unknown as InEditor).monaco.editor
              .getEditors()
              .find((one) => document.querySelector(where)?.contains(one.getContainerDomNode()))
              ?.setValue(to),
          [place, text],
        );
      },
      async get() {
        await shown();
        return page.evaluate(
          (where) =>
            (window as unknown as InEditor).monaco.editor
              .getEditors()
              .find((one) => document.querySelector(where)?.contains(one.getContainerDomNode()))
              ?.getValue(),
          place,
        );
      },
    };
  }
  const saved = ({ page }: EditorUser, id: string, setting: string) =>
    page.evaluate(
      ([wanted, name]) => (window as unknown as InEditor).RED.nodes.node(wanted ?? '')[name ?? ''],
      [id, setting],
    );

  for (const theme of ['light', 'dark'] as const)
    it(`keeps the dialog open until it can be read, and says what is wrong (${theme})`, async () => {
      const user = await openEditor(browser, nodeRed.url, theme);
      const { page, dialog } = user;
      const text = textOf(user);
      const [id = ''] = await user.workspace.ids('folkmoot-language');
      const before = await saved(user, id, 'functions');
      const done = page.locator('#node-config-dialog-ok');
      const fault = page.locator('#node-config-input-functions-editor + .folkmoot-fault');
      await dialog.open(id);
      await page.locator('#folkmoot-language-tabs a', { hasText: 'JSON' }).click();
      assert.equal(await done.isEnabled(), true);
      const typed = '[\n  {\n    "name": "SetLight"\n    "category": "lights"\n  }\n]';
      await text.set(typed);
      await fault.waitFor({ state: 'visible' });
      assert.equal(await done.isEnabled(), false);
      assert.match(await fault.innerText(), /read as JSON: Expected ',' .*line 4/);
      await shoot(page, `dialog-language-fault-${theme}`);
      await page.locator('#folkmoot-language-tabs a', { hasText: 'Functions' }).click();
      await page.waitForTimeout(100);
      assert.equal(await page.locator('#folkmoot-language-tab-json').isVisible(), true, 'it stays at the text');
      for (const [wrong, why] of [
        ['{}', /has to be a list/],
        ['[{}, 5]', /Entry 2 is no function/],
      ] as const) {
        await text.set(wrong);
        await page.waitForFunction(
          (source) =>
            new RegExp(source).test(
              document.querySelector('#node-config-input-functions-editor + .folkmoot-fault')?.textContent ?? '',
            ),
          why.source,
        );
        assert.equal(await done.isEnabled(), false);
      }
      await text.set(JSON.stringify(before));
      await fault.waitFor({ state: 'hidden' });
      await dialog.done();
      assert.deepEqual(await saved(user, id, 'functions'), before);
      assert.deepEqual(user.pageErrors, []);
      await user.close();
    });

  for (const [type, setting, tab] of [
    ['folkmoot-language', 'functions', 'JSON'],
    ['folkmoot-model', 'script', ''],
  ] as const)
    it(`of a ${type} is not closed by the keyboard either, and thrown away when that is wanted`, async () => {
      const user = await openEditor(browser, nodeRed.url);
      const { page, dialog } = user;
      const text = textOf(user, setting);
      const [id = ''] = await user.workspace.ids(type);
      const before = await saved(user, id, setting);
      const confirm = () =>
        page.evaluate(() => (window as unknown as InEditor).RED.actions.invoke('core:confirm-edit-tray'));
      const open = async () => {
        await dialog.open(id);
        if (tab) await page.locator('#folkmoot-language-tabs a', { hasText: tab }).click();
      };
      await open();
      await text.set('[ { "name": ');
      await page.locator(`#node-config-input-${setting}-editor + .folkmoot-fault`).waitFor({ state: 'visible' });
      await confirm();
      await page.waitForTimeout(500);
      assert.equal(await text.get(), '[ { "name": ');
      assert.equal(await page.locator('#node-config-dialog-ok').isVisible(), true);
      await dialog.cancel();
      assert.deepEqual(await saved(user, id, setting), before, 'what was saved stays');
      await open();
      assert.deepEqual(JSON.parse((await text.get()) ?? ''), before);
      const tray = await page.locator('.red-ui-tray').last().elementHandle();
      await confirm();
      await page.waitForFunction((left) => left?.isConnected !== true, tray);
      assert.deepEqual(user.pageErrors, []);
      await user.close();
    });
});
