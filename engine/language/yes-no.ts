/** Whether a reply is a plain yes or no, for what is done only after one: in case of doubt it is neither. */

const yes = new Set(
  `yes, yes please, yes do, yes do it, yes do that, yes forget it, yes forget them, yes forget everything, yes forget all,
  yes go ahead, yeah, yep, yup, sure, ok, okay, go ahead, do it, do that, please do`
    .split(',')
    .map((words) => words.trim()),
);
const no = new Set(
  `no, no thanks, no thank you, nope, nah, no do not, no don't, don't, do not, please don't, don't do it, do not do it,
  don't do that, better not, rather not, never mind, leave it, keep it, keep them, keep everything, cancel, stop`
    .split(',')
    .map((words) => words.trim()),
);

/** Nothing: it is neither. */
export function yesOrNo(text: string): 'yes' | 'no' | undefined {
  const words = text
    .slice(0, 100)
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^a-z']+/g, ' ')
    .trim();
  return yes.has(words) ? 'yes' : no.has(words) ? 'no' : undefined;
}
