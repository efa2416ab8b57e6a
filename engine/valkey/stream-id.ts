/** Ids of stream entries: `<milliseconds>-<sequence>`. */

const partsOf = (id: string): readonly [bigint, bigint] => {
  const [ms = '0', sequence = '0'] = id.split('-');
  return [BigInt(ms), BigInt(sequence)];
};

/** True when `a` came after `b`. */
export function isLater(a: string, b: string): boolean {
  const [[aMs, aSequence], [bMs, bSequence]] = [partsOf(a), partsOf(b)];
  return aMs === bMs ? aSequence > bSequence : aMs > bMs;
}
