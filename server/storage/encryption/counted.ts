/** Counts what a resource's transformer does, by the prefix of the value. */
import { startsWith } from "./bytes.ts";
import type { Chain } from "./chain.ts";
import type { Opened, Parts, Transformer } from "./types.ts";

/** Adds one: `OK`, or `Unknown` for all that failed, and how long it took. */
export type CountTransformation = (
  resource: string,
  type: "to_storage" | "from_storage",
  prefix: string,
  status: "OK" | "Unknown",
  seconds: number,
) => void;

/** See the top of the file. `resource`: as in rules. */
export function counted(chain: Chain, resource: string, count: CountTransformation): Transformer {
  const names = chain.links.map(({ prefix }) => new TextDecoder().decode(prefix));
  const prefixOf = (stored: Uint8Array): string => {
    const i = chain.links.findIndex(({ prefix }) => startsWith(stored, prefix));
    return i < 0 ? "unknown" : names[i] || "identity";
  };
  const told = <T>(type: "to_storage" | "from_storage", prefix: string, run: () => T | Promise<T>): T | Promise<T> => {
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    const well = (value: T): T => {
      count(resource, type, prefix, "OK", seconds());
      return value;
    };
    const ill = (e: unknown): never => {
      count(resource, type, prefix, "Unknown", seconds());
      throw e;
    };
    try {
      const value = run();
      return value instanceof Promise ? value.then(well, ill) : well(value);
    } catch (e) {
      return ill(e);
    }
  };
  return {
    seal: (plain, key) => told<Parts>("to_storage", names[0]!, () => chain.seal(plain, key)),
    open: (stored, key) => told<Opened>("from_storage", prefixOf(stored), () => chain.open(stored, key)),
  };
}
