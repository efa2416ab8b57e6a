/** Runs what it is given one after the other, in that order; what fails keeps nothing else from its turn. */
export function createInTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const end = last.then(work);
    last = end.catch(() => undefined);
    return end;
  };
}
