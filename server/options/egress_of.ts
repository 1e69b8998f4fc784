/** The one set of ways of a process's options: made where it is first asked for, loaded only where there is a file. */
import type { Egress } from "./egress.ts";
import type { Options } from "./parse.ts";

const MADE = new WeakMap<Options, Promise<Egress>>();

/** Undefined without `--egress-selector-config-file`: all is reached directly. @throws Error for a file that cannot be used */
export async function egressOf(options: Options): Promise<Egress | undefined> {
  if (options.egressSelectorConfigFile === "") return undefined;
  let made = MADE.get(options);
  if (!made) MADE.set(options, made = import("./egress.ts").then(({ openEgress }) => openEgress(options)));
  return await made;
}
