/** Counts what a resource's transformer does, by the prefix of the value. */
import { beginsWith } from "../../../schema/values/bytes.ts";
import type { Chain } from "./chain.ts";
import type { Transformer } from "./types.ts";

/** Counts values of one resource, direction and prefix. */
export interface Tally {
  succeeded(seconds: number): void;
  /** `status`: the name of a gRPC status (`FailedPrecondition`), or that it was no service that failed. */
  failed(status: string): void;
}

/** The tally of such values; the same one for the same arguments. */
export type TallyOf = (resource: string, type: "to_storage" | "from_storage", prefix: string) => Tally;

/** See the top of the file. `resource`: as in rules. */
export function counted(chain: Chain, resource: string, tallyOf: TallyOf): Transformer {
  const names = chain.links.map(({ prefix }) => new TextDecoder().decode(prefix));
  const written = tallyOf(resource, "to_storage", names[0]!);
  const read = names.map((name) => tallyOf(resource, "from_storage", name || "identity"));
  const readOf = (stored: Uint8Array): Tally =>
    read[chain.links.findIndex(({ prefix }) => beginsWith(stored, prefix))] ??
      tallyOf(resource, "from_storage", "unknown");
  return {
    seal: (plain, key) => told(written, () => chain.seal(plain, key)),
    open: (stored, key) => told(readOf(stored), () => chain.open(stored, key)),
  };
}

function told<T>(tally: Tally, run: () => T | Promise<T>): T | Promise<T> {
  const started = performance.now();
  const well = (value: T): T => {
    tally.succeeded((performance.now() - started) / 1000);
    return value;
  };
  const ill = (e: unknown): never => {
    tally.failed(statusOf(e));
    throw e;
  };
  try {
    const value = run();
    return value instanceof Promise ? value.then(well, ill) : well(value);
  } catch (e) {
    return ill(e);
  }
}

/** What a service failed with, which is one of the error's causes. */
function statusOf(error: unknown): string {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ("status" in e && typeof e.status === "string") return e.status;
  }
  return "unknown-non-grpc";
}
