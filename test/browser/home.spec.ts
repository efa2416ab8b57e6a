import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { startHome, type HomeProcess } from '../home/home-process.ts';
import { openBrowser, openEditor, shoot, type EditorUser } from './editor-page.ts';

describe('the starter home in the editor', function () {
  this.timeout(60_000);
  let home: HomeProcess;
  let browser: Browser;
  let user: EditorUser;

  before(async function () {
    this.timeout(120_000);
    [home, browser] = await Promise.all([startHome(), openBrowser()]);
    user = await openEditor(browser, home.ready.editor);
  });
  after(async function () {
    this.timeout(40_000);
    await browser?.close();
    await home?.stop();
  });
  afterEach(() => assert.deepEqual(user.pageErrors, []));

  it('has no node that is marked as wrong, and nothing to deploy', async () => {
    const wrong = await user.page.evaluate(() => {
      const faulty: string[] = [];
      const { RED } = window as unknown as {
        RED: { nodes: Record<'eachNode' | 'eachConfig', (visit: (node: Record<string, unknown>) => void) => void> };
      };
      const look = (node: Record<string, unknown>): void => {
        if (node['valid'] === false) faulty.push(`${String(node['type'])} ${JSON.stringify(node['validationErrors'])}`);
      };
      RED.nodes.eachNode(look);
      RED.nodes.eachConfig(look);
      return faulty;
    });
    assert.deepEqual(wrong, []);
    assert.equal(await user.page.locator('#red-ui-header-button-deploy.disabled').count(), 1);
  });

  it('shows no node on another', async () => {
    const boxes = await user.page.locator('.red-ui-flow-node.red-ui-flow-node-group').evaluateAll((nodes) =>
      nodes.map((node) => {
        const { left, top, right, bottom } = (
          node.querySelector('rect.red-ui-flow-node') ?? node
        ).getBoundingClientRect();
        return { id: node.id, left, top, right, bottom };
      }),
    );
    const onAnother = boxes.flatMap((a, index) =>
      boxes
        .slice(index + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        .map((b) => `${a.id} and ${b.id}`),
    );
    assert.ok(boxes.length > 20);
    assert.deepEqual(onAnother, []);
  });

  it('draws whom the router, an agent and the judge may ask with dashed wires', async () => {
    for (const [shown, least] of [
      ['homerouter000001', 8],
      ['homejudge0000001', 2],
    ] as const) {
      await user.workspace.show(shown);
      const wires = await user.page.evaluate((id) => {
        const { RED } = window as unknown as {
          RED: {
            nodes: {
              node(of: string): { z: string };
              eachLink(visit: (link: Link) => void): void;
            };
          };
        };
        interface Link {
          readonly source: { readonly z: string; readonly _def: { readonly asksOutput?: number } };
          readonly sourcePort: number;
        }
        let count = 0;
        RED.nodes.eachLink(({ source, sourcePort }) => {
          if (source.z === RED.nodes.node(id).z && source._def.asksOutput === sourcePort) count += 1;
        });
        return count;
      }, shown);
      assert.ok(wires >= least, `${wires} wires`);
      assert.equal(await user.page.locator('.folkmoot-asks-link').count(), wires);
      await shoot(user.page, `home-${shown}`);
    }
    await user.workspace.show('homerouter000001');
  });

  it('does what its first button says', async () => {
    const { workspace, debug, page } = user;
    const injects = await workspace.ids('inject');
    const labels = await Promise.all(injects.map(async (id) => (await workspace.node(id)).label));
    const chosen = injects[labels.findIndex((label) => label.includes('40 %'))];
    assert.ok(chosen);
    await debug.open();
    await workspace.show(chosen);
    await workspace.inject(chosen);
    await debug.sees('itchen light');
    await page.setViewportSize({ width: 1960, height: 960 });
    await page
      .locator('.red-ui-notification')
      .first()
      .waitFor({ state: 'detached' })
      .catch(() => undefined);
    await shoot(page, 'home');
  });
});
