/** The node's object at its making. */
import { isDeepStrictEqual } from "node:util";
import type { Node, NodeStatus, Taint } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import type { Ip } from "../../schema/values/ip.ts";
import { isExtended } from "../resources/amounts.ts";
import { type Api, hasCode } from "../types.ts";
import { annotationsOf, initialLabels, type Labels, reconciledLabels } from "./labels.ts";
import { statusPatch } from "./patch.ts";

/** Options that the object follows. */
export interface RegistrationOptions {
  readonly nodeLabels: Labels;
  readonly registerWithTaints: readonly Taint[];
  readonly providerId: string;
  readonly cloudProvider: string;
  readonly enableControllerAttachDetach: boolean;
}

/** Who registers. */
export interface Registrant {
  readonly product: Product;
  readonly name: string;
  readonly nodeIps: readonly Ip[];
}

/** Path of nodes. */
export const NODES = "/api/v1/nodes";
/** Media type of patches. */
export const STRATEGIC = "application/strategic-merge-patch+json";

const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";

/** Whether a provider outside of the agent completes the node. */
export const isExternal = (cloudProvider: string): boolean => cloudProvider === "external";

/** A node without status. */
export function initialNode({ product, name, nodeIps }: Registrant, o: RegistrationOptions): Node {
  const external = isExternal(o.cloudProvider);
  const uninitialized: Taint = { key: product.local(UNINITIALIZED), value: "true", effect: "NoSchedule" };
  const taints = [...o.registerWithTaints, ...(external ? [uninitialized] : [])];
  const terms = { attachDetach: o.enableControllerAttachDetach, external, nodeIps };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: { ...initialLabels(product, name, o.nodeLabels) },
      annotations: { ...annotationsOf(product, {}, terms) },
    },
    spec: {
      ...(taints.length > 0 ? { taints } : {}),
      ...(o.providerId ? { providerID: o.providerId } : {}),
    },
  };
}

/** A node that is there. */
export interface Registered {
  readonly node: Node;
  /** It was not there before. */
  readonly made: boolean;
}

/**
 * Makes the node; one that is there gets the labels and annotations that it should have.
 * @param emptied what others count on it is no longer known to be there
 * @throws ApiError, or Error without answer
 */
export async function register(
  api: Api,
  { product, nodeIps, name }: Registrant,
  o: RegistrationOptions,
  initial: Node,
  emptied: boolean,
  signal: AbortSignal,
): Promise<Registered> {
  try {
    return { node: await api.request<Node>("POST", NODES, { body: initial, signal }), made: true };
  } catch (e) {
    // Who may not make nodes may have one all the same.
    if (!hasCode(e, 403, 409)) throw e;
  }
  const found = await api.request<Node>("GET", `${NODES}/${name}`, { signal });
  const { labels = {}, annotations = {} } = found.metadata ?? {};
  const terms = { attachDetach: o.enableControllerAttachDetach, external: isExternal(o.cloudProvider), nodeIps };
  const wanted: Node = {
    ...found,
    metadata: {
      ...found.metadata,
      labels: { ...reconciledLabels(product, labels, initial.metadata?.labels ?? {}) },
      annotations: { ...annotationsOf(product, annotations, terms) },
    },
    ...(emptied && found.status ? { status: withoutExtended(found.status) } : {}),
  };
  if (
    isDeepStrictEqual(labels, wanted.metadata?.labels) &&
    isDeepStrictEqual(annotations, wanted.metadata?.annotations) && isDeepStrictEqual(found.status, wanted.status)
  ) {
    return { node: found, made: false };
  }
  const body = statusPatch(found, wanted);
  const node = await api.request<Node>("PATCH", `${NODES}/${name}/status`, { body, patch: STRATEGIC, signal });
  return { node, made: false };
}

function withoutExtended(status: NodeStatus): NodeStatus {
  const names = Object.keys(status.capacity ?? {}).filter(isExtended);
  if (names.length === 0) return status;
  const none = Object.fromEntries(names.map((name) => [name, "0"]));
  return { ...status, capacity: { ...status.capacity, ...none }, allocatable: { ...status.allocatable, ...none } };
}
