import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { FunctionSpec } from '../../engine/language/function-spec.ts';
import type { Fields } from '../../nodes/shared/fields.ts';
import { startFakeOpenAi } from '../fake-openai.ts';
import { nodeNames, readJson } from '../structure/sources.ts';
import { startNodeRed, type RunningNodeRed } from '../red/node-red.ts';
import { openBrowser, openEditor, shoot, type EditorUser } from './editor-page.ts';

const configNodes = ['backbone', 'model', 'language', 'memory-store'];
/** Node-RED takes an empty user or password that was never set for a change. */
const withCredentials = ['backbone', 'model', 'serve', 'toolbox'];
const flows = [
  ...(readJson('examples/1 - one sentence, one lamp.json') as object[]),
  ...(readJson('examples/2 - hall light in the dark.json') as object[]),
  ...(readJson('examples/3 - agents that work together.json') as object[]),
  ...(readJson('examples/4 - messages between flows.json') as object[]),
  ...(readJson('examples/7 - a tool of your own.json') as object[]),
  ...(readJson('examples/8 - remember and recall.json') as object[]),
  ...(readJson('examples/9 - heat or save.json') as object[]),
  ...(readJson('examples/14 - plans over HTTP.json') as object[]),
  ...(readJson('examples/20 - toolboxes.json') as object[]),
  // Nothing is to look for a broker here.
  ...['5 - people over a broker', '10 - an agent of another house'].flatMap((name) =>
    (readJson(`examples/${name}.json`) as { type: string }[]).map((node) => ({
      ...node,
      ...(node.type === 'tab' ? { disabled: true } : {}),
    })),
  ),
  {
    id: 'aaaaaaaaaaaaaaaa',
    type: 'folkmoot-model',
    name: '',
    settingsVersion: 1,
    provider: 'rules',
    modelName: '',
    baseUrl: '',
    contextTokens: 8192,
    maxOutputTokens: 1024,
    temperature: 0,
    timeoutSeconds: 60,
    concurrency: 2,
    pauseSeconds: 0,
    fallbackModel: '',
    script: [],
  },
  {
    id: 'aaaaaaaaaaaaaaac',
    type: 'folkmoot-model',
    name: 'of the starter home',
    settingsVersion: 1,
    provider: '${FOLKMOOT_MODEL_PROVIDER}',
  },
];

describe('the dialogs', function () {
  this.timeout(60_000);
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let user: EditorUser;

  before(async function () {
    this.timeout(120_000);
    [nodeRed, browser] = await Promise.all([startNodeRed({ flows }), openBrowser()]);
    user = await openEditor(browser, nodeRed.url);
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });
  afterEach(() => assert.deepEqual(user.pageErrors, []));

  it('of a model shows a kind that comes from a variable, and keeps it', async () => {
    await user.dialog.open('aaaaaaaaaaaaaaac');
    assert.equal(await user.page.locator('#node-config-input-provider').inputValue(), '${FOLKMOOT_MODEL_PROVIDER}');
    await user.page.getByText('from FOLKMOOT_MODEL').waitFor();
    await user.dialog.done();
    assert.match(await user.workspace.exported(), /"provider":"\$\{FOLKMOOT_MODEL_PROVIDER\}"/);
  });

  it('of a model tries it, and says how it went', async () => {
    const server = await startFakeOpenAi({ answer: () => ({ text: 'I am an owl.' }), models: ['owl', 'crow'] });
    try {
      await user.dialog.open('aaaaaaaaaaaaaaaa');
      await user.dialog.choose('provider', 'openai-compatible');
      await user.dialog.fill({ baseUrl: server.url, modelName: 'owl' });
      await user.page.locator('#folkmoot-model-try').click();
      await user.page.getByText('It did not call a tool that it was told to call').waitFor();
      await user.page.getByText('It answers after').waitFor();
      await shoot(user.page, 'dialog-model-tried');
      await user.dialog.cancel();
    } finally {
      await server.close();
    }
  });

  for (const type of ['folkmoot-agent', 'folkmoot-backbone', 'folkmoot-judge', 'folkmoot-language']) {
    it(`of ${type} has tabs that show their whole names`, async () => {
      const [id] = await user.workspace.ids(type);
      await user.dialog.open(id ?? '');
      const labels = user.page.locator('.folkmoot-tabs-row .red-ui-tab-label > span').filter({ visible: true });
      const cut = await labels.evaluateAll((all) =>
        all.flatMap((label) => {
          const tab = label.closest('li')?.getBoundingClientRect();
          return tab && label.getBoundingClientRect().right > tab.right ? [label.textContent] : [];
        }),
      );
      assert.ok((await labels.count()) > 1);
      assert.deepEqual(cut, []);
      await user.dialog.cancel();
    });
  }

  for (const name of nodeNames()) {
    const type = `folkmoot-${name}`;
    it(`of ${type} opens, saves and opens again without a change or a fault`, async () => {
      const [id] = await user.workspace.ids(type);
      assert.ok(id, `no ${type} in the flow`);
      assert.deepEqual((await user.workspace.node(id)).faults ?? [], []);
      await user.dialog.open(id);
      await shoot(user.page, `dialog-${name}`);
      await user.dialog.done();
      const saved = await user.workspace.node(id);
      assert.equal(saved.valid, true);
      if (!withCredentials.includes(name)) assert.equal(saved.changed, false);
      await user.dialog.open(id);
      await user.dialog.cancel();
    });

    it(`of ${type} has words for all it shows, and a name for each input and button`, async () => {
      const [id] = await user.workspace.ids(type);
      await user.dialog.open(id ?? '');
      const found = await user.page.evaluate(() => {
        const tray = [...document.querySelectorAll('.red-ui-tray')].at(-1);
        const form = tray?.querySelector('.folkmoot-form');
        const inputs = [...(form?.querySelectorAll('input:not([type=hidden]), select, textarea') ?? [])];
        const isNamed = (input: Element): boolean =>
          Boolean(input.getAttribute('aria-label')) ||
          Boolean(input.id && form?.querySelector(`label[for="${input.id}"]`)) ||
          input.closest('label') !== null ||
          input.closest('.red-ui-typedInput-container, .node-text-editor, .monaco-editor, .ace_editor') !== null;
        const buttons = [...(form?.querySelectorAll('button, a.red-ui-editableList-item-remove') ?? [])];
        const isSaid = (button: Element): boolean =>
          Boolean(button.textContent?.trim() || button.getAttribute('title') || button.getAttribute('aria-label'));
        return {
          text: form?.textContent ?? '',
          nameless: inputs.filter((input) => !isNamed(input)).map((input) => input.outerHTML.slice(0, 120)),
          silent: buttons
            .filter((button) => !isSaid(button) && !button.closest('.red-ui-typedInput-container'))
            .map((button) => button.outerHTML.slice(0, 160)),
        };
      });
      await user.dialog.cancel();
      assert.ok(found.text.length > 20, 'the form is empty');
      assert.doesNotMatch(found.text, /folkmoot-[a-z-]+\.[a-z]/);
      assert.deepEqual(found.nameless, []);
      assert.deepEqual(found.silent, []);
    });
  }

  it('say what is wrong with a setting', async () => {
    const [id] = await user.workspace.ids('folkmoot-router');
    await user.dialog.open(id ?? '');
    await user.dialog.fill({ deadlineSeconds: '0' });
    await user.dialog.done();
    const wrong = await user.workspace.node(id ?? '');
    assert.equal(wrong.valid, false);
    assert.match(JSON.stringify(wrong.faults), /Time limit must be at least 1/);
    await user.dialog.open(id ?? '');
    await user.dialog.fill({ deadlineSeconds: '${SECONDS}' });
    await user.dialog.done();
    assert.equal((await user.workspace.node(id ?? '')).valid, true);
  });

  it('of a router shows how a person is asked once one is', async () => {
    const { page, dialog } = user;
    const [id = ''] = await user.workspace.ids('folkmoot-router');
    await dialog.open(id);
    const shown = () =>
      Promise.all(['approveBy', 'approvalMinutes'].map((row) => page.locator(`#node-input-${row}`).isVisible()));
    assert.deepEqual(await shown(), [false, false]);
    await dialog.choose('approve', 'plan');
    assert.deepEqual(await shown(), [false, true]);
    await dialog.choose('approve', 'both');
    assert.deepEqual(await shown(), [true, true]);
    await shoot(page, 'dialog-router-asks');
    await dialog.cancel();
  });

  it('of an agent gives it as a text, takes one in its place, and keeps what it holds', async () => {
    const { page, dialog, workspace } = user;
    const [id = ''] = await workspace.ids('folkmoot-agent');
    const at = (part: string) => page.locator(`#folkmoot-agent-${part}`);
    const notes = (words: string) => at('notes').getByText(words).waitFor();
    await dialog.open(id);
    await at('export').click();
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#folkmoot-agent-text')?.value);
    const written = JSON.parse(await at('text').inputValue()) as { name: string; generates: string[] };
    assert.equal(written.name, await page.locator('#node-input-name').inputValue());
    assert.match((await at('save').getAttribute('download')) ?? '', /\.agent\.json$/);
    await page.locator('#node-input-fallback').check();
    await at('form').selectOption('camel');
    await notes('no place for: fallback');
    await shoot(page, 'dialog-agent-export');
    await at('import').click();
    await at('text').fill('{"v":1}');
    await at('take').click();
    await notes('name is missing');
    const examples = [{ prompt: 'hello', calls: [] }];
    await at('text').fill(
      JSON.stringify({ ...written, topics: ['talk'], steps: ['Listen.'], examples, fallback: true }),
    );
    await at('take').click();
    await notes('look at it');
    await shoot(page, 'dialog-agent-import');
    await page.locator('#folkmoot-agent-tabs a').nth(2).click();
    const calls = page.locator('.folkmoot-example-calls');
    const isHeld = () => page.locator('#node-dialog-ok').isDisabled();
    await calls.fill('SetLight room');
    assert.equal(await isHeld(), true);
    await calls.fill('SetLight {"room":"kitchen"}');
    assert.equal(await isHeld(), false);
    await shoot(page, 'dialog-agent-how');
    await dialog.done();
    const saved = await page.evaluate((wanted) => {
      type Nodes = { node(id: string): Record<string, unknown> };
      const { topics, steps, examples, fallback, generates } = (
        window as unknown as { RED: { nodes: Nodes } }
      ).RED.nodes.node(wanted);
      return { topics, steps, examples, fallback, generates };
    }, id);
    const call = { function: 'SetLight', parameters: { room: 'kitchen' } };
    assert.deepEqual(saved, {
      ...{ topics: ['talk'], steps: ['Listen.'], examples: [{ prompt: 'hello', calls: [call] }], fallback: true },
      generates: written.generates,
    });
  });

  it('of a language takes what people call a parameter, and keeps it with all that it does not show', async () => {
    const { page, dialog } = user;
    const [id = ''] = await user.workspace.ids('folkmoot-language');
    const functions = () =>
      page.evaluate((wanted) => {
        const { nodes } = (window as unknown as { RED: { nodes: { node(id: string): { functions: FunctionSpec[] } } } })
          .RED;
        return nodes.node(wanted).functions;
      }, id);
    const before = await functions();
    await dialog.open(id);
    await page.locator('.folkmoot-open').first().click();
    const label = page.locator('.folkmoot-p-label').first();
    await label.fill('place in the house');
    await shoot(page, 'dialog-language-parameter');
    await dialog.done();
    const [first, ...rest] = await functions();
    assert.ok(first && before[0]);
    const [parameter, ...others] = before[0].parameters;
    assert.deepEqual(first, {
      ...before[0],
      parameters: [{ ...parameter, label: 'place in the house' }, ...others],
    });
    assert.deepEqual(rest, before.slice(1));
    await dialog.open(id);
    await page.locator('.folkmoot-open').first().click();
    assert.equal(await label.inputValue(), 'place in the house');
    await dialog.cancel();
  });

  it('of new config nodes show and save every number', async () => {
    const { page, dialog, workspace } = user;
    for (const name of configNodes) {
      const type = `folkmoot-${name}`;
      const { [`${name}Fields`.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase())]: fields } =
        (await import(`../../nodes/${name}/${name}.fields.ts`)) as Record<string, Fields>;
      const before = await workspace.ids(type);
      await page.evaluate((wanted) => {
        const { editor } = (window as unknown as { RED: { editor: { editConfig(...given: string[]): void } } }).RED;
        editor.editConfig('', wanted, '_ADD_');
      }, type);
      await page.locator('#node-config-dialog-ok').waitFor({ state: 'visible' });
      await page.waitForTimeout(350);
      await dialog.done();
      const [id = ''] = (await workspace.ids(type)).filter((one) => !before.includes(one));
      const saved = await page.evaluate((wanted) => {
        type Nodes = { node(id: string): Record<string, unknown> };
        const node = (window as unknown as { RED: { nodes: Nodes } }).RED.nodes.node(wanted);
        return Object.fromEntries(Object.entries(node).filter(([, value]) => typeof value !== 'object'));
      }, id);
      for (const [key, field] of Object.entries(fields ?? {}))
        if (field.kind === 'number') assert.equal(String(saved[key]), String(field.default), `${type} ${key}`);
    }
  });

  it('of config nodes are in the list of config nodes', async () => {
    for (const name of configNodes) assert.ok((await user.workspace.ids(`folkmoot-${name}`)).length > 0, name);
  });
});
