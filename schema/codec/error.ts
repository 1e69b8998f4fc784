import { ValueError } from "../values/error.ts";

/** A body that is not of its kind: wrong types, broken encoding, beyond a limit. The message is fit for a client. */
export class DecodeError extends ValueError {
  override readonly name: string = "DecodeError";
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
