/** Many timers on one: things to do at a second or a little later. */

/** Something with a turn to come. */
export interface Turn {
  /** The second it waits for; kept by the wheel. */
  slot: number;
  turn(now: number): void;
}

/** See the top of the file. {@linkcode run} is called about once a second. */
export class Wheel {
  readonly #slots = new Map<number, Set<Turn>>();

  /** Calls `turn` once when `at` (ms, by the clock of {@linkcode run}) has passed. A thing has one turn at a time. */
  schedule(what: Turn, at: number): void {
    this.cancel(what);
    what.slot = Math.ceil(at / 1000);
    const slot = this.#slots.get(what.slot);
    if (slot === undefined) this.#slots.set(what.slot, new Set([what]));
    else slot.add(what);
  }

  cancel(what: Turn): void {
    const slot = this.#slots.get(what.slot);
    if (slot?.delete(what) && slot.size === 0) this.#slots.delete(what.slot);
    what.slot = 0;
  }

  /** Gives their turn to all whose time has come. */
  run(now: number): void {
    const due = [...this.#slots.keys()].filter((slot) => slot * 1000 <= now).sort((a, b) => a - b);
    for (const key of due) {
      const slot = this.#slots.get(key);
      this.#slots.delete(key);
      for (const what of slot ?? []) {
        // Another one's turn may have cancelled it, or put it off.
        if (what.slot !== key) continue;
        what.slot = 0;
        what.turn(now);
      }
    }
  }
}
