/** The runtime with something around each of its calls. */
import type { Runtime } from "./types.ts";

/** Any call of the runtime. */
export type RuntimeCall = (...given: unknown[]) => Promise<unknown>;

/** The same runtime; `around` makes of each call, by its name, what is called in its place. Closing is none. */
export function throughCalls(
  runtime: Runtime,
  around: (name: Exclude<keyof Runtime, "close">, call: RuntimeCall) => RuntimeCall,
): Runtime {
  const { close, ...calls } = runtime;
  const all = Object.entries(calls).map(([name, call]) =>
    [name, around(name as keyof typeof calls, call.bind(runtime) as RuntimeCall)] as const
  );
  return { ...Object.fromEntries(all) as typeof calls, close: () => close.call(runtime) };
}
