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
