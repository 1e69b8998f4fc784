/** Reading of configuration files member by member; what is wrong is collected, each fault with its path. */

/** An object of a file. */
export type ConfigMap = Record<string, unknown>;

/** See the top of the file. */
export class ConfigReader {
  /** `<path>: <what is wrong>`, in the order found. */
  readonly errors: string[] = [];

  fault(path: string, text: string): void {
    this.errors.push(`${path}: ${text}`);
  }

  /** An object whose members must all be known; an empty one where there is none. */
  map(value: unknown, path: string, known: readonly string[]): ConfigMap {
    if (value === undefined || value === null) return {};
    if (typeof value !== "object" || Array.isArray(value)) {
      this.fault(path, "should be an object");
      return {};
    }
    for (const key of Object.keys(value)) if (!known.includes(key)) this.fault(`${path}.${key}`, "unknown field");
    return value as ConfigMap;
  }

  /** @throws Error that lists every fault, where there is one */
  end(): void {
    if (this.errors.length) throw new Error(this.errors.map((e) => e.replace(/^\./, "")).join("; "));
  }
}
