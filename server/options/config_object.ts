/** Configuration files that are one object of the API's configuration groups: read strictly, nothing is passed over. */
import { decodeObject } from "../../schema/codec/mod.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { schemeOf } from "../../schema/scheme.ts";

/** Which objects a file may hold. */
export interface ConfigKind {
  readonly option: string;
  readonly kind: string;
  /** Public `group/version`s by which the file may name itself. */
  readonly apiVersions: readonly string[];
  /** The public group in which the kind's description lies. */
  readonly describedIn: string;
}

/**
 * The object of a file's text (YAML or JSON). Names may be those of the dialect, or the public ones.
 * @throws Error that names the option and lists all that is wrong
 */
export function readConfigObject<T>(text: string, wanted: ConfigKind, product: Product): T {
  const faults: string[] = [];
  let object: unknown;
  try {
    object = read(text, wanted, product, faults);
  } catch (e) {
    faults.push((e as Error).message);
  }
  if (faults.length > 0) throw new Error(`--${wanted.option}: ${faults.join("; ")}`);
  return object as T;
}

function read(text: string, wanted: ConfigKind, product: Product, faults: string[]): unknown {
  const { tree, duplicates } = parseYaml(new TextEncoder().encode(text), { duplicates: true });
  faults.push(...duplicates);
  const { apiVersion, kind } = (tree ?? {}) as JsonMap;
  const version = wanted.apiVersions.find((v) => product.local(v) === product.local(String(apiVersion ?? "")));
  if (version === undefined || kind !== wanted.kind) {
    const what = `kind ${JSON.stringify(kind ?? "")} of ${JSON.stringify(apiVersion ?? "")}`;
    faults.push(`${what} is no ${wanted.kind} (${wanted.apiVersions.map(product.local).join(", ")})`);
    return undefined;
  }
  const described = product.local(`${wanted.describedIn}/${version.split("/")[1]}`);
  const type = schemeOf(product).kind(described, wanted.kind)!;
  const { object, unknown } = decodeObject(type, tree, { strict: true });
  faults.push(...unknown);
  return object;
}
