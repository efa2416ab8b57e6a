import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { readJson } from '../structure/sources.ts';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, shoot } from '../browser/editor-page.ts';

const flows = readJson('examples/15 - an app from a sentence.json') as { id: string; type: string; name?: string }[];
const idOf = (type: string): string => flows.find((node) => node.type === type)?.id ?? '';

interface InEditor {
  RED: { nodes: { node(id: string): Record<string, unknown> } };
  monaco: { editor: { getEditors(): { setValue(text: string): void }[] } };
}

describe('a language that is a GraphQL schema', function () {
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

  it('is read as it is typed: faults with their line, then the commands that it has', async () => {
    const { page, dialog, ...user } = await openEditor(browser, nodeRed.url);
    const id = idOf('folkmoot-language');
    const type = async (text: string): Promise<void> => {
      await page.waitForFunction(() => (window as unknown as InEditor).monaco?.editor.getEditors().length > 1);
      await page.evaluate(
        // The first one is of the list of functions, which is hidden.
        (to) => (window as unknown as InEditor).monaco.editor.getEditors().at(-1)?.setValue(to),
        text,
      );
    };
    await shoot(page, 'flow-graphql');
    await dialog.open(id);
    const done = page.locator('#node-config-dialog-ok');
    await page.getByText('The house can: addEntity, addPage, addForm.').waitFor();
    assert.equal(await done.isEnabled(), true);
    await shoot(page, 'dialog-schema');
    await type('type Mutation {\n  addPage(title: Strong!): Int\n}');
    await page.getByText('Unknown type “Strong” (line 2).').waitFor();
    assert.equal(await done.isEnabled(), false);
    await shoot(page, 'dialog-schema-fault');
    await type('type Mutation {\n  addPage(title: String!): Int\n  removePage(title: String!): Int @critical\n}');
    await page.getByText('The house can: addPage, removePage.').waitFor();
    await dialog.done();
    const saved = await page.evaluate((of) => (window as unknown as InEditor).RED.nodes.node(of)['mutations'], id);
    assert.deepEqual(saved, [
      { name: 'addPage', category: 'graphql', risk: 'reversible' },
      { name: 'removePage', category: 'graphql', risk: 'critical' },
    ]);
    await dialog.open(idOf('folkmoot-agent'));
    const offered = page.locator('#folkmoot-agent-functions option[value=removePage]');
    assert.equal(await offered.count(), 1);
    assert.deepEqual(user.pageErrors, []);
    await user.close();
  });
});
