/**
 * Framed bytes of events and batches, each made once for all watchers that see the same.
 *
 * Kept in two generations: what was asked for since the younger began stays, the rest goes when the younger is full. So
 * the bytes are bounded, and nothing lives longer than it is of use.
 */
import { concat } from "../../schema/values/bytes.ts";
import type { Form, Framing, WatchBatch, WatchEvent } from "./types.ts";

type Made = Map<string, Uint8Array>;

/** See the top of the file. */
export class Frames {
  #young = new Map<object, Made>();
  #old = new Map<object, Made>();
  #youngBytes = 0;
  #oldBytes = 0;
  /** Lengths of events, by their batch's bytes. */
  readonly #lengths = new WeakMap<Uint8Array, readonly number[]>();

  constructor(readonly limit: number) {}

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  /** One event on the wire. @throws what encoding the object throws */
  encodeEvent(event: WatchEvent, form: Form, framing: Framing): Uint8Array {
    return this.#once(event, form, framing, () => concat(framing.parts(event, form)));
  }

  /** All events of a batch on the wire. @throws what encoding an object throws */
  batchBytes(batch: WatchBatch, form: Form, framing: Framing): Uint8Array {
    const { events } = batch;
    const first = events[0];
    if (first === undefined) return new Uint8Array(0);
    if (events.length === 1) return this.encodeEvent(first, form, framing);
    return this.#once(events, form, framing, () => {
      const parts = events.map((event) => framing.parts(event, form)), bytes = concat(parts.flat());
      this.#lengths.set(bytes, parts.map(lengthOf));
      return bytes;
    });
  }

  /** How long each event of a batch is in its {@linkcode batchBytes}; undefined where there is but one. */
  lengthsIn(bytes: Uint8Array): readonly number[] | undefined {
    return this.#lengths.get(bytes);
  }

  /** Starts a new generation; what nobody asks for until the next is forgotten. */
  turn(): void {
    this.#old = this.#young;
    this.#oldBytes = this.#youngBytes;
    this.#young = new Map();
    this.#youngBytes = 0;
  }

  #once(of: object, form: Form, framing: Framing, make: () => Uint8Array): Uint8Array {
    const key = `${form.key} ${framing.key}`;
    const known = this.#young.get(of)?.get(key);
    if (known !== undefined) return known;
    const bytes = this.#old.get(of)?.get(key) ?? make();
    const made = this.#young.get(of);
    if (made === undefined) this.#young.set(of, new Map([[key, bytes]]));
    else made.set(key, bytes);
    this.#youngBytes += bytes.byteLength;
    if (this.#youngBytes > this.limit / 2) this.turn();
    return bytes;
  }
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((n, part) => n + part.length, 0);
}
