import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { Fields } from '../../nodes/shared/fields.ts';
import { filesOf, nodeNames, read, readJson, root } from './sources.ts';

const configNodes = ['backbone', 'model', 'language', 'memory-store', 'toolbox'];
/** Outputs in order (contracts.md 1). */
const outputsOf: Readonly<Record<string, number>> = {
  'bus-in': 1,
  'bus-out': 0,
  sense: 2,
  router: 4,
  agent: 4,
  'remote-agent': 2,
  serve: 2,
  judge: 4,
  blackboard: 2,
  apply: 1,
  memory: 1,
  tool: 1,
  'tool-result': 0,
  tools: 0,
};
const names = nodeNames();
const has = (file: string): boolean => existsSync(path.join(root, file));

/** The literal properties of the definition, read as the library's scorecard reads them. */
function definitionOf(name: string): { type: string; properties: Map<string, string>; hasSpread: boolean } {
  const page = read(`dist/nodes/${name}/${name}.html`);
  const script = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  const file = ts.createSourceFile('page.js', script, ts.ScriptTarget.ES2020, true, ts.ScriptKind.JS);
  let found: { type: string; properties: Map<string, string>; hasSpread: boolean } | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'RED.nodes.registerType') {
      const [type, definition] = node.arguments;
      if (type && definition && ts.isStringLiteral(type) && ts.isObjectLiteralExpression(definition)) {
        const properties = new Map<string, string>();
        for (const property of definition.properties) {
          if (ts.isPropertyAssignment(property))
            properties.set(property.name.getText(), property.initializer.getText());
          else if (property.name) properties.set(property.name.getText(), '');
        }
        found = { type: type.text, properties, hasSpread: definition.properties.some(ts.isSpreadAssignment) };
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  assert.ok(found, `${name}: no registerType with a literal name and a literal definition`);
  return found;
}

async function fieldsOf(name: string): Promise<Fields> {
  const module = (await import(`../../nodes/${name}/${name}.fields.ts`)) as Readonly<Record<string, Fields>>;
  return Object.values(module).find((value) => typeof value === 'object' && 'settingsVersion' in value) ?? {};
}

/** All ids of a catalogue, joined by dots. */
function idsOf(words: unknown, prefix = ''): string[] {
  if (typeof words === 'string') return [prefix];
  return Object.entries(words as Record<string, unknown>).flatMap(([key, value]) =>
    idsOf(value, prefix ? `${prefix}.${key}` : key),
  );
}

for (const name of names) {
  const type = `folkmoot-${name}`;
  describe(type, () => {
    it('has its parts: runtime, settings, editor, form, help, words, specs', () => {
      const parts = ['.ts', '.fields.ts', '.editor.ts', '.html', '.help.md'].map(
        (end) => `nodes/${name}/${name}${end}`,
      );
      parts.push(`nodes/${name}/locales/en-US/${name}.json`);
      assert.deepEqual(
        parts.filter((file) => !has(file)),
        [],
      );
      assert.ok(filesOf(`nodes/${name}/*.spec.ts`).length > 0, 'no spec beside it');
    });

    it('is seen by the parser of the library’s scorecard', () => {
      const definition = definitionOf(name);
      assert.equal(definition.type, type);
      assert.equal(definition.hasSpread, false);
      const category = configNodes.includes(name) ? "'config'" : "'folkmoot'";
      assert.equal(definition.properties.get('category')?.replaceAll('"', "'"), category);
    });

    it('has the outputs of its contract and a name for each', () => {
      const { properties } = definitionOf(name);
      if (configNodes.includes(name)) return;
      assert.equal(Number(properties.get('outputs')), outputsOf[name]);
      if ((outputsOf[name] ?? 0) > 1 || name === 'apply') assert.ok(properties.has('outputLabels'));
    });

    it('has a row in its form for every setting that people choose', async () => {
      const fields = await fieldsOf(name);
      const prefix = configNodes.includes(name) ? 'node-config-input-' : 'node-input-';
      const form = read(`nodes/${name}/${name}.html`);
      // Saved from the first release, shown when something reads them.
      const silent = ['settingsVersion', 'policy', 'contextTokens'];
      if (name === 'sense') silent.push('backbone');
      assert.deepEqual(
        Object.keys(fields).filter(
          (key) => !silent.includes(key) && !new RegExp(`id="${prefix}${key}(?:-list|-editor)?"`).test(form),
        ),
        [],
      );
    });

    it('has a label for every input of its form', () => {
      const form = read(`nodes/${name}/${name}.html`);
      const inputs = [...form.matchAll(/<(?:input|select|textarea)\b[^>]*\bid="([^"]+)"/g)].map(
        (match) => match[1] ?? '',
      );
      const hidden = (id: string): boolean =>
        new RegExp(`<input[^>]*id="${id}"[^>]*type="hidden"|<input[^>]*type="hidden"[^>]*id="${id}"`).test(form);
      const isNamed = (id: string): boolean => new RegExp(`<[a-z]+ [^>]*id="${id}"[^>]*\\[aria-label\\]`).test(form);
      assert.deepEqual(
        inputs.filter((id) => !hidden(id) && !isNamed(id) && !form.includes(`for="${id}"`)),
        [],
      );
    });

    it('has no colours of its own in its form, so that the dark theme works', () => {
      assert.doesNotMatch(read(`nodes/${name}/${name}.html`), /style="[^"]*(?:color|background)\s*:\s*(?!var)/);
    });

    it('has words for all it says, and no word that nothing says', () => {
      const ids = idsOf(readJson(`nodes/${name}/locales/en-US/${name}.json`)).filter(
        (id) => !id.startsWith('palette.'),
      );
      const own = filesOf(`nodes/${name}/*.{ts,html}`, 'nodes/shared/**/*.ts').map(read).join('\n');
      const used = [...own.matchAll(new RegExp(`${type}\\.[a-zA-Z]+(?:\\.[a-zA-Z0-9-]+)+`, 'g'))].map(
        (match) => match[0],
      );
      const said = (id: string): boolean => used.includes(id) || isMadeUp(id, own, type);
      assert.deepEqual(
        [...new Set(used)].filter((id) => !ids.includes(id)),
        [],
        'words are missing',
      );
      assert.deepEqual(
        ids.filter((id) => !said(id)),
        [],
        'words are unused',
      );
    });

    it('explains itself in the fixed order', () => {
      const help = read(`nodes/${name}/${name}.help.md`);
      const headings = [...help.matchAll(/^### (.+)$/gm)].map((match) => match[1]);
      const order = ['Inputs', 'Outputs', 'Details', 'References'];
      assert.deepEqual(
        headings,
        order.filter((heading) => headings.includes(heading)),
      );
      assert.ok(headings.includes('Details') && headings.includes('References'));
      // A further colon would split a definition in Node-RED's help.
      assert.deepEqual(
        help.split('\n').filter((line) => line.startsWith(': ') && line.split(':').length !== 3),
        [],
      );
      const first = help.trim().split('\n\n')[0] ?? '';
      assert.ok(
        first.length > 20 && first.length < 240 && !first.startsWith('#'),
        'the first paragraph is the tooltip',
      );
    });

    it('has an icon of 40 × 60, white', () => {
      const icon = read(`icons/folkmoot-${name}.svg`);
      assert.match(icon, /<svg[^>]*width="40"[^>]*height="60"[^>]*viewBox="0 0 40 60"/);
      assert.ok(Buffer.byteLength(icon) < 1500);
      assert.doesNotMatch(icon, /(?:fill|stroke)="(?!#fff"|none")/);
    });

    it('has each of its settings in every flow that is shipped, or a dialog that is only opened would change it', async () => {
      const fields = Object.keys(await fieldsOf(name));
      const missing = [...filesOf('examples/**/*.json'), 'flows/home.json'].flatMap((file) =>
        (readJson(file) as { type?: string; id?: string }[])
          .filter((node) => node.type === type)
          .flatMap((node) =>
            fields.filter((field) => !(field in node)).map((field) => `${file}: ${node.id}: ${field}`),
          ),
      );
      assert.deepEqual(missing, []);
    });

    if (!configNodes.includes(name)) {
      it('is used in an example (N02)', () => {
        const examples = filesOf('examples/**/*.json').filter((file) => {
          const nodes = readJson(file);
          assert.ok(Array.isArray(nodes), `${file} is no list`);
          return (nodes as { type?: string }[]).some((node) => node.type === type);
        });
        assert.ok(examples.length > 0);
      });
    }
  });
}

/** True when the id is joined from parts in code: its group with a value, such as `….option.${value}`. */
function isMadeUp(id: string, code: string, type: string): boolean {
  const group = id.slice(0, id.lastIndexOf('.') + 1);
  if (group === `${type}.status.`) return read('nodes/shared/status.ts').includes(`  ${id.slice(group.length)}: {`);
  return group !== `${type}.` && code.includes(`\`${group}\${`);
}
