/** PodGroupProtection: groups of pods wait with their deletion for their members, and take no new ones meanwhile. */
import type { Obj } from "../../../schema/model/types.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { nothing, on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Plugin, PluginContext } from "../types.ts";
import { addFinalizer } from "./_finalizer.ts";
import { groupWorkload } from "./_group_workload.ts";

const GROUPS = "podgroups.scheduling.k8s.io", COMPOSITES = "compositepodgroups.scheduling.k8s.io";

/** What each resource is called, what keeps it, and what it belongs to. */
interface Member {
  readonly kind: string;
  readonly finalizer?: string;
  readonly parent: (obj: Tree) => string | undefined;
  readonly of: string;
}

const PARENT = (obj: Tree): string | undefined => obj["spec"]?.parentCompositePodGroupName;
const MEMBERS: Readonly<Record<string, Member>> = {
  "pods": { kind: "Pod", parent: (o) => o["spec"]?.schedulingGroup?.podGroupName, of: GROUPS },
  [GROUPS]: {
    kind: "PodGroup",
    finalizer: "scheduling.k8s.io/podgroup-protection",
    parent: PARENT,
    of: COMPOSITES,
  },
  [COMPOSITES]: {
    kind: "CompositePodGroup",
    finalizer: "scheduling.k8s.io/compositepodgroup-protection",
    parent: PARENT,
    of: COMPOSITES,
  },
};

/** See the top of the file. */
export function podGroupProtection(ctx: PluginContext): Plugin {
  const name = "PodGroupProtection";
  if (!ctx.gate("GenericWorkload")) return { name, handles: nothing };
  const composite = ctx.gate("CompositePodGroup");
  const workload = groupWorkload(ctx);
  const ids = ["pods", GROUPS, ...(composite ? [COMPOSITES] : [])];
  return {
    name,
    handles: on(["CREATE"], ids),
    admit(a) {
      const { finalizer } = MEMBERS[a.resource.id]!;
      if (finalizer) addFinalizer(a.object!, ctx.product.local(finalizer));
    },
    validate(a) {
      const { kind, parent, of } = MEMBERS[a.resource.id]!;
      const owner = ids.includes(of) ? parent(a.object as Tree) : undefined;
      if (owner && isDeleted(ctx.lister.get(of, a.namespace, owner))) {
        throw refusal(
          a,
          `cannot create ${kind} referencing ${MEMBERS[of]!.kind} "${owner}" because it is being deleted`,
        );
      }
      if (a.resource.id === GROUPS) return workload(a);
    },
  };
}

const isDeleted = (obj: Obj | undefined): boolean => obj?.metadata.deletionTimestamp !== undefined;
