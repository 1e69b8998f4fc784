/** AppArmor profiles in annotations, as older clients name them. */
import type { Obj } from "../../model/types.ts";
import { same, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { ANNOTATIONS } from "./pod_annotations.ts";
import { allContainers } from "./pod_scope.ts";

/** Containers get the AppArmor profile that an annotation names, where they have none. Returns warnings of such annotations. */
export function profilesFromAnnotations(pod: Obj, ctx: RuleContext): string[] {
  const spec: Tree = pod["spec"], prefix = ANNOTATIONS(ctx.product).appArmor, out: string[] = [];
  if (!pod.metadata.annotations || spec["os"]?.name === "windows") return out;
  for (const [, , c] of allContainers(spec)) {
    const text = pod.metadata.annotations[prefix + c["name"]];
    if (text === undefined || c["securityContext"]?.appArmorProfile) continue;
    const profile = profileOf(text);
    if (profile && same(profile, spec["securityContext"]?.appArmorProfile)) continue;
    if (profile) (c["securityContext"] ??= {}).appArmorProfile = profile;
    out.push(
      `metadata.annotations[${prefix}${c["name"]}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    );
  }
  return out;
}

/** The profile that the text of an annotation names; undefined for none. */
export function profileOf(text: string): Tree | undefined {
  if (text === "unconfined") return { type: "Unconfined" };
  if (text === "runtime/default") return { type: "RuntimeDefault" };
  const local = text.startsWith("localhost/") ? text.slice("localhost/".length) : "";
  return local && local.trim() === local ? { type: "Localhost", localhostProfile: local } : undefined;
}
