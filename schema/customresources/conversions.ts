/**
 * Conversions of custom objects that somebody else makes, and that take a while. What works on objects is not made to wait
 * for them: it runs, notes which ones it misses, and runs again when they are there. Only pure work is run so.
 */
import { copyTree } from "../values/copy.ts";
import { stringifyJson } from "../codec/json.ts";
import type { Json, Kind, Obj } from "../model/types.ts";
import { internal } from "../status.ts";

/** How often work is run again at most: each time it may come upon conversions that it did not get to before. */
const ROUNDS = 16;

/** What was converted for one piece of work. */
interface Known {
  readonly done: Map<string, Obj | Error>;
  readonly missing: Map<string, { readonly object: Obj; readonly to: Kind }>;
}

/** The conversions of the work that runs just now. Work is synchronous: no other one sees them. */
let current: Known | undefined;

const keyOf = (object: Obj, to: Kind): string => `${to.apiVersion} ${stringifyJson(object as Json)}`;

/** An object as another version, made for this work before. @throws Error where it is not yet made, or could not be */
export function converted(object: Obj, to: Kind): Obj {
  const key = current && keyOf(object, to), found = current?.done.get(key!);
  if (found instanceof Error) throw found;
  if (found) return copyTree(found);
  current?.missing.set(key!, { object, to });
  throw internal(
    `objects of ${object.apiVersion} cannot be shown as ${to.apiVersion} here: their conversion takes a call`,
  );
}

/** Runs work until it has all conversions that it needs. `work` is pure, and may be run many times. @throws what it throws */
export async function converting<T>(work: () => T, signal?: AbortSignal): Promise<T> {
  const known: Known = { done: new Map(), missing: new Map() };
  for (let round = 0;; round++) {
    const outcome = attempt(known, work);
    if (known.missing.size === 0 || round === ROUNDS) {
      if (outcome.failed) throw outcome.error;
      return outcome.value;
    }
    for (const [key, { object, to }] of known.missing) known.done.set(key, await convertOne(object, to, signal));
    known.missing.clear();
  }
}

type Outcome<T> = { readonly failed: true; readonly error: unknown } | { readonly failed: false; readonly value: T };

function attempt<T>(known: Known, work: () => T): Outcome<T> {
  const outer = current;
  current = known;
  try {
    return { failed: false, value: work() };
  } catch (error) {
    return { failed: true, error };
  } finally {
    current = outer;
  }
}

async function convertOne(object: Obj, to: Kind, signal: AbortSignal | undefined): Promise<Obj | Error> {
  try {
    return (await to.custom!.converter!([object], to, signal))[0]!;
  } catch (e) {
    return e instanceof Error ? e : new Error(String(e));
  }
}
