import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { filesOf, nodeNames, read, readJson, root } from './sources.ts';

interface Package {
  readonly name: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly repository: { readonly url: string };
  readonly bugs: { readonly url: string };
  readonly engines: { readonly node: string };
  readonly type: string;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly 'node-red': {
    readonly version: string;
    readonly nodes: Readonly<Record<string, string>>;
    readonly plugins: Readonly<Record<string, string>>;
  };
}
const facts = readJson('package.json') as Package;

describe('package.json', () => {
  it('has the name, the licence and the links that the library asks for (P01, P03)', () => {
    assert.equal(facts.name, 'node-red-contrib-folkmoot');
    assert.equal(facts.license, 'Apache-2.0');
    assert.match(facts.repository.url, /^git\+https:/);
    assert.match(facts.bugs.url, /^https:/);
  });

  it('ships the licence it names and a readme', () => {
    assert.match(read('LICENSE'), /Apache License\s+Version 2\.0/);
    assert.ok(existsSync(path.join(root, 'README.md')));
  });

  it('tells in the readme how to reach a home on another computer without opening it', () => {
    assert.match(read('README.md'), /^ssh -L 1880:127\.0\.0\.1:1880 /m);
  });

  it('has the keyword by which the library finds it (P05)', () => {
    assert.ok(facts.keywords.includes('node-red'));
  });

  it('says which Node-RED it works with, the newest included (P06)', () => {
    assert.equal(facts['node-red'].version, '>=4.1.0');
  });

  it('needs the Node.js that has the embedded store (P07, a stated exception)', () => {
    assert.equal(facts.engines.node, '>=22.13.0');
  });

  it('has the eight dependencies that were asked for and no other (D01, a stated exception)', () => {
    assert.deepEqual(Object.keys(facts.dependencies).sort(), [
      '@langchain/core',
      '@langchain/langgraph',
      'ajv',
      'graphql',
      'ioredis',
      'langchain',
      'mqtt',
      'vectra',
    ]);
  });

  it('lets each dependency move within its major version (D03)', () => {
    const ranges = Object.values({ ...facts.dependencies, ...facts.optionalDependencies });
    assert.deepEqual(
      ranges.filter((range) => !range.startsWith('^')),
      [],
    );
  });

  it('keeps Node-RED and the broker of the starter home out of what people install', () => {
    for (const name of ['node-red', 'aedes']) {
      assert.ok(name in facts.devDependencies);
      assert.ok(!(name in facts.dependencies) && !(name in facts.optionalDependencies));
    }
  });

  it('lists one file for each node', () => {
    const expected = Object.fromEntries(nodeNames().map((name) => [name, `dist/nodes/${name}/${name}.js`]));
    assert.deepEqual(facts['node-red'].nodes, expected);
  });

  it('lists only files that the build makes', () => {
    const listed = [...Object.values(facts['node-red'].nodes), ...Object.values(facts['node-red'].plugins)];
    assert.deepEqual(
      listed.filter((file) => !existsSync(path.join(root, file))),
      [],
    );
  });

  it('has the fixed folders and files at its top', () => {
    const fixed = ['nodes', 'flows', 'engine', 'icons', 'examples', 'package.json', 'tsconfig.json', '.mocharc.json'];
    assert.deepEqual(
      fixed.filter((name) => !existsSync(path.join(root, name))),
      [],
    );
  });
});

describe('the package', () => {
  const sources = filesOf('{engine,nodes}/**/*.ts').filter((file) => !/\.(?:spec|contract|editor)\.ts$/.test(file));

  it('imports only what it depends on', () => {
    const known = new Set([...Object.keys(facts.dependencies), ...Object.keys(facts.optionalDependencies)]);
    const wrong = sources.flatMap((file) =>
      [...read(file).matchAll(/(?:from|import\()\s*['"]([@a-z][\w@/.:-]*)['"]/gi)].flatMap((match) => {
        const target = match[1] ?? '';
        const name = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : (target.split('/')[0] ?? '');
        const isTypeOnly = new RegExp(`import type [^;]*['"]${target}['"]`).test(read(file));
        return target.startsWith('node:') || known.has(name) || isTypeOnly ? [] : [`${file} → ${target}`];
      }),
    );
    assert.deepEqual(wrong, []);
  });
});
