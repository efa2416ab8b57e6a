/** Node-RED's editor in a real Chromium, in the words of somebody who uses it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

const waitMs = 30_000;

/** The browser of the specs: FOLKMOOT_CHROMIUM, else the one of the system. */
export function openBrowser(): Promise<Browser> {
  const candidates = [process.env['FOLKMOOT_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
  const executablePath = candidates.find((file) => file && existsSync(file));
  if (!executablePath) throw new Error('No Chromium: install it, or name it in FOLKMOOT_CHROMIUM.');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'] });
}

export interface Wire {
  readonly from: string;
  readonly output: number;
  readonly to: string;
}

export interface EditorUser {
  readonly page: Page;
  /** Errors of the page so far; a spec ends with none. */
  readonly pageErrors: readonly string[];
  readonly palette: {
    /** Drags a node from the palette to a place of the workspace. @returns its id. */
    drag(type: string, x: number, y: number): Promise<string>;
  };
  readonly dialog: {
    open(id: string): Promise<void>;
    /** Fills rows by their setting. */
    fill(rows: Readonly<Record<string, string>>): Promise<void>;
    choose(setting: string, value: string): Promise<void>;
    done(): Promise<void>;
    cancel(): Promise<void>;
  };
  readonly workspace: {
    wire(wire: Wire): Promise<void>;
    deploy(): Promise<void>;
    /** Goes to the tab of a node. */
    show(id: string): Promise<void>;
    /** Presses the button of an inject node. */
    inject(id: string): Promise<void>;
    importText(flow: string): Promise<void>;
    importExample(name: string): Promise<void>;
    node(id: string): Promise<{ valid: boolean; changed: boolean; label: string; faults: unknown }>;
    ids(type: string): Promise<string[]>;
    /** All that the export dialog would write to a file: every tab, and what it refers to. */
    exported(): Promise<string>;
  };
  readonly debug: {
    open(): Promise<void>;
    /** Waits until a message with this text is in the debug sidebar. */
    sees(text: string): Promise<void>;
    messages(): Promise<string[]>;
  };
  close(): Promise<void>;
}

type Script = { RED: Record<string, Record<string, (...given: unknown[]) => unknown>> };

function paletteOf(page: Page): EditorUser['palette'] {
  return {
    async drag(type, x, y) {
      const entry = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);
      await entry.scrollIntoViewIfNeeded();
      const from = await entry.boundingBox();
      const chart = await page.locator('#red-ui-workspace-chart').boundingBox();
      if (!from || !chart) throw new Error(`${type} is not in the palette`);
      const before = await idsOf(page, type);
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(chart.x + x - 20, chart.y + y - 10, { steps: 6 });
      await page.mouse.move(chart.x + x, chart.y + y, { steps: 4 });
      await page.mouse.up();
      await page.waitForFunction(
        ([wanted, count]) => {
          const found: unknown[] = [];
          (window as unknown as Script).RED['nodes']?.['eachNode']?.((node: { type: string }) => {
            if (node.type === wanted) found.push(node);
          });
          return found.length > Number(count);
        },
        [type, before.length] as const,
      );
      const added = (await idsOf(page, type)).find((id) => !before.includes(id));
      if (!added) throw new Error(`${type} was not added`);
      return added;
    },
  };
}

/** Ids of palette and config nodes of a type. */
function idsOf(page: Page, type: string): Promise<string[]> {
  return page.evaluate((wanted) => {
    const ids: string[] = [];
    const keep = (node: { id: string; type: string }): void => {
      if (node.type === wanted) ids.push(node.id);
    };
    const { nodes } = (window as unknown as Script).RED;
    nodes?.['eachNode']?.(keep);
    nodes?.['eachConfig']?.(keep);
    return ids;
  }, type);
}

/** The tray slides in and out; clicks before that miss. */
async function traySettles(page: Page): Promise<void> {
  await page.waitForTimeout(350);
}

function dialogOf(page: Page): EditorUser['dialog'] {
  const top = () => page.locator('.red-ui-tray').last();
  const input = (setting: string) =>
    top().locator(`#node-input-${setting}, #node-config-input-${setting}`).filter({ visible: true }).first();
  const leave = async (button: 'ok' | 'cancel'): Promise<void> => {
    // One that it was opened from comes back as this one goes.
    const tray = await top().elementHandle();
    await top().locator(`#node-dialog-${button}, #node-config-dialog-${button}`).first().click();
    await page.waitForFunction((left) => left?.isConnected !== true, tray);
    await traySettles(page);
  };
  return {
    async open(id) {
      await page.evaluate((wanted) => {
        const { nodes, editor } = (window as unknown as Script).RED;
        const node = nodes?.['node']?.(wanted) as { type: string; _def: { category: string } };
        if (node._def.category === 'config') editor?.['editConfig']?.('', node.type, wanted);
        else editor?.['edit']?.(node);
      }, id);
      await page.locator('#node-dialog-ok, #node-config-dialog-ok').last().waitFor({ state: 'visible' });
      await traySettles(page);
    },
    async fill(rows) {
      for (const [setting, value] of Object.entries(rows)) await input(setting).fill(value);
    },
    async choose(setting, value) {
      await input(setting).selectOption(value);
    },
    done: () => leave('ok'),
    cancel: () => leave('cancel'),
  };
}

function workspaceOf(page: Page): EditorUser['workspace'] {
  const middle = async (selector: string): Promise<{ x: number; y: number }> => {
    const box = await page.locator(selector).first().boundingBox();
    if (!box) throw new Error(`${selector} is not on the screen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const afterImport = async (): Promise<void> => {
    await page.locator('#red-ui-clipboard-dialog-ok').click();
    await page.locator('.ui-dialog', { has: page.locator('#red-ui-clipboard-dialog') }).waitFor({ state: 'hidden' });
    // What is imported hangs on the mouse until it is put down; a whole tab does not.
    await page.waitForTimeout(200);
  };
  const openImport = async (): Promise<void> => {
    await page.evaluate(() => (window as unknown as Script).RED['actions']?.['invoke']?.('core:show-import-dialog'));
    await page.locator('#red-ui-clipboard-dialog-ok').waitFor({ state: 'visible' });
  };
  return {
    async wire({ from, output, to }) {
      const start = await middle(`[id="${from}"] .red-ui-flow-port-output >> nth=${output}`);
      const end = await middle(`[id="${to}"] .red-ui-flow-port-input .red-ui-flow-port`);
      await page.mouse.move(start.x, start.y);
      await page.mouse.down();
      await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 5 });
      await page.mouse.move(end.x, end.y, { steps: 5 });
      await page.mouse.up();
    },
    async deploy() {
      const saved = page.waitForResponse(
        (answer) => answer.url().endsWith('/flows') && answer.request().method() === 'POST',
      );
      await page.locator('#red-ui-header-button-deploy').click();
      const answer = await saved;
      if (!answer.ok()) throw new Error(`deploy was refused: ${answer.status()} ${await answer.text()}`);
      await page.waitForFunction(() =>
        document.querySelector('#red-ui-header-button-deploy')?.classList.contains('disabled'),
      );
    },
    async show(id) {
      await page.evaluate((wanted) => {
        const { nodes, workspaces } = (window as unknown as Script).RED;
        workspaces?.['show']?.((nodes?.['node']?.(wanted) as { z: string }).z);
      }, id);
      await page.locator(`[id="${id}"]`).waitFor({ state: 'visible' });
    },
    async inject(id) {
      const pressed = page.waitForResponse((answer) => answer.url().includes(`/inject/${id}`));
      await page.locator(`[id="${id}"] .red-ui-flow-node-button-button`).click();
      await pressed;
    },
    async importText(flow) {
      await openImport();
      await page.locator('#red-ui-clipboard-dialog-import-text').fill(flow);
      // The button wakes up with a key only.
      await page.locator('#red-ui-clipboard-dialog-import-text').press('End');
      await page.waitForFunction(
        () => !document.querySelector('#red-ui-clipboard-dialog-ok')?.classList.contains('ui-state-disabled'),
      );
      await afterImport();
    },
    async importExample(name) {
      await openImport();
      await page.locator('#red-ui-clipboard-dialog-import-tabs a', { hasText: 'Examples' }).click();
      const tree = page.locator('#red-ui-clipboard-dialog-import-tab-examples');
      await tree.getByText('node-red-contrib-folkmoot').click();
      await tree.getByText(name).click();
      await afterImport();
    },
    node: (id) =>
      page.evaluate((wanted) => {
        const { nodes, utils } = (window as unknown as Script).RED;
        const node = nodes?.['node']?.(wanted) as Record<string, unknown>;
        return {
          valid: node['valid'] !== false,
          changed: node['changed'] === true,
          label: String(utils?.['getNodeLabel']?.(node)),
          faults: node['validationErrors'],
        };
      }, id),
    ids: (type) => idsOf(page, type),
    exported: () =>
      page.evaluate(() =>
        JSON.stringify(
          (window as unknown as Script).RED['nodes']?.['createCompleteNodeSet']?.({ credentials: false }) ?? null,
        ),
      ),
  };
}

function debugOf(page: Page): EditorUser['debug'] {
  const messages = page.locator('.red-ui-debug-msg .red-ui-debug-msg-payload');
  return {
    async open() {
      await page.evaluate(() => (window as unknown as Script).RED['actions']?.['invoke']?.('core:show-debug-tab'));
    },
    async sees(text) {
      await messages.filter({ hasText: text }).first().waitFor({ state: 'attached', timeout: waitMs });
    },
    messages: () => messages.allInnerTexts(),
  };
}

/** Opens the editor of a running Node-RED. @param theme `dark` or `light`. */
export async function openEditor(
  browser: Browser,
  url: string,
  theme: 'light' | 'dark' = 'light',
): Promise<EditorUser> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, locale: 'en-US' });
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(error.message));
  await page.addInitScript((name) => {
    localStorage.setItem('editor-language', 'en-US');
    localStorage.setItem('view-dark-theme', name);
  }, theme);
  await page.goto(url);
  await page.locator('.red-ui-palette-node[data-palette-type="folkmoot-router"]').waitFor({ state: 'attached' });
  await page.waitForFunction(() => document.querySelector('#red-ui-loading-progress')?.checkVisibility() !== true);
  return {
    page,
    pageErrors,
    palette: paletteOf(page),
    dialog: dialogOf(page),
    workspace: workspaceOf(page),
    debug: debugOf(page),
    close: () => context.close(),
  };
}

/** Saves a picture where FOLKMOOT_SHOTS says; without it none is made. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['FOLKMOOT_SHOTS'];
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

/** Fills the payload of an inject node whose dialog is open. */
export async function say(user: EditorUser, words: string): Promise<void> {
  await user.page.evaluate((text) => {
    const { $ } = window as unknown as {
      $(selector: string): { first(): { typedInput(name: string, value: string): void } };
    };
    const payload = $('#node-input-property-container .node-input-prop-property-value').first();
    payload.typedInput('type', 'str');
    payload.typedInput('value', text);
  }, words);
}
