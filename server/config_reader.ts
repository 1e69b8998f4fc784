/** Reading of configuration files member by member; what is wrong is collected, each fault with its path. */
import { parseYaml } from "../schema/codec/yaml.ts";

/** An object of a file. */
export type ConfigMap = Record<string, unknown>;

/** See the top of the file. */
export class ConfigReader {
  /** `<path>: <what is wrong>`, without a path of the file as a whole, in the order found. */
  readonly errors: string[] = [];

  fault(path: string, text: string): void {
    this.errors.push(path === "" ? text : `${path}: ${text}`);
  }

  /** The object of a whole file, YAML as the public server reads it (`no` is false) or JSON. @throws Error for what is neither */
  file(text: string, known: readonly string[]): ConfigMap {
    const { tree, duplicates } = parseYaml(text, { duplicates: true });
    this.errors.push(...duplicates);
    return this.map(tree, "", known);
  }

  /** Undefined where there is none. */
  flag(map: ConfigMap, key: string, path: string): boolean | undefined {
    const value = map[key];
    if (value === undefined || typeof value === "boolean") return value;
    this.fault(`${path}.${key}`, "should be true or false");
    return undefined;
  }

  /** An object whose members must all be known, without those that are null; an empty one where there is none. */
  map(value: unknown, path: string, known: readonly string[]): ConfigMap {
    if (value === undefined || value === null) return {};
    if (typeof value !== "object" || Array.isArray(value)) {
      this.fault(path, "should be an object");
      return {};
    }
    for (const key of Object.keys(value)) if (!known.includes(key)) this.fault(`${path}.${key}`, "unknown field");
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  }

  /** @throws Error that lists every fault, where there is one */
  end(): void {
    if (this.errors.length) throw new Error(this.errors.map((e) => e.replace(/^\./, "")).join("; "));
  }
}
