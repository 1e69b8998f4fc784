/** Objects that are to be shown, and their bytes in a form. */
import type { Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import type { Entry, Form } from "../cache/mod.ts";
import { encodeForm } from "../registry/entry_codec.ts";

/** What is to be shown: an entry of the cache, or an object of the storage version, with its entry when it was just written. */
export type Source = Entry | { readonly object: Obj; readonly entry?: Entry | undefined };

const isEntry = (s: Source): s is Entry => "revision" in s;

/** Bytes of a source in a form; of an entry, as the cache keeps them. That a writer is answered does not count as asking. */
export function formBytes(scheme: Scheme, source: Source, form: Form, passing = false): Uint8Array {
  if (isEntry(source)) return source.bytes(form, passing);
  return source.entry ? source.entry.bytes(form, true) : encodeForm(scheme, source.object, form);
}

/** Bytes that the forms of one list's objects may have and still count as asked for. */
const ASKED_OF_LIST = 16 << 20;

/**
 * The forms of a list's objects, one after the other. Those beyond the first part are taken in passing: a list that outgrows the
 * cache would push out all that others ask for, and fill memory for one answer. Readers beside each other still share them.
 */
export class ListForms {
  #given = 0;

  constructor(readonly scheme: Scheme, readonly form: Form) {}

  /** Whether what was given last counts as asked for no more. */
  get beyond(): boolean {
    return this.#given > ASKED_OF_LIST;
  }

  next(source: Source): Uint8Array {
    const bytes = formBytes(this.scheme, source, this.form, this.beyond);
    this.#given += bytes.length;
    return bytes;
  }
}
