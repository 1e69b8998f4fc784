/** PodGroupProtection: groups of pods wait with their deletion for their members, and take no new ones meanwhile. */
import type { Obj } from "../../../schema/model/types.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { nothing, on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Plugin, PluginContext } from "../types.ts";
import { addFinalizer } from "./_finalizer.ts";
import { groupWorkload } from "./_group_workload.ts";

const GROUPS = "podgroups.scheduling.k8s.io", FINALIZER = "scheduling.k8s.io/podgroup-protection";

/** See the top of the file. */
export function podGroupProtection(ctx: PluginContext): Plugin {
  const name = "PodGroupProtection";
  if (!ctx.gate("GenericWorkload")) return { name, handles: nothing };
  const workload = groupWorkload(ctx);
  return {
    name,
    handles: on(["CREATE"], ["pods", GROUPS]),
    admit(a) {
      if (a.resource.id === GROUPS) addFinalizer(a.object!, ctx.product.local(FINALIZER));
    },
    validate(a) {
      if (a.resource.id === GROUPS) return workload(a);
      const group: string | undefined = (a.object as Tree)["spec"]?.schedulingGroup?.podGroupName;
      if (group && isDeleted(ctx.lister.get(GROUPS, a.namespace, group))) {
        throw refusal(a, `cannot create Pod referencing PodGroup "${group}" because it is being deleted`);
      }
    },
  };
}

const isDeleted = (obj: Obj | undefined): boolean => obj?.metadata.deletionTimestamp !== undefined;
