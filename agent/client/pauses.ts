/** Pauses between attempts. */
import { fraction, type RandomBytes } from "../../schema/values/random.ts";

/** Pauses that grow while things fail. */
export interface Pauses {
  /** The next pause, ms. */
  next(): number;
  /** It went well: the next pause is the first one again. */
  reset(): void;
}

/** Pauses that double from one bound to the other, ms; each is longer than that by a random part, at most half of it. */
export function growing(from: number, to: number, random: RandomBytes): Pauses {
  let ms = from;
  return {
    next() {
      const pause = ms * (1 + fraction(random) / 2);
      ms = Math.min(ms * 2, to);
      return Math.min(pause, to);
    },
    reset: () => void (ms = from),
  };
}
