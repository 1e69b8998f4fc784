/** Groups of pods of version 1.36 (scheduling v1alpha2): the workload and the template that they name must be there. */
import type { Obj } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { held } from "../facts.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, PluginContext } from "../types.ts";

const WORKLOADS = "workloads.scheduling.k8s.io";

/** Checks one group. @throws StatusError */
export function groupWorkload(ctx: PluginContext): (a: Attributes) => void | Promise<void> {
  const cached = held(ctx.lister, WORKLOADS);
  const check = (a: Attributes, ref: Tree, workload: Obj | undefined): void => {
    const name = JSON.stringify(ref["workloadName"] ?? ""), template: string = ref["podGroupTemplateName"] ?? "";
    const refuse = (why: string) => refusal(a, `PodGroup rejected: ${why}`);
    if (!workload) throw refuse(`Workload ${name} not found`);
    if (workload.metadata.deletionTimestamp) throw refuse(`Workload ${name} is being deleted`);
    if (items<Tree>(workload["spec"]?.podGroupTemplates).some((t) => t["name"] === template)) return;
    throw refuse(`PodGroupTemplate ${JSON.stringify(template)} not found in Workload ${name}`);
  };
  return (a) => {
    if (a.resource.storageKind.version !== "v1alpha2") return;
    const ref: Tree | undefined = (a.object as Tree)["spec"]?.podGroupTemplateRef?.workload;
    if (!ref) return;
    const found = cached(ref["workloadName"], a.namespace);
    if (found) return check(a, ref, found);
    return ctx.live.get(WORKLOADS, a.namespace, ref["workloadName"]).then((live) => check(a, ref, live));
  };
}
