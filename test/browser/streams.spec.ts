/** The dialogs of bus in and bus out on a stream: what applies is shown, and the help shows what sharing work means. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { readJson } from '../structure/sources.ts';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, shoot } from './editor-page.ts';

interface Node {
  readonly id: string;
  readonly type: string;
  readonly mode?: string;
}
const flow = (readJson('examples/12 - a townhall on a stream.json') as Node[]).map((node) =>
  // Nothing is to look for a server here.
  node.type === 'tab' ? { ...node, disabled: true } : node,
);
const idOf = (type: string) =>
  flow.find((node) => node.type === type && node.mode !== 'topic')?.id ?? assert.fail(`no ${type}`);

describe('the dialogs on a stream', function () {
  this.timeout(60_000);
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  before(async function () {
    this.timeout(120_000);
    [nodeRed, browser] = await Promise.all([startNodeRed({ flows: flow }), openBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  for (const theme of ['light', 'dark'] as const)
    it(`show what applies, and what sharing work means (${theme})`, async () => {
      const user = await openEditor(browser, nodeRed.url, theme);
      const { page } = user;
      const row = (name: string) => page.locator(`#node-input-${name}`);
      /** From top to bottom. */
      const shown = async () => {
        const names = [
          ...['stream', 'form', 'role', 'shareWork', 'shareName', 'fallbackLine', 'replyLimit', 'cooldownSeconds'],
          ...['kickoff', 'clearAtStart', 'topic', 'replySeconds', 'backbone'],
        ];
        const places = await Promise.all(names.map(async (name) => ({ name, box: await row(name).boundingBox() })));
        const visible = places.filter(({ box }) => box !== null);
        return visible.sort((a, b) => (a.box?.y ?? 0) - (b.box?.y ?? 0)).map(({ name }) => name);
      };
      await user.dialog.open(idOf('folkmoot-bus-in'));
      await row('mode').selectOption('stream');
      await row('form').selectOption('talk');
      const talk = await shown();
      await shoot(page, `dialog-bus-in-talk-${theme}`);
      await row('form').selectOption('entries');
      const entries = await shown();
      await row('shareWork').check();
      const shared = await shown();
      await shoot(page, `dialog-bus-in-share-${theme}`);
      await row('mode').selectOption('topic');
      const topic = await shown();
      const [first, start] = [
        ['stream', 'form', 'role'],
        ['replySeconds', 'clearAtStart', 'kickoff'],
      ];
      const talks = ['fallbackLine', 'replyLimit', 'cooldownSeconds'];
      assert.deepEqual(entries, [...first, ...start, 'shareWork', 'backbone']);
      assert.deepEqual(talk, [...first, ...talks, ...start, 'shareWork', 'backbone']);
      assert.deepEqual(shared, [...first, ...start, 'shareWork', 'shareName', 'backbone']);
      assert.deepEqual(topic, ['topic', 'shareWork', 'shareName', 'backbone']);
      await user.dialog.cancel();
      await user.dialog.open(idOf('folkmoot-bus-out'));
      await row('mode').selectOption('stream');
      await shoot(page, `dialog-bus-out-stream-${theme}`);
      await user.dialog.cancel();
      await page.evaluate(() => {
        const { sidebar } = (window as unknown as { RED: { sidebar: { help: { show(type: string): void } } } }).RED;
        sidebar.help.show('folkmoot-bus-in');
      });
      const picture = page.locator('svg[aria-label^="Everybody hears everything"]');
      await picture.waitFor();
      await picture.scrollIntoViewIfNeeded();
      const { width = 0 } = (await picture.boundingBox()) ?? {};
      assert.ok(width > 200, `${width} px`);
      await shoot(page, `help-share-the-work-${theme}`);
      assert.deepEqual(user.pageErrors, []);
      await user.close();
    });
});
