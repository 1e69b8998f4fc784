/** Headers of a request, read once: each look-up of the runtime's own goes through its native side. */
import type { RequestHeaders } from "../request_headers.ts";

class Read implements RequestHeaders {
  readonly #names: string[] = [];
  readonly #values: string[] = [];

  constructor(headers: Headers) {
    headers.forEach((value, name) => {
      this.#names.push(name);
      this.#values.push(value);
    });
  }

  get(name: string): string | null {
    const at = this.#names.indexOf(name);
    return at < 0 ? null : this.#values[at]!;
  }

  forEach(each: (value: string, name: string) => void): void {
    for (let i = 0; i < this.#names.length; i++) each(this.#values[i]!, this.#names[i]!);
  }
}

/** See the top of the file. */
export const headersOf = (request: Request): RequestHeaders => new Read(request.headers);
