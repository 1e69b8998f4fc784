/** One order of names from several lists of them. */

/** What comes after a name, and how many names come just before it. */
interface Place {
  readonly next: Set<string>;
  before: number;
}

/**
 * All names of the lists, each once, in an order that keeps that of every list: the first list that has all of them, else
 * names without anything before them in the order of their text. Lists that contradict one another: all in the order of
 * their text.
 */
export function mergedOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const places = placesOf(lists);
  const whole = lists.find((list) => list.length === places.size && new Set(list).size === list.length);
  if (whole) return whole;
  const free = [...places].filter(([, place]) => place.before === 0).map(([name]) => name);
  const out: string[] = [];
  while (free.length > 0) {
    const name = free.splice(leastOf(free), 1)[0]!;
    out.push(name);
    for (const next of places.get(name)!.next) {
      if (--places.get(next)!.before === 0) free.push(next);
    }
  }
  return out.length === places.size ? out : [...places.keys()].sort();
}

function placesOf(lists: readonly (readonly string[])[]): Map<string, Place> {
  const places = new Map<string, Place>();
  const at = (name: string): Place => {
    let place = places.get(name);
    if (!place) places.set(name, place = { next: new Set(), before: 0 });
    return place;
  };
  for (const list of lists) {
    list.forEach((name, i) => {
      const { next } = at(name), follower = list[i + 1];
      if (follower === undefined || next.has(follower)) return;
      next.add(follower);
      at(follower).before++;
    });
  }
  return places;
}

function leastOf(names: readonly string[]): number {
  let least = 0;
  for (let i = 1; i < names.length; i++) if (names[i]! < names[least]!) least = i;
  return least;
}
