/** Which pods go when one that the node cannot do without has no room. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { type Gate, podRequests } from "../resources/amounts.ts";
import { isCritical, qosOf } from "../resources/qos.ts";
import { type Shortage, units } from "./fits.ts";

/** What is lacking of each resource. */
type Needs = ReadonlyMap<string, number>;

const CLASSES = ["BestEffort", "Burstable", "Guaranteed"] as const;

/** Pods of low classes before those of high ones, and few before many. Undefined: all of them would not be enough. */
export function victims(
  pod: Pod,
  others: readonly Pod[],
  short: readonly Shortage[],
  gate: Gate,
  product: Product,
): readonly Pod[] | undefined {
  const request = (one: Pod, resource: string) => resource === "pods" ? 1 : units(podRequests(one, gate), resource);
  const after = (needs: Needs, gone: readonly Pod[]): Needs =>
    new Map(
      [...needs].map(([name, n]) => [name, n - gone.reduce((sum, one) => sum + request(one, name), 0)] as const)
        .filter(([, n]) => n > 0),
    );
  const distance = (needs: Needs, one: Pod) =>
    [...needs].reduce((sum, [name, n]) => sum + (Math.max(n - request(one, name), 0) / n) ** 2, 0);
  const smaller = (a: Pod, b: Pod) =>
    request(a, "memory") - request(b, "memory") || request(a, "cpu") - request(b, "cpu");
  const choose = (pods: readonly Pod[], needs: Needs): Pod[] => {
    const out: Pod[] = [], left = [...pods];
    for (let rest = needs; rest.size > 0 && left.length > 0;) {
      const [best] = left.toSorted((a, b) => distance(rest, a) - distance(rest, b) || smaller(a, b));
      out.push(...left.splice(left.indexOf(best!), 1));
      rest = after(rest, [best!]);
    }
    return out;
  };
  const mayGo = others.filter((one) =>
    (isCritical(pod, product) && !isCritical(one, product)) || (pod.spec?.priority ?? 0) > (one.spec?.priority ?? 0)
  );
  const needs: Needs = new Map(short.map((s) => [s.resource, s.requested - (s.capacity - s.used)]));
  if (after(needs, mayGo).size > 0) return undefined;
  const [poor, middle, best] = CLASSES.map((qos) => mayGo.filter((one) => qosOf(one, gate) === qos));
  const fromBest = choose(best!, after(needs, [...poor!, ...middle!]));
  const fromMiddle = choose(middle!, after(needs, [...poor!, ...fromBest]));
  const fromPoor = choose(poor!, after(needs, [...fromMiddle, ...fromBest]));
  return [...fromPoor, ...fromMiddle, ...fromBest];
}
