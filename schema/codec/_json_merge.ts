/**
 * A second reading of a valid text in which a field stands twice: objects of one name are put together, of all else the
 * last one counts, as a decoder does that fills one object field by field.
 */
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";

/** Parses a text that {@linkcode JSON.parse} has accepted, of bounded depth. */
export function mergeDuplicates(text: string): Json {
  return new Reader(text).value(undefined);
}

const SPACE = /[ \t\n\r]*/y;
const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s,\]}:]+/y;
const INT64_LENGTH = 20;

class Reader {
  #at = 0;
  constructor(readonly text: string) {}

  /** The next value, put together with what stood under its name before. */
  value(before: Json | undefined): Json {
    const c = this.#peek();
    if (c === "{") return this.#map(isMap(before) ? before : {});
    if (c === "[") return this.#list();
    return scalar(this.#token());
  }

  #map(out: JsonMap): JsonMap {
    this.#at++;
    while (this.#peek() !== "}") {
      const key = JSON.parse(this.#token()) as string;
      this.#peek();
      this.#at++; // the colon
      const value = this.value(Object.hasOwn(out, key) ? out[key] : undefined);
      Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
      if (this.#peek() === ",") this.#at++;
    }
    this.#at++;
    return out;
  }

  #list(): Json[] {
    this.#at++;
    const out: Json[] = [];
    while (this.#peek() !== "]") {
      out.push(this.value(undefined));
      if (this.#peek() === ",") this.#at++;
    }
    this.#at++;
    return out;
  }

  #peek(): string {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.text);
    this.#at = SPACE.lastIndex;
    return this.text[this.#at]!;
  }

  #token(): string {
    TOKEN.lastIndex = this.#at;
    const [token] = TOKEN.exec(this.text)!;
    this.#at = TOKEN.lastIndex;
    return token;
  }
}

function scalar(token: string): Json {
  const value = JSON.parse(token) as Json;
  const exact = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(token);
  return exact && token.length <= INT64_LENGTH ? BigInt(token) : value;
}
