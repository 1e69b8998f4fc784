/** How much memory a pod may have. */
import type { Container, Pod } from "../../schema/api/core_v1.ts";
import { parseQuantity } from "../../schema/values/quantity.ts";

const limitOf = (c: Pick<Container, "resources">): bigint =>
  parseQuantity(c.resources?.limits?.["memory"] ?? "0").value();
const sum = (numbers: readonly bigint[]) => numbers.reduce((a, b) => a + b, 0n);

/** Bytes; undefined: not limited. */
export function memoryLimit(pod: Pod): bigint | undefined {
  const { containers, initContainers, resources, overhead } = pod.spec ?? {};
  const own = parseQuantity(resources?.limits?.["memory"] ?? "0").value();
  const more = parseQuantity(overhead?.["memory"] ?? "0").value();
  if (own > 0n) return own + more;
  const all = [...containers ?? [], ...initContainers ?? []];
  if (all.length === 0 || all.some((c) => limitOf(c) === 0n)) return undefined;
  let beside = 0n, most = 0n;
  for (const c of initContainers ?? []) {
    const here = beside + limitOf(c);
    if (c.restartPolicy === "Always") beside = here;
    if (here > most) most = here;
  }
  const running = beside + sum((containers ?? []).map(limitOf));
  return (running > most ? running : most) + more;
}
