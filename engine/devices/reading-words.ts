/** What two-valued sensors tell, in words. */

const words: Readonly<Record<string, readonly [on: string, off: string]>> = {
  contact: ['closed', 'open'],
  occupancy: ['somebody there', 'nobody there'],
  presence: ['somebody there', 'nobody there'],
  motion: ['motion', 'no motion'],
  water_leak: ['water', 'dry'],
  smoke: ['smoke', 'no smoke'],
  gas: ['gas', 'no gas'],
  carbon_monoxide: ['carbon monoxide', 'no carbon monoxide'],
  vibration: ['vibration', 'still'],
  battery_low: ['low', 'fine'],
  tamper: ['tampered with', 'untouched'],
};

/** @param name Of the property. */
export function wordsForReading(name: string, on: unknown, off: unknown): Readonly<Record<string, string>> {
  const [yes, no] = words[name] ?? ['on', 'off'];
  return { [String(on)]: yes, [String(off)]: no };
}

/** How people ask for it, besides its own name; a few, by what is told. */
export const askedFor: Readonly<Record<string, readonly string[]>> = {
  setpoint: ['target temperature', 'set temperature', 'thermostat'],
  temperature: ['how warm', 'how cold', 'how hot', 'how cool'],
  humidity: ['how humid', 'how damp', 'how moist'],
  illuminance: ['how bright', 'how dark', 'light level'],
  power: ['how much power', 'how much power use', 'how much electricity', 'how many watts'],
  energy: ['how much energy', 'how many kilowatt hours'],
  contact: ['is open', 'is closed', 'is shut'],
  occupancy: ['is anybody', 'is somebody', 'is anyone', 'is someone', 'motion'],
  presence: ['is anybody', 'is somebody', 'is anyone', 'is someone'],
  battery: ['how full'],
  co2: ['how much co2', 'carbon dioxide'],
  position: ['how far'],
};
