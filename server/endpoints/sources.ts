/** Objects that are to be shown, and their bytes in a form. */
import type { Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import type { Entry, Form } from "../cache/mod.ts";
import { encodeForm } from "../registry/entry_codec.ts";
import { ListWindow } from "./list_window.ts";

/** What is to be shown: an entry of the cache, or an object of the storage version, with its entry when it was just written. */
export type Source = Entry | { readonly object: Obj; readonly entry?: Entry | undefined };

const isEntry = (s: Source): s is Entry => "revision" in s;

/** Bytes of a source in a form; of an entry, as the cache keeps them. That a writer is answered does not count as asking. */
export function formBytes(scheme: Scheme, source: Source, form: Form): Uint8Array {
  if (isEntry(source)) return source.bytes(form);
  return source.entry ? source.entry.bytes(form, true) : encodeForm(scheme, source.object, form);
}

/** Stored bytes of a list's objects up to which their forms count as asked for. */
const ASKED_OF_LIST = 16 << 20;

/**
 * The forms of a list's objects. Those of a longer list are not kept: it would push out all that others ask for, and fill memory for one
 * answer. Readers beside each other share them by a {@linkcode ListWindow}.
 */
export class ListForms {
  readonly #window: ListWindow | undefined;

  constructor(readonly scheme: Scheme, readonly form: Form, sources: readonly Source[]) {
    if (isLong(sources)) this.#window = ListWindow.shared();
  }

  /** Whether what it gives is to be copied before more is asked for, as {@linkcode ListWindow} says. */
  get fleeting(): boolean {
    return this.#window !== undefined;
  }

  of(source: Source): Uint8Array {
    return this.#window && isEntry(source)
      ? this.#window.take(source, this.form)
      : formBytes(this.scheme, source, this.form);
  }
}

function isLong(sources: readonly Source[]): boolean {
  let left = ASKED_OF_LIST;
  for (const source of sources) if (isEntry(source) && (left -= source.size) < 0) return true;
  return false;
}
