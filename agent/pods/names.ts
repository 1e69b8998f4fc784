/**
 * What the runtime's objects are called: labels, annotations and places of logs. The names are public ones in every dialect, since
 * crictl, collectors of logs and other tools go by them.
 */
import { join } from "node:path";
import type { Container, LifecycleHandler, Pod, ResourceRequirements } from "../../schema/api/core_v1.ts";
import type { AnyContainer, PodRef } from "../types.ts";
import type { Strings } from "../runtime/types.ts";

/** Labels of sandboxes and containers. */
export const LABEL = {
  pod: "io.kubernetes.pod.name",
  namespace: "io.kubernetes.pod.namespace",
  uid: "io.kubernetes.pod.uid",
  container: "io.kubernetes.container.name",
} as const;

/** Annotations of containers. */
export const ANNOTATION = {
  hash: "io.kubernetes.container.hash",
  restartCount: "io.kubernetes.container.restartCount",
  messagePath: "io.kubernetes.container.terminationMessagePath",
  messagePolicy: "io.kubernetes.container.terminationMessagePolicy",
  preStop: "io.kubernetes.container.preStopHandler",
  ports: "io.kubernetes.container.ports",
  deletionGrace: "io.kubernetes.pod.deletionGracePeriod",
  grace: "io.kubernetes.pod.terminationGracePeriod",
  /** Ours: requests and limits it was made with, so that another start of the agent knows them. */
  resources: "io.orch.container.resources",
  /** Ours: those of its pod as a whole. */
  whole: "io.orch.pod.resources",
} as const;

/** Namespace, name and uid of a pod. */
export function refOf(pod: Pod): PodRef {
  const { namespace = "default", name = "", uid = "" } = pod.metadata ?? {};
  return { namespace, name, uid };
}

/** A pod in messages: `name_namespace(uid)`. */
export function describe({ namespace, name, uid }: PodRef): string {
  return `${name}_${namespace}(${uid})`;
}

/** Whose pod an object of the runtime is; undefined: none of ours. */
export function ownerOf(labels: Strings): PodRef | undefined {
  const uid = labels[LABEL.uid];
  return uid ? { namespace: labels[LABEL.namespace] ?? "", name: labels[LABEL.pod] ?? "", uid } : undefined;
}

/** Labels of a pod's sandbox: the pod's own and whose it is. */
export function sandboxLabels(pod: Pod): Strings {
  return { ...pod.metadata?.labels, ...labelsOf(refOf(pod)) };
}

/** Labels of one of its containers. */
export function containerLabels(pod: Pod, container: AnyContainer): Strings {
  return { ...labelsOf(refOf(pod)), [LABEL.container]: container.name };
}

function labelsOf({ namespace, name, uid }: PodRef): Strings {
  return { [LABEL.pod]: name, [LABEL.namespace]: namespace, [LABEL.uid]: uid };
}

/** Annotations of a container: what is needed to end it when its pod is no longer known. */
export function containerAnnotations(pod: Pod, container: AnyContainer, restartCount: number): Strings {
  const deletion = pod.metadata?.deletionGracePeriodSeconds, grace = pod.spec?.terminationGracePeriodSeconds;
  const { preStop } = container.lifecycle ?? {};
  return {
    [ANNOTATION.hash]: containerHash(container),
    [ANNOTATION.restartCount]: String(restartCount),
    [ANNOTATION.messagePath]: container.terminationMessagePath ?? "",
    [ANNOTATION.messagePolicy]: container.terminationMessagePolicy ?? "",
    ...(deletion === undefined ? {} : { [ANNOTATION.deletionGrace]: String(deletion) }),
    ...(grace === undefined ? {} : { [ANNOTATION.grace]: String(grace) }),
    ...(preStop ? { [ANNOTATION.preStop]: JSON.stringify(preStop) } : {}),
    ...(container.ports?.length ? { [ANNOTATION.ports]: JSON.stringify(container.ports) } : {}),
    [ANNOTATION.resources]: JSON.stringify(container.resources ?? {}),
    [ANNOTATION.whole]: JSON.stringify(pod.spec?.resources ?? {}),
  };
}

/** What {@linkcode containerAnnotations} wrote, as far as a container is ended by it. */
export function restoredContainer(name: string, annotations: Strings): Container {
  const preStop = readJson<LifecycleHandler>(annotations[ANNOTATION.preStop]);
  const ports = readJson<Container["ports"]>(annotations[ANNOTATION.ports]);
  return { name, ...(preStop ? { lifecycle: { preStop } } : {}), ...(ports ? { ports } : {}) };
}

/** Requests and limits that a container was made with, of its own and of its pod; left out where it does not say. */
export function restoredResources(
  annotations: Strings,
): { readonly resources?: ResourceRequirements; readonly whole?: ResourceRequirements } {
  const resources = readJson<ResourceRequirements>(annotations[ANNOTATION.resources]);
  const whole = readJson<ResourceRequirements>(annotations[ANNOTATION.whole]);
  return { ...(resources ? { resources } : {}), ...(whole ? { whole } : {}) };
}

function readJson<T>(text: string | undefined): T | undefined {
  if (!text) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined; // written by somebody else
  }
}

/** What of a container makes it another one when it changes: name and image, in hexadecimal. */
export function containerHash(container: AnyContainer): string {
  let hash = 0x811c9dc5;
  for (const b of new TextEncoder().encode(JSON.stringify([container.name, container.image ?? ""]))) {
    hash = Math.imul(hash ^ b, 0x01000193);
  }
  return (hash >>> 0).toString(16);
}

/** Directory of a pod's logs. */
export function podLogDirectory(podLogsDir: string, { namespace, name, uid }: PodRef): string {
  return join(podLogsDir, `${namespace}_${name}_${uid}`);
}

/** Directory of what the agent holds for a pod. */
export function podDirectory(rootDir: string, uid: string): string {
  return join(rootDir, "pods", uid);
}

/** Place of a container's log in its pod's directory. */
export function containerLog(container: string, restartCount: number): string {
  return join(container, `${restartCount}.log`);
}
