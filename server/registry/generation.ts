/** `metadata.generation`: which kinds count their changes, and what counts as one. */
import type { Obj } from "../../schema/model/types.ts";
import type { Resource } from "../catalog/types.ts";
import { sameTree } from "./same.ts";

/** Resources whose objects carry a generation, by public id. */
const COUNTED = new Set([
  "pods",
  "podtemplates",
  "replicationcontrollers",
  "mutatingadmissionpolicies.admissionregistration.k8s.io",
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
  "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  "validatingadmissionpolicies.admissionregistration.k8s.io",
  "validatingadmissionpolicybindings.admissionregistration.k8s.io",
  "validatingwebhookconfigurations.admissionregistration.k8s.io",
  "customresourcedefinitions.apiextensions.k8s.io",
  "daemonsets.apps",
  "deployments.apps",
  "replicasets.apps",
  "statefulsets.apps",
  "cronjobs.batch",
  "jobs.batch",
  "endpointslices.discovery.k8s.io",
  "flowschemas.flowcontrol.apiserver.k8s.io",
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
  "ingresses.networking.k8s.io",
  "ingressclasses.networking.k8s.io",
  "networkpolicies.networking.k8s.io",
  "poddisruptionbudgets.policy",
  "deviceclasses.resource.k8s.io",
  "devicetaintrules.resource.k8s.io",
  "resourceslices.resource.k8s.io",
  "priorityclasses.scheduling.k8s.io",
]);
const NOT_COUNTED = new Set(["apiVersion", "kind", "metadata", "status"]);

/** A new object starts at 1 where its kind counts; else it has what admission left. */
export function startGeneration(resource: Resource, obj: Obj): void {
  if (COUNTED.has(resource.id)) obj.metadata.generation = 1;
  else delete obj.metadata.generation;
}

/** One more when anything but metadata and status has changed. Call after the strategy has kept what may not change. */
export function bumpGeneration(resource: Resource, obj: Obj, old: Obj): void {
  if (!COUNTED.has(resource.id)) return;
  const names = new Set([...Object.keys(obj), ...Object.keys(old)]);
  for (const name of names) {
    if (NOT_COUNTED.has(name) || sameTree(obj[name], old[name])) continue;
    obj.metadata.generation = (old.metadata.generation ?? 0) + 1;
    return;
  }
}
