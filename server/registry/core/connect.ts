/** What connections to pods, services and nodes have in common: admission, authorization, and the way to a node's agent. */
import type { Obj } from "../../../schema/model/types.ts";
import { badRequest, forbidden, notFound, StatusError } from "../../../schema/status.ts";
import type { AgentAddress, Agents } from "../../agents/agents.ts";
import type { Call } from "../../endpoints/api.ts";
import { attributesOf } from "../../filters/authorize.ts";
import { RequestAttributes } from "../attributes.ts";
import { connectOptions } from "./connect_options.ts";

/** What a connection asks for, as admission has left it. @throws StatusError 400 for a dry run, what admission throws */
export async function admitted(call: Call): Promise<Obj> {
  if (call.scope.query.has("dryRun")) throw badRequest("dryRun is not supported");
  const options = connectOptions(call.subresource!.kind, call.scope.query, call.scope.info);
  const { caller, served: { resource }, namespace } = call, { subresource } = call.scope.info;
  const a = new RequestAttributes(caller, "CONNECT", resource, subresource, namespace, call.name, options, undefined);
  await call.api.admission.admit(a);
  await call.api.admission.validate(a);
  return options;
}

/** What a connection is to. @throws StatusError 404 */
export async function connectedTo(call: Call, name: string): Promise<Obj> {
  return (await call.api.store(call.served.resource).current(call.namespace, name)).object();
}

/**
 * Streams of a pod change what runs in it, by whichever method they are asked for (gate
 * `AuthorizePodWebsocketUpgradeCreatePermission`). @throws StatusError 403 for whoever may read, but not create
 */
export async function mustBeCreator({ api, scope }: Call): Promise<void> {
  if (scope.info.verb === "create" || !api.rules.gate("AuthorizePodWebsocketUpgradeCreatePermission")) return;
  const { decision, reason } = await api.authorizer.authorize({ ...attributesOf(scope), verb: "create" }, scope);
  const { group, resource, name } = scope.info;
  if (decision !== "allow") throw forbidden({ group, resource }, name, reason);
}

/** A node with an agent that can be called. */
export interface AgentNode {
  readonly name: string;
  readonly agent: AgentAddress;
}

/** The node of a pod. @throws StatusError 400 when the pod has none, 404 when it is not there, 500 without an address */
export function nodeOf(call: Call, pod: Obj, agents: Agents): AgentNode {
  const name = pod["spec"]?.nodeName as string | undefined;
  if (!name) throw badRequest(`pod ${call.name} does not have a host assigned`);
  const node = call.api.store(call.api.catalog.resource("nodes")!).cache.get("", name);
  // The public server names the pod's resource here.
  if (!node) throw notFound(call.api.store(call.served.resource).gr, name);
  return { name, agent: agents.addressOf(node.peek()) };
}

/** No reason, and no time to try again after: clients are to tell of it at once. */
export function unreachable({ name }: AgentNode, cause: unknown): StatusError {
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  return new StatusError(500, "", `the agent of node ${name} cannot be reached${why}`, undefined, { cause });
}

interface Named {
  readonly name: string;
}

/** @throws StatusError 400 for a container that is not there, or none where there are several */
export function containerOf(call: Call, pod: Obj, asked: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod["spec"] ?? {};
  const names = [...initContainers, ...containers, ...ephemeralContainers].map((c: Named) => c.name);
  if (asked !== "") {
    if (names.includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${call.name}`);
  }
  if (containers.length === 1) return containers[0].name;
  throw badRequest(`a container name must be specified for pod ${call.name}, choose one of: [${names.join(" ")}]`);
}
