/** The example "heat or save" itself, as it is imported: three runs, the thermostat is driven once, in the first. */
import assert from 'node:assert/strict';
import apply from '../apply/apply.ts';
import sense from '../sense/sense.ts';
import { modules as debateModules } from '../../test/red/debate-flow.ts';
import {
  arrivals,
  core,
  exampleFlow,
  load,
  node,
  settle,
  startServer,
  stopServer,
  unload,
  until,
} from '../../test/red/red.ts';

const { flow, named } = exampleFlow('9 - heat or save');

describe('the example “heat or save”', function () {
  this.timeout(20_000);
  before(startServer);
  after(stopServer);
  afterEach(unload);

  it('heats at 17 °C, leaves it at 20.5 °C, and at 19 °C nobody wins and nothing is sent', async () => {
    await load([...debateModules, apply, sense, ...core('inject')] as never[], flow);
    const thermostat = arrivals(named('thermostat'));
    const report = arrivals(named('what is said'));
    const none = arrivals(named('no decision'));
    const press = (button: string): void => node(named(button)).receive({});
    press('17 °C');
    await until(() => report.length === 1 && thermostat.length === 1);
    assert.deepEqual(thermostat[0]?.payload, { room: 'living_room', celsius: 21 });
    assert.equal(
      report[0]?.payload,
      'Heating the living room to 21 degrees.\nIt is cold.\nNot of that mind:\nCosts: Leave the heating as it is.',
    );
    press('20.5 °C');
    await until(() => report.length === 2);
    assert.equal(
      report[1]?.payload,
      'Leave the heating as it is. It is warm enough.\nNot of that mind:\nComfort: Heat the living room to 21 degrees.',
    );
    press('19 °C');
    await until(() => none.length === 1);
    assert.match(String(none[0]?.payload), /^There is no decision, so nothing is done\./);
    assert.deepEqual(
      [...report, ...none].map(({ moot }) => moot?.outcome),
      ['done', 'done', 'undecided'],
    );
    await settle(50);
    assert.deepEqual([thermostat.length, report.length], [1, 2]);
  });
});
