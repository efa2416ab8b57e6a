/** What people are told of a memory: plain words, with the remembered text as it was said. */
import type { Forgotten, MemoryRecord } from './memory.ts';
import type { Recalled } from './recall.ts';

const quoted = ({ text }: MemoryRecord): string => `“${text}”`;
const listed = (records: readonly MemoryRecord[]): string => records.map((record) => `\n– ${quoted(record)}`).join('');

export const nothingRecalled = 'I don’t remember anything about that.';

export const rememberedWords = ({
  record,
  isNew,
}: {
  readonly record: MemoryRecord;
  readonly isNew: boolean;
}): string => (isNew ? `I will remember: ${quoted(record)}.` : `I remember that already: ${quoted(record)}.`);

/** What surely fits; else what may, and that it is not sure. */
export function recalledWords(found: readonly Recalled[]): string {
  const sure = found.filter(({ isSure }) => isSure);
  const told = (sure.length ? sure : found).map(({ record }) => record);
  const [first, ...more] = told;
  if (!first) return nothingRecalled;
  const opening = sure.length ? 'You told me:' : 'I am not sure that this is it, but you told me:';
  return more.length ? `${opening}${listed(told)}` : `${opening} ${quoted(first)}.`;
}

/** Before all of it is gone for good. */
function askedBack([first, ...more]: readonly MemoryRecord[]): string {
  if (!first) return nothingRecalled;
  if (more.length === 0) return `Shall I forget the one thing that you told me: ${quoted(first)}?`;
  return `Shall I forget all ${more.length + 1} things that you told me? They would be gone for good.`;
}

export function forgottenWords({ forgotten, candidates, asksBack, isLate }: Forgotten): string {
  if (isLate) return 'I have forgotten nothing: I did not ask you that here, or it was too long ago.';
  if (asksBack) return askedBack(candidates);
  const [first, ...more] = forgotten;
  if (first)
    return more.length ? `I have forgotten all of this:${listed(forgotten)}` : `I have forgotten ${quoted(first)}.`;
  if (candidates.length)
    return `I remember ${candidates.length} things about that. Which of them shall I forget?${listed(candidates)}`;
  return 'I don’t remember anything about that, so there is nothing to forget.';
}
