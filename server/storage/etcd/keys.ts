/** Keys of the store and keys in etcd. */
import { orderKey } from "../../../schema/values/utf8.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Objects lie under `<prefix>/`, facts about the store under `<prefix>.meta/`, right beside, so that one watch has both.
 * A key of the store starts with `root`, for which `prefix` stands in etcd.
 */
export class Keys {
  readonly #objects: string;
  readonly #meta: string;
  readonly #root: string;
  /** What is watched, from and to. */
  readonly watched: readonly [Uint8Array, Uint8Array];
  /** That, in words. */
  readonly span: string;

  constructor(prefix: string, root: string) {
    const name = prefix.replace(/\/+$/, "");
    this.#objects = `${name}/`;
    this.#meta = `${name}.meta/`;
    this.#root = root === "" ? "" : `${root.replace(/\/+$/, "")}/`;
    this.watched = [encoder.encode(this.#meta), endOf(encoder.encode(this.#objects))];
    this.span = this.watched.map((key) => decoder.decode(key)).join(" to ");
  }

  /** @throws TypeError when the key is not under the root */
  object(key: string): Uint8Array {
    if (!key.startsWith(this.#root)) throw new TypeError(`key ${JSON.stringify(key)} is not under ${this.#root}`);
    return encoder.encode(this.#objects + key.slice(this.#root.length));
  }

  meta(name: string): Uint8Array {
    return encoder.encode(this.#meta + name);
  }

  /** The range of a prefix after a key; undefined when nothing can be there. */
  range(prefix: string, after?: string): [from: Uint8Array, to: Uint8Array] | undefined {
    const under = prefix.startsWith(this.#root) ? prefix : this.#root.startsWith(prefix) ? this.#root : undefined;
    if (under === undefined) return undefined;
    const start = this.object(under);
    const end = endOf(start);
    if (after === undefined || orderKey(after) < orderKey(under)) return [start, end];
    return after.startsWith(under) ? [this.object(`${after}\0`), end] : undefined;
  }

  /** What a key in etcd is; undefined for one that this store would not write, such as bytes that are no UTF-8. */
  read(key: Uint8Array): { object: string } | { meta: string } | undefined {
    const text = textOf(key);
    if (text === undefined) return undefined;
    if (text.startsWith(this.#objects)) return { object: this.#root + text.slice(this.#objects.length) };
    return text.startsWith(this.#meta) ? { meta: text.slice(this.#meta.length) } : undefined;
  }
}

function textOf(key: Uint8Array): string | undefined {
  try {
    return decoder.decode(key);
  } catch {
    return undefined;
  }
}

/** The first key after all that start with these bytes, which are of a text: none of them is the last that there is. */
function endOf(prefix: Uint8Array): Uint8Array {
  const end = prefix.slice();
  end[end.length - 1]!++;
  return end;
}
