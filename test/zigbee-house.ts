/** A small house as Zigbee2MQTT lists it: written for specs after its published format. */

const on = { property: 'state', name: 'state', type: 'binary', access: 7, value_on: 'ON', value_off: 'OFF' };
const numeric = (name: string, more: object = {}) => ({ type: 'numeric', name, property: name, access: 1, ...more });
const binary = (name: string, more: object = {}) => ({
  ...{ type: 'binary', name, property: name, access: 1, value_on: true, value_off: false },
  ...more,
});
let address = 0;
const device = (friendly_name: string, description: string, exposes: readonly object[], more: object = {}) => ({
  ieee_address: `0x00158d000000${(address += 1).toString(16).padStart(4, '0')}`,
  ...{ type: 'Router', supported: true, disabled: false, interview_completed: true, friendly_name },
  definition: { model: 'M1', vendor: 'V', description, exposes: [...exposes, numeric('linkquality', { unit: 'lqi' })] },
  ...more,
});
const brightness = { ...numeric('brightness'), access: 7, value_min: 0, value_max: 254 };
const white = { ...numeric('color_temp'), access: 7, unit: 'mired', value_min: 150, value_max: 500 };
const colour = {
  ...{ type: 'composite', name: 'color_xy', property: 'color', access: 7 },
  features: [numeric('x', { access: 7 }), numeric('y', { access: 7 })],
};
const setpoint = (value_min: number, value_max: number) =>
  numeric('occupied_heating_setpoint', { access: 7, unit: '°C', value_min, value_max, value_step: 0.5 });
const mode = { type: 'enum', name: 'system_mode', property: 'system_mode', access: 7, values: ['off', 'auto', 'heat'] };
const valve = (name: string, min: number, max: number) =>
  device(name, 'Thermostatic radiator valve', [
    { type: 'climate', features: [setpoint(min, max), numeric('local_temperature', { unit: '°C' }), mode] },
    {
      type: 'lock',
      features: [{ ...binary('child_lock'), access: 7, value_on: 'LOCK', value_off: 'UNLOCK', name: 'state' }],
    },
    numeric('battery', { unit: '%' }),
  ]);
const moving = { type: 'enum', name: 'state', property: 'state', access: 3, values: ['OPEN', 'CLOSE', 'STOP'] };
const position = numeric('position', { access: 7, unit: '%', value_min: 0, value_max: 100 });
const gang = (endpoint: string) => ({
  ...{ type: 'switch', endpoint },
  features: [{ ...on, property: `state_${endpoint}`, endpoint }],
});

export const zigbeeHouse: readonly object[] = [
  {
    ieee_address: '0x00',
    type: 'Coordinator',
    friendly_name: 'Coordinator',
    interview_completed: true,
    definition: null,
  },
  device('kitchen/ceiling', 'Bulb, white', [{ type: 'light', features: [on, brightness, white] }]),
  device('living_room_lamp', 'Bulb, colour', [{ type: 'light', features: [on, brightness, white, colour] }]),
  device('Küche Spüle', 'Bulb', [{ type: 'light', features: [on, brightness] }]),
  device('coffee plug', 'Smart plug', [{ type: 'switch', features: [on] }, numeric('power', { unit: 'W' })]),
  device('hall switch', 'Two gang wall switch', [gang('left'), gang('right')]),
  device('bedroom/blind', 'Roller shade', [{ type: 'cover', features: [moving, position] }]),
  device('garage', 'Garage door opener', [{ type: 'cover', features: [moving] }]),
  valve('bathroom radiator', 5, 30),
  valve('office radiator', 8, 25),
  device('front door', 'Door lock', [{ type: 'lock', features: [{ ...on, value_on: 'LOCK', value_off: 'UNLOCK' }] }]),
  device('attic siren', 'Siren', [
    {
      ...{ type: 'composite', name: 'warning', property: 'warning', access: 2 },
      features: [{ type: 'enum', name: 'mode', property: 'mode', access: 2, values: ['stop', 'burglar', 'fire'] }],
    },
  ]),
  device('water main', 'Water valve', [{ type: 'switch', features: [on] }]),
  device('kitchen window', 'Contact sensor', [
    binary('contact', { value_on: false, value_off: true }),
    numeric('battery', { unit: '%' }),
  ]),
  device('bath climate', 'Temperature sensor', [
    numeric('temperature', { unit: '°C' }),
    numeric('humidity', { unit: '%' }),
  ]),
  device('old one', 'Bulb', [{ type: 'light', features: [on] }], { disabled: true }),
  device('new one', 'Bulb', [{ type: 'light', features: [on] }], { interview_completed: false }),
  device('stranger', 'x', [], { supported: false, definition: null }),
];
