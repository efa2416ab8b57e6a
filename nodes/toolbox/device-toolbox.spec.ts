/** What my devices tell, heard on a bus and answered by words and rules in real Node-RED. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { functionsMadeBy } from '../../engine/devices/functions-of-devices.ts';
import { readZigbee2mqtt } from '../../engine/devices/zigbee2mqtt.ts';
import { load, nextAt, node, onTab, settle, until, type FlowNode } from '../../test/red/red.ts';
import { agent, aTeamOnWires, ends, modules as teamModules, router } from '../../test/red/team-flow.ts';
import { zigbeeHouse } from '../../test/zigbee-house.ts';
import busOut from '../bus-out/bus-out.ts';
import tools from '../tools/tools.ts';
import toolbox from './toolbox.ts';

const modules = [...teamModules, tools, toolbox, busOut] as never[];
const { devices } = readZigbee2mqtt(zigbeeHouse);
const functions = functionsMadeBy(devices);

describe('the toolbox of what my devices tell', function () {
  this.timeout(20_000);
  aTeamOnWires();
  const flow = (more: object = {}): FlowNode[] => [
    { id: 'lang', type: 'folkmoot-language', functions, devices },
    { id: 'b', type: 'folkmoot-backbone', storePath: ':memory:', house: randomUUID() },
    { id: 'box', type: 'folkmoot-toolbox', kind: 'devices', language: 'lang', backbone: 'b', ...more },
    ...onTab([
      router(['keeper']),
      agent('keeper', 'keeper', ['category:heating', 'category:lights'], { wires: [[], [], [], ['tools']] }),
      { id: 'tools', type: 'folkmoot-tools', toolbox: 'box', wires: [] },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'topic', backbone: 'b', wires: [] },
      ...ends,
    ]),
  ];
  const tell = (name: string, payload: object) =>
    node('out').receive({ topic: `zigbee2mqtt/${name}`, payload: JSON.stringify(payload) });
  const ask = async (text: string) => {
    const result = nextAt('result');
    node('router').receive({ payload: text });
    return String((await result).payload);
  };
  const statusOf = (id: string) =>
    ((node(id) as unknown as { status: { args: unknown[][] } }).status.args.at(-1)?.[0] ?? {}) as { text?: string };

  it('answers questions about what was told', async () => {
    await load(modules, flow());
    await until(() => /\bconnected/.test(statusOf('tools').text ?? ''));
    await settle();
    tell('bathroom radiator', { local_temperature: 19.5, occupied_heating_setpoint: 21 });
    await settle();
    assert.equal(
      await ask('how warm is the bathroom radiator?'),
      'The temperature of the bathroom radiator is 19.5 °C, told just now.',
    );
    assert.match(await ask('what is the target temperature of the bathroom radiator?'), /setpoint .* is 21 °C/);
    assert.match(await ask('how warm is the office radiator?'), /office radiator has not told its temperature yet/);
  });

  it('says what is missing where there are no devices', async () => {
    await load(modules, flow({ language: '' }));
    const said = () => (node('box') as unknown as { error: { args: unknown[][] } }).error.args.join();
    await until(() => /Add my devices/.test(said()));
  });
});
