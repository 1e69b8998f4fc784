/** Several transformers behind prefixes: the first one writes, all whose prefix a value has are tried in order. */
import { aggregateText } from "../../../schema/values/aggregate_text.ts";
import { beginsWith } from "../../../schema/values/bytes.ts";
import { StorageError } from "../backend.ts";
import type { Opened, Parts, Transformer } from "./types.ts";

/** A transformer and how its values begin. An empty prefix is that of plain values. */
export interface Link {
  readonly prefix: Uint8Array;
  readonly transformer: Transformer;
}

/** See the top of the file. */
export class Chain implements Transformer {
  /** `none`: what is said of a value that begins like none. */
  constructor(readonly links: readonly Link[], readonly none: string) {}

  seal(plain: Uint8Array, key: string): Parts | Promise<Parts> {
    const { prefix, transformer } = this.links[0]!;
    const sealed = transformer.seal(plain, key);
    if (prefix.length === 0) return sealed;
    return sealed instanceof Promise ? sealed.then((s) => [prefix, ...s]) : [prefix, ...sealed];
  }

  open(stored: Uint8Array, key: string): Opened | Promise<Opened> {
    return this.#from(0, stored, key, []);
  }

  /** One prefix may be there several times, with different keys: a failure is not the end. */
  #from(start: number, stored: Uint8Array, key: string, errors: readonly Error[]): Opened | Promise<Opened> {
    const failures = [...errors];
    for (let i = start; i < this.links.length; i++) {
      const { prefix, transformer } = this.links[i]!;
      if (!beginsWith(stored, prefix)) continue;
      try {
        const opened = transformer.open(stored.subarray(prefix.length), key);
        if (!(opened instanceof Promise)) return aged(opened, i);
        return opened.then((o) => aged(o, i), (e) => this.#from(i + 1, stored, key, [...failures, asError(e)]));
      } catch (e) {
        // That a plain value looks encrypted is no failure of a provider after it.
        if (prefix.length > 0) failures.push(asError(e));
      }
    }
    throw failures.length === 0 ? new Error(this.none) : together(failures);
  }
}

function aged(opened: Opened, index: number): Opened {
  return index === 0 || opened.stale ? opened : { plain: opened.plain, stale: true };
}

function asError(e: unknown): Error {
  return e instanceof Error ? e : new Error(String(e));
}

/** If one of them may pass, all may. */
function together(errors: readonly Error[]): Error {
  const passing = errors.find((e) => e instanceof StorageError);
  if (passing) return passing;
  return new Error(aggregateText(errors.map((e) => e.message)), { cause: errors[0] });
}
