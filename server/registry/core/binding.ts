/** Binding a pod to a node: `pods/binding`, and `bindings` of old. */
import { format } from "../../../schema/rules/checks/basic.ts";
import { dnsSubdomain } from "../../../schema/rules/checks/formats.ts";
import { ErrorList } from "../../../schema/rules/errors.ts";
import { Path } from "../../../schema/rules/path.ts";
import type { RuleContext } from "../../../schema/rules/types.ts";
import type { Obj } from "../../../schema/model/types.ts";
import { badRequest, conflict, forbidden, invalid } from "../../../schema/status.ts";
import type { Answer, Call, SubresourceHandler, VirtualHandler } from "../../endpoints/api.ts";
import { RequestAttributes } from "../attributes.ts";
import { type PodCondition, withCondition } from "./pod_conditions.ts";
import type { Resource } from "../../catalog/types.ts";

/** POST of a Binding to a pod. */
export const podBinding: SubresourceHandler = { create: (call, body) => bind(call, call.name, body) };

/** POST of a Binding to the collection: the pod is the one it is named after. */
export const bindings: VirtualHandler = {
  create(call, body) {
    const { name = "", uid: _, ...metadata } = body.metadata; // a new object has no uid of its own
    return bind(call, name, { ...body, metadata: { ...metadata, name } });
  },
};

async function bind(call: Call, name: string, binding: Obj): Promise<Answer> {
  const { api, caller } = call;
  const pods = api.store(mustHave(call, "pods"));
  const { resource } = call.served, { subresource } = call.scope.info;
  const asked = () =>
    new RequestAttributes(caller, "CREATE", resource, subresource, call.namespace, name, binding, undefined);
  await api.admission.admit(asked());
  if (!name || name !== binding.metadata.name) throw badRequest("name in URL does not match name in Binding object");
  check(binding, name);
  await api.admission.validate(asked());
  if (call.namespace === "") throw badRequest("a namespace must be provided");
  const { uid, resourceVersion, annotations } = binding.metadata;
  const labels = api.rules.gate("PodTopologyLabelsAdmission") ? binding.metadata.labels : undefined;
  await pods.update({
    namespace: call.namespace,
    name,
    subresource: "binding",
    caller,
    admit: false,
    ...(uid ? { uid } : {}),
    next: (pod) => {
      if (!pod) throw pods.missing(name);
      if (resourceVersion && resourceVersion !== pod.metadata.resourceVersion) {
        const held = `ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: `;
        throw conflict(
          { group: "", resource: "pods" },
          name,
          `Precondition failed: ${held}${pod.metadata.resourceVersion}`,
        );
      }
      checkPod(call, pod, binding["target"].name);
      return {
        ...pod,
        metadata: {
          ...pod.metadata,
          ...(annotations ? { annotations: { ...pod.metadata.annotations, ...annotations } } : {}),
          ...(labels ? { labels: { ...pod.metadata.labels, ...labels } } : {}),
          ...(resourceVersion ? { resourceVersion } : {}),
        },
        spec: { ...pod["spec"], nodeName: binding["target"].name },
        status: scheduled(pod["status"] ?? {}, api.rules),
      };
    },
  });
  return { object: success(), kind: api.scheme.kind("v1", "Status")!, code: 201 };
}

/** The Status of a POST that has nothing to show. */
export const success = () => ({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });

const mustHave = (call: Call, id: string): Resource => call.api.catalog.resource(id)!;

function check(binding: Obj, name: string): void {
  const target = binding["target"] ?? {};
  const errors = new ErrorList();
  if (target.kind && target.kind !== "Node") errors.notSupported("target.kind", target.kind, ["Node", "<empty>"]);
  if (!target.name) errors.required("target.name");
  else if (!target.kind || target.kind === "Node") format(target.name, Path.of("target", "name"), errors, dnsSubdomain);
  if (!errors.empty) throw invalid("", "Binding", name, errors.causes);
}

function checkPod(call: Call, pod: Obj, node: string): void {
  const gr = { group: "", resource: "pods/binding" };
  const { metadata: m } = pod;
  if (m.deletionTimestamp) throw conflict(gr, m.name!, `pod ${m.name} is being deleted, cannot be assigned to a host`);
  if (pod["spec"]?.nodeName) {
    throw conflict(gr, m.name!, `pod ${m.name} is already assigned to node "${pod["spec"].nodeName}"`);
  }
  if (pod["spec"]?.schedulingGates?.length) {
    throw conflict(gr, m.name!, `pod ${m.name} has non-empty .spec.schedulingGates`);
  }
  if (call.namespace === "" || node === "") throw forbidden(gr, m.name!, "a pod is bound in its namespace to a node");
}

interface Status {
  readonly conditions?: PodCondition[];
  readonly nominatedNodeName?: string;
}

/** A pod that is on a node is expected on none any more. */
function scheduled({ nominatedNodeName, ...status }: Status, rules: RuleContext) {
  const condition = { type: "PodScheduled", status: "True", lastProbeTime: null };
  const kept = nominatedNodeName && !rules.gate("ClearingNominatedNodeNameAfterBinding") ? { nominatedNodeName } : {};
  return { ...status, ...kept, conditions: withCondition(status.conditions, condition, rules.now()) };
}
