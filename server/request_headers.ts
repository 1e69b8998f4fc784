/** Reading a request's headers. */

/** Headers to read, by lower-case names: the runtime's own are such, and those of a scope, which cost less. */
export interface RequestHeaders {
  /** Values of a repeated header are joined by `, `; null without it. */
  get(name: string): string | null;
  forEach(each: (value: string, name: string) => void): void;
}
