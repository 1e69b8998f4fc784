/** A seeded generator of numbers in [0, 1) (mulberry32): a failing property fails again. */
export function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ a >>> 15, a | 1);
    t = (t + Math.imul(t ^ t >>> 7, t | 61)) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}

/** One of a list. */
export function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}
