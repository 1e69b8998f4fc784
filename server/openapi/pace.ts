/** Long work in slices, between which other requests go on. */
import { pause } from "../pause.ts";

/** Characters of one slice: some 20 ms of making what they tell. */
const SLICE = 256 * 1024;

/** Tells long work when to rest. */
export class Pace {
  #left = SLICE;

  /** @param rests false: never */
  constructor(readonly rests: boolean = true) {}

  /** So many characters were made. A promise where it is time to rest: whoever awaits nothing else is not interrupted. */
  made(characters: number): Promise<void> | undefined {
    this.#left -= characters;
    if (this.#left > 0 || !this.rests) return undefined;
    this.#left = SLICE;
    return pause(0);
  }
}
