/** Callers like others. */
import type { Caller } from "./context.ts";

/** A caller with some members of its own. What a request's caller makes when it is asked for it, a plain copy would not have. */
export const callerWith = (caller: Caller, own: Partial<Caller>): Caller => ({
  ...caller,
  get signal() {
    return caller.signal;
  },
  endsAt: caller.endsAt,
  span: caller.span,
  waited: (ms) => caller.waited?.(ms),
  traceHeaders: () => caller.traceHeaders?.() ?? {},
  ...own,
});
