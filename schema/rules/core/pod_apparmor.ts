/** AppArmor profiles in annotations, as older clients name them. */
import type { Obj } from "../../model/types.ts";
import { items, same, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { ANNOTATIONS } from "./pod_annotations.ts";

/** Containers that got their profile from an annotation in the write at hand. */
const FROM_ANNOTATION = new WeakSet<Tree>();

/** Containers get the AppArmor profile that an annotation names, where they have none. */
export function profilesFromAnnotations(pod: Obj, ctx: RuleContext): void {
  const spec: Tree = pod["spec"], prefix = ANNOTATIONS(ctx.product).appArmor;
  if (!pod.metadata.annotations || spec["os"]?.name === "windows") return;
  for (const c of [...items(spec["containers"]), ...items(spec["initContainers"])]) {
    const text = pod.metadata.annotations[prefix + c["name"]];
    const profile = text === undefined || c["securityContext"]?.appArmorProfile ? undefined : profileOf(text);
    if (!profile || same(profile, spec["securityContext"]?.appArmorProfile)) continue;
    (c["securityContext"] ??= {}).appArmorProfile = profile;
    FROM_ANNOTATION.add(c);
  }
}

/** The profile that the text of an annotation names; undefined for none. */
export function profileOf(text: string): Tree | undefined {
  if (text === "unconfined") return { type: "Unconfined" };
  if (text === "runtime/default") return { type: "RuntimeDefault" };
  const local = text.startsWith("localhost/") ? text.slice("localhost/".length) : "";
  return local && local.trim() === local ? { type: "Localhost", localhostProfile: local } : undefined;
}

/** Whether the annotation of a container names what no field names, or named it before this write. */
export function isNamedByAnnotation(c: Tree, text: string, ofPod: Tree | undefined): boolean {
  if (FROM_ANNOTATION.has(c)) return true;
  return !c["securityContext"]?.appArmorProfile && (!ofPod || !same(ofPod, profileOf(text)));
}
