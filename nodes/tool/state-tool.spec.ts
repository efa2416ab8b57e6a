/** What sensors told last, asked of an agent in words, in real Node-RED. */
import assert from 'node:assert/strict';
import { load, nextAt, node, onTab, startServer, stopServer, unload, type FlowNode } from '../../test/red/red.ts';
import { agent, config, ends, modules as teamModules } from '../../test/red/team-flow.ts';
import sense from '../sense/sense.ts';
import tool from './tool.ts';

const modules = [...teamModules, sense, tool] as never[];

describe('the tool that tells what sensors told', function () {
  this.timeout(30_000);
  before(startServer);
  after(stopServer);
  afterEach(unload);

  const flow = (more: object = {}): FlowNode[] => [
    { id: 'b', type: 'folkmoot-backbone', storePath: ':memory:', house: 'test' },
    ...config(),
    ...onTab([
      { id: 'sense', type: 'folkmoot-sense', backbone: 'b', ignoreFirstSeconds: 3600, wires: [[], []] },
      agent('watcher', 'watcher', [], { backbone: 'b', wires: [['result'], ['fallback'], [], ['state']] }),
      { id: 'state', type: 'folkmoot-tool', builtIn: 'state', backbone: 'b', ...more, wires: [[]] },
      ...ends,
    ]),
  ];
  const asked = async (text: string): Promise<string> => {
    const result = nextAt('result');
    node('watcher').receive({ payload: text });
    return String((await result).payload);
  };
  const tell = (topic: string, payload: object) => node('sense').receive({ topic, payload });

  it('answers with value, unit and age, and says what it does not know', async () => {
    await load(modules, flow());
    assert.match(await asked('how warm is it in the kitchen?'), /^Sorry/);
    tell('zigbee2mqtt/kitchen_sensor', { temperature: { value: 21.5, unit: '°C' }, occupancy: true });
    let said = '';
    // The sense node hands it on when its connections stand.
    for (let tries = 0; tries < 50 && !said.includes('21.5'); tries += 1)
      said = await asked('how warm is the kitchen?');
    assert.equal(said, 'The temperature of the kitchen is 21.5 °C, told just now.');
    assert.equal(await asked('is somebody in the kitchen?'), 'Somebody is in the kitchen, told just now.');
    assert.equal(
      await asked('how humid is it in the kitchen?'),
      'I don’t know the humidity of the kitchen: nothing has told it yet.',
    );
    tell('zigbee2mqtt/kitchen_sensor', { temperature: { value: 22, unit: '°C' } });
    assert.match(await asked('what is the temperature in the kitchen?'), /22 °C/);
  });

  it('tells only what it is limited to', async () => {
    await load(modules, flow({ properties: ['occupancy'] }));
    tell('zigbee2mqtt/kitchen_sensor', { temperature: 21, occupancy: false });
    let said = '';
    for (let tries = 0; tries < 50 && !said.includes('kitchen'); tries += 1)
      said = await asked('is anybody in the kitchen?');
    assert.equal(said, 'Nobody is in the kitchen, told just now.');
    assert.match(await asked('how warm is the kitchen?'), /^Sorry/);
  });
});
