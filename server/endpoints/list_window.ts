/** Forms that long lists share with each other, in one array that is written round and round: they leave nothing to collect. */
import type { Entry, Form } from "../cache/mod.ts";

/** What it gave stands while no more bytes than this are asked for, and one more form. */
export const STANDS = 256 << 10;
/** Bytes of the array. */
const WINDOW = 16 << 20;
/** A longer form is made each time. */
const LONGEST = 2 << 20;
/** Forms that so much more would overwrite are taken for gone: {@linkcode STANDS}, one more form, and the gap that it may leave at the end. */
const SOON_GONE = STANDS + 2 * LONGEST;

/** Where a form stands: positions count on, the array's length is their modulus. */
interface Place {
  readonly form: string;
  readonly at: number;
  readonly length: number;
}

/** See the top of the file. Bytes that it gives are overwritten later: to be copied in the same turn, as {@linkcode STANDS} says. */
export class ListWindow {
  static #current: WeakRef<ListWindow> | undefined;
  readonly #bytes = new Uint8Array(WINDOW);
  /** In the order of their positions. */
  readonly #places = new Map<Entry, Place>();
  #end = 0;

  /** The one that other lists hold at the moment. It is gone when the last of them is. */
  static shared(): ListWindow {
    const current = ListWindow.#current?.deref();
    if (current) return current;
    const fresh = new ListWindow();
    ListWindow.#current = new WeakRef(fresh);
    return fresh;
  }

  /** The object in a form. @throws Entry.error */
  take(entry: Entry, form: Form): Uint8Array {
    const place = this.#places.get(entry);
    if (place?.form === form.key && this.#lives(place, SOON_GONE)) return this.#read(place);
    const bytes = entry.made(form);
    return bytes.length > LONGEST ? bytes : this.#write(entry, form.key, bytes);
  }

  #lives({ at }: Place, more: number): boolean {
    return this.#end + more <= at + WINDOW;
  }

  #read({ at, length }: Place): Uint8Array {
    const start = at % WINDOW;
    return this.#bytes.subarray(start, start + length);
  }

  #write(entry: Entry, form: string, bytes: Uint8Array): Uint8Array {
    const { length } = bytes, left = WINDOW - this.#end % WINDOW;
    const place = { form, at: this.#end + (left < length ? left : 0), length };
    this.#end = place.at + length;
    for (const [other, old] of this.#places) {
      if (this.#lives(old, 0)) break;
      this.#places.delete(other);
    }
    this.#places.delete(entry);
    this.#places.set(entry, place);
    const into = this.#read(place);
    into.set(bytes);
    return into;
  }
}
