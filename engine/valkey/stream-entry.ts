/** Entries of a stream as ioredis gives them. */

export interface StreamEntry {
  readonly id: string;
  /** Values as bytes; of a repeated name the last one. */
  readonly fields: Readonly<Record<string, Buffer>>;
}

type RawEntry = readonly [Buffer, readonly Buffer[] | null];

/** Entries that were trimmed away while they were pending have no fields; they come without. */
export function entriesOf(raw: unknown): StreamEntry[] {
  return ((raw ?? []) as readonly (RawEntry | null)[]).flatMap((entry) => {
    if (!entry) return [];
    const [id, values] = entry;
    const fields: Record<string, Buffer> = {};
    for (let at = 0; values && at + 1 < values.length; at += 2) {
      const [name, value] = [values[at], values[at + 1]];
      if (name && value) fields[name.toString()] = value;
    }
    return [{ id: id.toString(), fields }];
  });
}

/** What XREADGROUP gives for its one stream. */
export function entriesRead(raw: unknown): StreamEntry[] {
  const [first] = (raw ?? []) as readonly (readonly [Buffer, unknown])[];
  return first ? entriesOf(first[1]) : [];
}
