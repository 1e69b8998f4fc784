/** Work on many things, of which one that fails keeps no other from it. */

/** Does it with one after the other. @throws the first fault, after the last one */
export async function withEach<T>(all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const faults: unknown[] = [];
  for (const one of all) {
    try {
      await work(one);
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
}
