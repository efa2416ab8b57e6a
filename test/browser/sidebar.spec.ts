/** Somebody watches runs in the editor's sidebar. */
import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { flows } from './watched-flow.ts';
import { openBrowser, openEditor, shoot, type EditorUser } from './editor-page.ts';

const runs = (page: Page): Locator => page.locator('.folkmoot-run');
/** The editor remembers which tab was open; pressing its button again would close it. */
async function openSidebar(page: Page): Promise<void> {
  const content = page.locator('.folkmoot-sidebar');
  await content.waitFor({ state: 'attached' });
  if (!(await content.isVisible())) await page.locator('button[data-tab-id="folkmoot"]').click();
}
const activeTab = (page: Page): Promise<unknown> =>
  page.evaluate(() => (window as unknown as { RED: { workspaces: { active(): unknown } } }).RED.workspaces.active());
/** Newest first. */
const states = (page: Page): Promise<(string | null)[]> =>
  runs(page).evaluateAll((all) => all.map((run) => run.getAttribute('data-state')));

describe('the sidebar Folkmoot', function () {
  this.timeout(60_000);
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let user: EditorUser;

  before(async function () {
    this.timeout(120_000);
    [browser, nodeRed] = await Promise.all([openBrowser(), startNodeRed({ flows })]);
    user = await openEditor(browser, nodeRed.url);
    // Its half of the sidebar is for the runs.
    await user.page.locator('button[data-tab-id="debug"]').click();
  });
  after(async () => {
    await user?.close();
    await browser?.close();
    await nodeRed?.stop();
  });
  afterEach(() => assert.deepEqual(user.pageErrors, []));

  it('says what to do while there is nothing to see', async () => {
    const { page } = user;
    await openSidebar(page);
    await page.locator('.folkmoot-note', { hasText: 'No runs yet.' }).waitFor();
    assert.equal(await runs(page).count(), 0);
    await shoot(page, 'sidebar-empty');
  });

  it('shows a run while it works and how it ended', async () => {
    const { page, workspace } = user;
    await workspace.show('both');
    await workspace.inject('both');
    const [run] = [runs(page).first()];
    await page.locator('.folkmoot-run[data-state="running"]').waitFor();
    await run.locator('.folkmoot-chip', { hasText: 'Lights' }).filter({ hasText: 'running' }).waitFor();
    await shoot(page, 'sidebar-running');
    await page.locator('.folkmoot-run[data-state="done"]').waitFor();
    assert.match(await run.innerText(), /turn the kitchen light on and mow the front lawn/);
    assert.match(await run.innerText(), /done/);
    assert.match(await run.innerText(), /\d\.\d s/);
    assert.deepEqual(await run.locator('.folkmoot-chip .folkmoot-node').allInnerTexts(), ['Lights', 'Lawn Mower']);
    assert.equal(await runs(page).count(), 1);
  });

  it('opens a run with the keyboard: prompts, commands with their values, answer and report', async () => {
    const { page } = user;
    await page.locator('.folkmoot-filter').focus();
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const head = page.locator('.folkmoot-run-head').first();
    assert.equal(await head.getAttribute('aria-expanded'), 'true');
    const more = page.locator('.folkmoot-more').first();
    await more.locator('.folkmoot-command', { hasText: 'applied' }).first().waitFor();
    const text = await more.innerText();
    assert.match(text, /“turn the kitchen light on”/);
    assert.match(text, /“mow the front lawn”/);
    assert.match(text, /SetLight\(room: kitchen, state: on\)\s*applied/);
    assert.match(text, /MowLawn\(area: front\)\s*refused/);
    assert.match(text, /Nothing is set up here to carry it out\./);
    assert.match(text, /Report\s+Kitchen light on\./i);
    assert.ok(await head.evaluate((one) => one === document.activeElement));
  });

  it('says why a run failed, and moves between runs by the arrow keys', async () => {
    const { page, workspace } = user;
    await workspace.inject('half');
    await page.locator('.folkmoot-run[data-state="asked"]').waitFor();
    await workspace.inject('nobody');
    await page.locator('.folkmoot-run[data-state="failed"]').waitFor();
    assert.deepEqual(await states(page), ['failed', 'asked', 'done']);
    assert.match(await page.locator('.folkmoot-run > .folkmoot-why').innerText(), /reaches no agents/);
    await shoot(page, 'sidebar-runs');
    const heads = page.locator('.folkmoot-run-head');
    await heads.first().focus();
    await page.keyboard.press('ArrowDown');
    assert.ok(await heads.nth(1).evaluate((one) => one === document.activeElement));
    await page.keyboard.press('End');
    assert.ok(await heads.last().evaluate((one) => one === document.activeElement));
  });

  it('finds runs by words, agents and states', async () => {
    const { page } = user;
    const filter = page.locator('.folkmoot-filter');
    for (const [words, found] of [
      ['lawn mower', ['done']],
      ['lisbon', ['failed']],
      ['asked back', ['asked']],
      ['the light on', ['asked', 'done']],
      ['nowhere to be seen', []],
    ] as const) {
      await filter.fill(words);
      assert.deepEqual(await states(page), found, words);
    }
    assert.match(await page.locator('.folkmoot-note').innerText(), /No run has these words/);
    await filter.fill('');
    assert.equal(await runs(page).count(), 3);
  });

  it('shows an agent in the flow, also on another tab', async () => {
    const { page, workspace } = user;
    await workspace.show('both');
    await page.locator('.folkmoot-run').last().getByRole('button', { name: 'Show Lights in the flow' }).click();
    await page.locator('[id="lights"]').waitFor({ state: 'visible' });
    assert.equal(await activeTab(page), 'agents');
    await page.locator('.folkmoot-run').last().getByRole('button', { name: 'Show House in the flow' }).click();
    await page.locator('[id="router"]').waitFor({ state: 'visible' });
    assert.equal(await activeTab(page), 'house');
  });

  it('stands still while it is paused, and goes on with what came meanwhile', async () => {
    const { page, workspace } = user;
    await page.getByRole('button', { name: /^Pause/ }).click();
    await workspace.inject('nobody');
    await page.locator('.folkmoot-note', { hasText: 'There is something new' }).waitFor();
    assert.equal(await runs(page).count(), 3);
    await page.getByRole('button', { name: /^Go on/ }).click();
    await runs(page).nth(3).waitFor();
    assert.deepEqual(await states(page), ['failed', 'failed', 'asked', 'done']);
  });

  it('is readable in the dark theme, and knows the runs from before the editor was opened', async () => {
    const dark = await openEditor(browser, nodeRed.url, 'dark');
    await openSidebar(dark.page);
    await runs(dark.page).nth(3).waitFor();
    await dark.page.locator('.folkmoot-run-head').last().click();
    await dark.page.locator('.folkmoot-command').first().waitFor();
    await shoot(dark.page, 'sidebar-dark');
    assert.deepEqual(dark.pageErrors, []);
    await dark.close();
  });

  it('shows what waits for a person first, and takes the answer there', async () => {
    const { page, workspace } = user;
    await workspace.show('careful');
    await workspace.inject('careful');
    const asks = page.locator('.folkmoot-asks');
    await asks.waitFor();
    assert.match(await asks.innerText(), /turn the hall light on\.\s+Shall I\?/);
    assert.match(await runs(page).first().innerText(), /waits for an answer/);
    await shoot(page, 'sidebar-waits');
    await workspace.inject('nobody');
    await runs(page).nth(5).waitFor();
    assert.deepEqual((await states(page)).slice(0, 2), ['asked', 'failed'], 'it stays on top');
    await asks.getByRole('button', { name: 'Do it' }).click();
    await page.locator('.folkmoot-run[data-state="done"]', { hasText: 'Yes to what waited' }).waitFor();
    await shoot(page, 'sidebar-answered');
    assert.equal(await asks.count(), 0);
    await workspace.inject('careful');
    await asks.waitFor();
    await page.route('**/folkmoot-admin/runs/*/deny', (route) => route.fulfill({ status: 401 }));
    await asks.getByRole('button', { name: 'Don’t' }).click();
    await asks.locator('.folkmoot-until', { hasText: 'You may not answer' }).waitFor();
    await page.unroute('**/folkmoot-admin/runs/*/deny');
    await asks.getByRole('button', { name: 'Don’t' }).click();
    await asks.waitFor({ state: 'detached' });
  });

  it('hides what is over when it is cleared, and nothing of what comes', async () => {
    const { page, workspace } = user;
    await page.getByRole('button', { name: /^Clear/ }).click();
    assert.equal(await runs(page).count(), 0);
    assert.match(await page.locator('.folkmoot-note').innerText(), /was hidden/);
    await workspace.show('nobody');
    await workspace.inject('nobody');
    await runs(page).first().waitFor();
    assert.deepEqual(await states(page), ['failed']);
  });

  it('has a tab for each view that somebody registers, and closes the one that is left', async () => {
    const { page } = user;
    await page.evaluate(() => {
      const { RED } = window as unknown as { RED: { plugins: { registerPlugin(id: string, plugin: object): void } } };
      RED.plugins.registerPlugin('test-view', {
        type: 'folkmoot-view',
        id: 'test',
        label: 'Weather',
        icon: 'fa-cloud',
        order: 20,
        render(container: HTMLElement) {
          container.textContent = 'It is raining.';
          return { close: () => document.body.setAttribute('data-weather', 'closed') };
        },
      });
    });
    await page.getByRole('tab', { name: 'Runs' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.folkmoot-view', { hasText: 'It is raining.' }).waitFor();
    assert.equal(await runs(page).count(), 0);
    await page.keyboard.press('ArrowRight');
    await runs(page).first().waitFor();
    assert.equal(await page.locator('body').getAttribute('data-weather'), 'closed');
    assert.equal(await page.getByRole('tab', { name: 'Runs' }).getAttribute('aria-selected'), 'true');
  });

  it('says so when its user may not see runs', async () => {
    const other = await openEditor(browser, nodeRed.url);
    await openSidebar(other.page);
    await runs(other.page).first().waitFor();
    await other.page.route('**/folkmoot-admin/**', (route) => route.fulfill({ status: 401 }));
    await user.workspace.inject('nobody');
    await other.page.locator('.folkmoot-note', { hasText: 'You may not see runs' }).waitFor();
    assert.deepEqual(other.pageErrors, []);
    await other.close();
  });
});
