/** What sensors tell, in words: how people ask for a property, and how its value is said. Names are Zigbee2MQTT's and Home Assistant's. */
import type { Scalar } from '../../moot.ts';

export interface Measure {
  /** What people call it; the value of the tool's parameter. */
  readonly name: string;
  /** Properties that tell it. */
  readonly kinds: readonly string[];
  /** Other words for it, at most eight. */
  readonly synonyms: readonly string[];
  /** Unit where the sensor says none. */
  readonly unit?: string;
  /** The value in words; absent: name, value and unit. */
  readonly said?: (value: Scalar, place: string) => string;
  /** What is asked, after "I don't know"; absent: its name. */
  readonly about?: (place: string) => string;
}

const isTrue = (value: Scalar): boolean =>
  typeof value === 'string' ? /^(on|true|open|yes|detected|1)$/i.test(value) : Boolean(value);
/** `#` stands for the place. */
const either =
  (yes: string, no: string) =>
  (value: Scalar, place: string): string =>
    (isTrue(value) ? yes : no).replaceAll('#', () => place);
const whether =
  (words: string) =>
  (place: string): string =>
    `whether ${words.replaceAll('#', () => place)}`;

export const measures: readonly Measure[] = [
  {
    name: 'temperature',
    kinds: ['temperature', 'local_temperature', 'current_temperature'],
    synonyms: ['warm', 'cold', 'hot', 'cool', 'degrees'],
    unit: '°C',
  },
  {
    name: 'set temperature',
    kinds: ['occupied_heating_setpoint', 'current_heating_setpoint', 'target_temperature'],
    synonyms: ['target temperature', 'thermostat', 'heating'],
    unit: '°C',
  },
  { name: 'humidity', kinds: ['humidity'], synonyms: ['humid', 'damp', 'moist'], unit: '%' },
  {
    name: 'light level',
    kinds: ['illuminance', 'illuminance_lux'],
    synonyms: ['illuminance', 'lux', 'bright', 'dark', 'daylight'],
    unit: 'lx',
  },
  {
    name: 'power',
    kinds: ['power'],
    synonyms: ['watts', 'electricity', 'consumption', 'power consumption', 'current', 'electric power'],
    unit: 'W',
  },
  { name: 'energy', kinds: ['energy'], synonyms: ['kilowatt hours', 'energy used'], unit: 'kWh' },
  {
    name: 'motion',
    kinds: ['occupancy', 'motion', 'presence'],
    synonyms: ['movement', 'somebody', 'someone', 'anybody', 'anyone', 'occupied', 'people'],
    said: either('somebody is in the #', 'nobody is in the #'),
    about: whether('somebody is in the #'),
  },
  {
    name: 'open or closed',
    kinds: ['contact'],
    synonyms: ['open', 'closed', 'shut'],
    // A contact that is made is a door that is closed.
    said: either('the # is closed', 'the # is open'),
    about: whether('the # is open'),
  },
  { name: 'position', kinds: ['position'], synonyms: ['how far open', 'far open'], unit: '%' },
  { name: 'battery', kinds: ['battery'], synonyms: ['battery level', 'charge', 'charged'], unit: '%' },
  { name: 'air pressure', kinds: ['pressure'], synonyms: ['pressure', 'barometer'], unit: 'hPa' },
  { name: 'carbon dioxide', kinds: ['co2'], synonyms: ['co2', 'air quality', 'stuffy'], unit: 'ppm' },
  {
    name: 'water leak',
    kinds: ['water_leak'],
    synonyms: ['leak', 'leaking'],
    said: either('there is a leak at the #', 'there is no leak at the #'),
    about: whether('there is a leak at the #'),
  },
  {
    name: 'smoke',
    kinds: ['smoke'],
    synonyms: ['fire'],
    said: either('there is smoke at the #', 'there is no smoke at the #'),
    about: whether('there is smoke at the #'),
  },
];
