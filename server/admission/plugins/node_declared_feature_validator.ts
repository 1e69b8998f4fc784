/** NodeDeclaredFeatureValidator: an update that a pod's node cannot follow is refused. */
import type { Obj } from "../../../schema/model/types.ts";
import { compareQuantity } from "../../../schema/values/quantity.ts";
import { items, same, type Tree } from "../../../schema/rules/tree.ts";
import { meansNode } from "../../../schema/values/node_selector.ts";
import { held } from "../facts.ts";
import { either, on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

const SLICES = "resourceslices.resource.k8s.io";
const DEVICES = "DRANodeAllocatableResources";

/** Whether an update needs a feature of the node. */
type Needs = (old: Tree, next: Tree) => boolean;

const changed = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined ? a !== b : compareQuantity(a, b) !== 0;

/** Features by the name that nodes declare. They count while a gate of the same name is on. */
const FEATURES: Readonly<Record<string, Needs>> = {
  InPlacePodLevelResourcesVerticalScaling: (old, next) => !same(old["spec"].resources, next["spec"].resources),
  InPlacePodVerticalScalingInitContainers: (old, next) =>
    items<Tree>(old["spec"].initContainers).some((c, i) =>
      c["restartPolicy"] !== "Always" && !same(c["resources"], next["spec"].initContainers?.[i]?.resources)
    ),
  InPlacePodVerticalScalingMemoryBackedVolumes: (old, next) => {
    const was = items<Tree>(old["spec"].volumes), now = items<Tree>(next["spec"].volumes);
    const inMemory = (v: Tree | undefined): Tree | undefined =>
      v?.["emptyDir"]?.medium === "Memory" ? v["emptyDir"] : undefined;
    return was.length === now.length && was.some((v, i) => {
      const a = inMemory(v), b = inMemory(now[i]);
      return !!a && !!b && v["name"] === now[i]!["name"] && changed(a["sizeLimit"], b["sizeLimit"]);
    });
  },
};

/** See the top of the file. */
export function nodeDeclaredFeatureValidator(ctx: PluginContext): Plugin {
  const nodes = held(ctx.lister, "nodes");
  const features = Object.entries(FEATURES).filter(([name]) => ctx.gate(name));
  const slices = ctx.gate(DEVICES);
  const validatePod = (a: Attributes): void => {
    const nodeName: string = (a.object as Tree)["spec"].nodeName ?? "";
    if (nodeName === "" || a.object!.metadata.generation === a.oldObject!.metadata.generation) return;
    const needed = features.filter(([, needs]) => needs(a.oldObject as Tree, a.object as Tree)).map(([name]) => name);
    if (needed.length === 0) return;
    const node = nodes(nodeName);
    if (!node) throw refusal(a, `node "${nodeName}" not found`);
    const lacking = needed.filter((n) => !declares(node, n)).sort();
    if (lacking.length === 0) return;
    throw refusal(
      a,
      `pod update requires features ${lacking.join(", ")} which are not available on node "${nodeName}"`,
    );
  };
  return {
    name: "NodeDeclaredFeatureValidator",
    handles: either(
      on(["UPDATE"], ["pods"], ["", "resize"]),
      (op, r, sub) => slices && on(["CREATE", "UPDATE"], [SLICES])(op, r, sub),
    ),
    validate: (a) => a.resource.id === "pods" ? validatePod(a) : validateSlice(a, ctx, nodes),
  };
}

const declares = (node: Obj, feature: string): boolean =>
  items<string>((node as Tree)["status"]?.declaredFeatures).includes(feature);

/** Devices that take from what a node can give need nodes that count so. */
function validateSlice(a: Attributes, ctx: PluginContext, nodes: (name: string) => Obj | undefined): void {
  const spec: Tree = (a.object as Tree)["spec"] ?? {};
  for (const device of items<Tree>(spec["devices"])) {
    if (Object.keys(device["nodeAllocatableResources"] ?? {}).length === 0) continue;
    for (const node of nodesOf(a, spec["perDeviceNodeSelection"] ? device : spec, device["name"], ctx, nodes)) {
      if (!declares(node, DEVICES)) {
        throw refusal(a, `node "${node.metadata.name}" does not support ${DEVICES} feature`);
      }
    }
  }
}

function nodesOf(
  a: Attributes,
  where: Tree,
  device: string,
  ctx: PluginContext,
  nodes: (name: string) => Obj | undefined,
): readonly Obj[] {
  if (where["nodeName"]) {
    const node = nodes(where["nodeName"]);
    if (!node) throw refusal(a, `node "${where["nodeName"]}" not found for device "${device}"`);
    return [node];
  }
  const selector: Tree | undefined = where["nodeSelector"];
  if (selector) {
    const terms = selector["nodeSelectorTerms"];
    return ctx.lister.list("nodes").filter(({ metadata }) => meansNode(terms, metadata.labels, metadata.name));
  }
  if (where["allNodes"]) return ctx.lister.list("nodes");
  throw refusal(a, `device "${device}" in ResourceSlice has NodeAllocatableResources but does not map to any nodes`);
}
