/** Calls as estimates see them, and what comes of an estimate. */
import type { Core, CoreCall } from "./core.ts";
import type { Size } from "./cost_size.ts";
import type { Meaning } from "./meaning.ts";
import type { Type } from "./types.ts";

/** What a call costs at most, besides its arguments, and how large its result is where that is known. */
export interface CallCost {
  readonly cost: number;
  readonly size?: Size;
}

/** An argument, or what a member function is called on. */
export interface Operand {
  readonly node: Core | undefined;
  readonly type: Type;
  /** Size where anything tells it, else unknown. */
  readonly size: Size;
}

/** A call that is looked at. `items`: whichever item of the list that `on` is. */
export interface Called {
  readonly call: CoreCall;
  readonly meaning: Meaning;
  readonly on: Operand | undefined;
  readonly args: readonly Operand[];
  readonly items: () => Operand | undefined;
}
