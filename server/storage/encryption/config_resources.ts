/** What may be named as a resource to encrypt. */
import { RESOURCES } from "../../../schema/api/resources.ts";
import type { Product } from "../../../schema/product.ts";
import { EVERYTHING, parseRule } from "./resources.ts";

/** What the server keeps for itself, and what no rule reaches. */
const OWN = new Set(["apiserveripinfo", "serviceipallocations", "servicenodeportallocations"]);

type Fault = (path: string, why: string) => void;

/**
 * The resources that a rule may mean: those of this server's own groups go by their public names too, custom ones by the name that
 * they have.
 */
export function meant(name: string, { local }: Product): string[] {
  const { group, resource } = parseRule(name);
  if (local(group) === group || !RESOURCES.some((r) => r.group === group)) return [name];
  if (resource === "*") return [local(name), name];
  return [RESOURCES.some((r) => r.group === group && r.resource === resource) ? local(name) : name];
}

/** Faults of one entry's list. */
export function resourceFaults(resources: readonly string[], at: string, product: Product, fault: Fault): void {
  if (resources.length === 0) fault(at, "needs at least one resource");
  // The core group may be named or not.
  if (new Set(resources.map((name) => name.replace(/\.$/, ""))).size < resources.length) {
    fault(at, "names a resource twice");
  }
  if (overlapping(resources)) {
    fault(at, "names a resource and, by *, all of its group: nothing is left for one of them");
  }
  const events = product.local("events.k8s.io");
  resources.forEach((name, i) => {
    const why = nameFault(name, events);
    if (why) fault(`${at}[${i}]`, `${JSON.stringify(name)}: ${why}`);
  });
}

function nameFault(name: string, events: string): string | undefined {
  if (name.toLowerCase() !== name) return "should have no capital letters";
  if (name === "*") return "should be *. for the core group, or *.* for everything";
  if (OWN.has(name)) return "has no API and is not encrypted";
  const { group, resource } = parseRule(name);
  if (group === events) return "events are stored in the core group: name events";
  if (group === "extensions") return "that group is served no more";
  if (group === "*" && resource !== "*") return "one resource of all groups cannot be named";
  return undefined;
}

function overlapping(resources: readonly string[]): boolean {
  const rules = resources.map(parseRule);
  const whole = new Set(rules.filter((r) => r.resource === "*").map((r) => r.group));
  if (resources.includes(EVERYTHING) && new Set(resources).size > 1) return true;
  return rules.some((r) => r.resource !== "*" && whole.has(r.group));
}

/** @throws Error when an entry names what an earlier one has taken whole, by `*.group` or `*.*` */
export function refuseMasked(rules: readonly { readonly resources: readonly string[] }[]): void {
  const taken = new Set<string>();
  for (const { resources } of rules) {
    for (const name of resources) {
      const { group } = parseRule(name);
      const by = [`*.${group}`, EVERYTHING].find((rule) => taken.has(rule));
      if (by) {
        const text = `resource ${JSON.stringify(name)} is behind the earlier rule ${JSON.stringify(by)}`;
        throw new Error(`--encryption-provider-config: ${text}, which leaves nothing for it`);
      }
      taken.add(name);
    }
  }
}
