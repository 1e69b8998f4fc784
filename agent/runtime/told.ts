/** Tells the verbose of what the runtime is asked, without what goes over: that may hold secrets. */
import type { Verbose } from "../../schema/log/log.ts";
import type { Clock } from "../types.ts";
import { throughCalls } from "./through.ts";
import type { Runtime } from "./types.ts";

const LEVEL = 6;

/** The same runtime; each call is a line of module `runtime`, at its end. */
export function toldRuntime(runtime: Runtime, verbose: Verbose, clock: Clock): Runtime {
  return throughCalls(runtime, (name, call) => async (...given) => {
    const say = verbose("runtime", LEVEL);
    if (!say) return await call(...given);
    const began = clock.ticks();
    const over = (facts: object) => say(name, { latency: `${Math.round(clock.ticks() - began)}ms`, ...facts });
    try {
      const answer = await call(...given);
      over({});
      return answer;
    } catch (e) {
      over({ err: (e as Error).message });
      throw e;
    }
  });
}
