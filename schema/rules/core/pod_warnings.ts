/** What a pod's author should know though it is allowed. */
import type { Obj } from "../../model/types.ts";
import { dnsLabel } from "../checks/formats.ts";
import { items } from "../tree.ts";

/** Warnings about a new pod; none on update, which is mostly a machine's work. */
export function podWarnings(pod: Obj, old: Obj | undefined): string[] {
  if (old) return [];
  const out: string[] = [];
  const faults = dnsLabel(pod.metadata.name ?? "");
  if (faults.length) {
    out.push(
      `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: ${
        faults.join(", ")
      }`,
    );
  }
  for (const [i, v] of items(pod["spec"]?.volumes).entries()) {
    if (v["gitRepo"]) out.push(`spec.volumes[${i}].gitRepo: deprecated, and disabled by default`);
  }
  return out;
}
