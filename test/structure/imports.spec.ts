import assert from 'node:assert/strict';
import { codeOf, filesOf, importsOf, isSpec, type Import } from './sources.ts';

const engine = filesOf('engine/**/*.ts').filter((file) => !isSpec(file));
const nodes = filesOf('nodes/**/*.ts').filter((file) => !isSpec(file));
const isEditor = (file: string): boolean => /\.editor\.ts$|editor-kit\.ts$|nodes\/shared\/editor\//.test(file);

const adapters = [
  'engine/bus/in-process.ts',
  'engine/bus/mqtt.ts',
  'engine/bus/valkey-pubsub.ts',
  'engine/bus/valkey-streams.ts',
  'engine/store/embedded.ts',
  'engine/store/valkey.ts',
  'engine/model/catalogue.ts',
  'engine/memory/vectra-index.ts',
  'engine/memory/lexical.ts',
];
const ports = [
  'engine/bus/bus.ts',
  'engine/store/store.ts',
  'engine/model/model.ts',
  'engine/memory/memory-index.ts',
  'engine/memory/embed.ts',
];
const heavy = /^(?:@langchain\/|langchain(?:\/|$)|langsmith|mqtt$|ajv(?:\/|$)|vectra$|ioredis$|graphql$)/;

const told = (imports: readonly Import[]): string[] => imports.map(({ file, target }) => `${file} → ${target}`);
const importsOfAll = (files: readonly string[]): Import[] => files.flatMap(importsOf);

describe('import rules', () => {
  it('keep Node-RED and the nodes out of the engine', () => {
    const wrong = importsOfAll(engine).filter(({ target }) =>
      /^(?:nodes|bin|bench|test)\/|node-red|^aedes/.test(target),
    );
    assert.deepEqual(told(wrong), []);
    assert.deepEqual(
      engine.filter((file) => /(?<!-)\bRED\.[a-z]/.test(codeOf(file))),
      [],
    );
  });

  it('keep adapters out of ports', () => {
    const wrong = importsOfAll(ports).filter(({ target, isTypeOnly }) => !isTypeOnly && adapters.includes(target));
    assert.deepEqual(told(wrong), []);
  });

  it('let only the config nodes and the command line choose adapters', () => {
    const allowed = /^(?:nodes\/(?:backbone|model|memory-store)\/|bin\/|bench\/)/;
    const files = [...nodes, ...filesOf('bin/**/*.ts')].filter((file) => !isSpec(file) && !allowed.test(file));
    const wrong = importsOfAll(files).filter(({ target, isTypeOnly }) => !isTypeOnly && adapters.includes(target));
    assert.deepEqual(told(wrong), []);
  });

  it('load heavy packages of the nodes on first use', () => {
    const wrong = importsOfAll(nodes).filter(
      ({ target, isTypeOnly, isLazy }) => heavy.test(target) && !isTypeOnly && !isLazy,
    );
    assert.deepEqual(told(wrong), []);
  });

  it('let no node load a heavy package by way of the engine when Node-RED starts', () => {
    const starts = nodes.filter((file) => /^nodes\/([^/]+)\/\1\.ts$/.test(file));
    const seen = new Set<string>();
    const wrong: string[] = [];
    const walk = (file: string, way: readonly string[]): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const { target, isTypeOnly, isLazy } of importsOf(file)) {
        if (isTypeOnly || isLazy) continue;
        if (heavy.test(target)) wrong.push([...way, file, target].join(' → '));
        else if (/^(?:engine|nodes)\//.test(target)) walk(target, [...way, file]);
      }
    };
    for (const file of starts) walk(file, []);
    assert.deepEqual(wrong, []);
  });

  it('let editor scripts import settings, the editor kit and each other only', () => {
    const allowed =
      /^(?:nodes\/[a-z-]+\/[a-z-]+\.(?:run\.)?(?:fields|editor)\.ts|nodes\/shared\/(?:fields|run\.fields|editor-kit)\.ts|nodes\/shared\/editor\/[a-z-]+\.ts|engine\/agent\/(?:agent-id|examples)\.ts)$/;
    const wrong = importsOfAll(nodes.filter(isEditor)).filter(
      ({ target, isTypeOnly }) => !isTypeOnly && !allowed.test(target),
    );
    assert.deepEqual(told(wrong), []);
  });

  it('never require a package of LangChain', () => {
    const wrong = [...engine, ...nodes].filter((file) => /\brequire\(\s*['"](?:@?lang)/.test(codeOf(file)));
    assert.deepEqual(wrong, []);
  });
});

describe('what the nodes hold', () => {
  const wiring = nodes.filter((file) => !isEditor(file));

  it('is no topic of other systems or of ours', () => {
    const topics = /es\/nachobrito|folkmoot\/v1\/|zigbee2mqtt\/|['"`]amica\//;
    assert.deepEqual(
      wiring.filter((file) => topics.test(codeOf(file))),
      [],
    );
  });

  it('is no prompt', () => {
    const prompts = /\bYou are\b|\bSystemMessage\b|\bHumanMessage\b|system prompt/i;
    assert.deepEqual(
      wiring.filter((file) => prompts.test(codeOf(file))),
      [],
    );
  });

  it('is no word of the starter home', () => {
    const words = /SetLight|SetTemperature|SetBlind|MowLawn|CollectWaste|kitchen_light|lawn_mower/;
    assert.deepEqual(
      wiring.filter((file) => words.test(codeOf(file))),
      [],
    );
  });
});
