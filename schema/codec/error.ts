import { ValueError } from "../values/error.ts";

/** A value of one type where another is wanted. */
export interface Mismatch {
  /** Place of the field, such as `metadata.labels`; empty for the whole body. */
  readonly path: string;
  /** JSON type of what is there. */
  readonly found: string;
  /** Go type of the field, such as `map[string]string`. */
  readonly wanted: string;
}

/** A body that is not of its kind: wrong types, broken encoding, beyond a limit. The message is fit for a client. */
export class DecodeError extends ValueError {
  override readonly name: string = "DecodeError";
  readonly mismatch?: Mismatch;

  constructor(message: string, options: ErrorOptions & { readonly mismatch?: Mismatch } = {}) {
    super(message, options);
    if (options.mismatch) this.mismatch = options.mismatch;
  }
}

/** Runs a recursive decoder; running out of stack counts as nesting too deep. @throws DecodeError */
export function bounded<T>(work: () => T): T {
  try {
    return work();
  } catch (err) {
    if (err instanceof RangeError && /call stack/i.test(err.message)) throw new DecodeError("exceeded max depth");
    throw err;
  }
}
