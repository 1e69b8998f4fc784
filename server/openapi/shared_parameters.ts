/**
 * The `parameters` section of a Swagger 2.0 document: what many operations take is told once. Names and bodies of one
 * kind stay in place, and so do the two by which older clients tell what a server can do.
 */
import { createHash } from "node:crypto";
import type { JsonMap } from "../../schema/model/types.ts";

const IN_PLACE = new Set(["name", "dryRun", "fieldValidation"]);
/** Bodies of no kind of its own: options and patches. */
const GENERIC_BODY = /^#\/definitions\/io\.k8s\.apimachinery/;

const isShared = (p: JsonMap): boolean =>
  p["in"] === "body"
    ? GENERIC_BODY.test(String((p["schema"] as JsonMap)["$ref"] ?? ""))
    : !IN_PLACE.has(p["name"] as string);

/** Parameters of one document by the names that refer to them. A name tells the content: equal ones have the same name anywhere. */
export class SharedParameters {
  readonly #byText = new Map<string, string>();
  readonly #byName = new Map<string, JsonMap>();

  /** What stands in an operation: a reference, or the parameter. */
  place(parameter: JsonMap): JsonMap {
    if (!isShared(parameter)) return parameter;
    const text = JSON.stringify(parameter);
    let name = this.#byText.get(text);
    if (name === undefined) {
      const hash = createHash("sha256").update(text).digest().subarray(0, 6).toString("base64url");
      name = `${parameter["name"]}-${hash}`;
      this.#byText.set(text, name);
      this.#byName.set(name, parameter);
    }
    return { $ref: `#/parameters/${name}` };
  }

  /** Takes over what another document's operations refer to. */
  add(other: SharedParameters): void {
    for (const [name, parameter] of other.#byName) this.#byName.set(name, parameter);
  }

  /** All that was placed by reference, by name. */
  tree(): JsonMap {
    return Object.fromEntries([...this.#byName].sort(([a], [b]) => a < b ? -1 : 1));
  }
}
