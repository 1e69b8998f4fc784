/** Parts of a pod's status whose feature is off: dropped unless the old status has them. */
import { isSet, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

type Place = readonly [holder: Tree, member: string];

const LISTS = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];
const containers = (s: Tree): Tree[] => LISTS.flatMap((l) => items(s[l]));
const ofStatus = (...members: string[]) => (s: Tree): Place[] => members.map((m) => [s, m]);

/** Gates, and the places where their features show. */
const FEATURES: readonly (readonly [gate: string, places: (status: Tree) => Place[]])[] = [
  ["InPlacePodLevelResourcesVerticalScaling", ofStatus("resources", "allocatedResources")],
  ["DRAExtendedResource", ofStatus("extendedResourceClaimStatus")],
  ["DRANodeAllocatableResources", ofStatus("nodeAllocatableResourceClaimStatuses")],
  ["CSIVolumeHealth", ofStatus("volumeHealth")],
  ["ResourceHealthStatus", (s) => containers(s).map((c) => [c, "allocatedResourcesStatus"])],
  [
    "ResourceHealthStatusMessage",
    (s) =>
      containers(s).flatMap((c) =>
        items(c["allocatedResourcesStatus"]).flatMap((r) => items(r["resources"]).map((h): Place => [h, "message"]))
      ),
  ],
  [
    "ImageVolumeWithDigest",
    (s) => containers(s).flatMap((c) => items(c["volumeMounts"]).map((m): Place => [m, "volumeStatus"])),
  ],
];

/** Drops what the server's gates do not allow, in place. */
export function dropDisabledStatus(status: Tree, old: Tree | undefined, ctx: RuleContext): void {
  for (const [gate, places] of FEATURES) {
    if (ctx.gate(gate) || places(old ?? {}).some(([holder, member]) => isSet(holder[member]))) continue;
    for (const [holder, member] of places(status)) delete holder[member];
  }
}
