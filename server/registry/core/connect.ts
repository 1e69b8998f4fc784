/**
 * What needs a node agent: logs, exec, attach and port forwarding. Everything is checked and authorized as far as the server
 * itself can; then the answer is that of a server whose agent cannot be reached.
 */
import type { Obj } from "../../../schema/model/types.ts";
import { ErrorList } from "../../../schema/rules/errors.ts";
import { ValueError } from "../../../schema/values/error.ts";
import { canonicalTime } from "../../../schema/values/time.ts";
import { badRequest, invalid, notFound, StatusError } from "../../../schema/status.ts";
import type { Call, SubresourceHandler } from "../../endpoints/api.ts";
import { RequestAttributes } from "../attributes.ts";
import { connectOptions } from "./connect_options.ts";

/** What a connection is to, and what it asks for, as admission has left it. */
export interface Connected {
  readonly to: Obj;
  readonly options: Obj;
}

/** A connection after its admission, to what `name` is. @throws StatusError 400 for a dry run, 404, what admission throws */
export async function admitted(call: Call, name: string): Promise<Connected> {
  if (call.scope.query.has("dryRun")) throw badRequest("dryRun is not supported");
  const store = call.api.store(call.served.resource);
  const options = connectOptions(call.subresource!.kind, call.scope.query, call.scope.info.rest);
  const { caller, served: { resource }, namespace } = call, { subresource } = call.scope.info;
  const a = new RequestAttributes(caller, "CONNECT", resource, subresource, namespace, call.name, options, undefined);
  await call.api.admission.admit(a);
  await call.api.admission.validate(a);
  return { to: (await store.current(call.namespace, name)).object(), options };
}

/** Where a node can be called. @throws StatusError 500 when it has told no address */
export function addressOf(node: Obj): string {
  const [first] = (node["status"]?.addresses ?? []) as { address: string }[];
  if (first) return first.address;
  throw new StatusError(500, "", "no preferred addresses found; known addresses: []");
}

/** The node of a pod. @throws StatusError 400 when the pod has none, 404 when it is not there, 500 without an address */
function nodeOf(call: Call, pod: Obj): string {
  const name = pod["spec"]?.nodeName as string | undefined;
  if (!name) throw badRequest(`pod ${call.name} does not have a host assigned`);
  const node = call.api.store(call.api.catalog.resource("nodes")!).cache.get("", name);
  // The public server names the pod's resource here.
  if (!node) throw notFound(call.api.store(call.served.resource).gr, name);
  addressOf(node.peek());
  return name;
}

/** No reason, and no time to try again after: clients are to tell of it at once. */
const unreachable = (node: string) => new StatusError(500, "", `the agent of node ${node} cannot be reached`);

/** Streams of a pod. @throws StatusError as {@linkcode nodeOf}, 400 where the client keeps to plain HTTP, 500 */
function streamed(call: Call, pod: Obj): never {
  const node = nodeOf(call, pod);
  const { headers } = call.scope.request;
  const upgrades = /(?:^|[,\s])upgrade(?:$|[,\s])/i.test(headers.get("connection") ?? "");
  if (!upgrades || !headers.has("upgrade")) throw badRequest("Upgrade request required");
  throw unreachable(node);
}

const containers = (pod: Obj): string[] =>
  [...pod["spec"]?.containers ?? [], ...pod["spec"]?.initContainers ?? [], ...pod["spec"]?.ephemeralContainers ?? []]
    .map((c: { name: string }) => c.name);

/** @throws StatusError 400 for a container that is not there, or none where there are several */
function containerOf(call: Call, pod: Obj, asked: string): string {
  const names = containers(pod);
  if (asked !== "") {
    if (names.includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${call.name}`);
  }
  const own = (pod["spec"]?.containers ?? []).map((c: { name: string }) => c.name);
  if (own.length === 1) return own[0];
  const annotated = pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"];
  if (annotated && own.includes(annotated)) return annotated;
  throw badRequest(`a container name must be specified for pod ${call.name}, choose one of: [${names.join(" ")}]`);
}

const LEAST: Readonly<Record<string, number>> = { tailLines: 0, sinceSeconds: 1, limitBytes: 1 };
const STREAMS = ["All", "Stdout", "Stderr"];

/** @throws StatusError 400, 422 for options that make no sense */
function checkLogOptions(call: Call): void {
  const query = call.scope.query;
  const errors = new ErrorList();
  for (const [name, least] of Object.entries(LEAST)) {
    const text = query.get(name);
    if (text === null) continue;
    if (!/^[-+]?\d+$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) {
      throw badRequest(`query parameter ${name}: "${text}" is no integer of 64 bits`);
    }
    if (Number(text) < least) errors.invalid(name, Number(text), `must be greater than or equal to ${least}`);
  }
  const since = query.get("sinceTime");
  if (since !== null && since !== "") checkTime(since);
  if (query.has("sinceSeconds") && query.has("sinceTime")) {
    errors.forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified");
  }
  checkStream(call, query.get("stream"), errors);
  if (!errors.empty) throw invalid("", "PodLogOptions", call.name, errors.causes);
}

function checkTime(text: string): void {
  try {
    canonicalTime(text);
  } catch (e) {
    if (e instanceof ValueError) throw badRequest(`query parameter sinceTime: ${e.message}`);
    throw e;
  }
}

function checkStream(call: Call, stream: string | null, errors: ErrorList): void {
  if (stream === null) return;
  if (!call.api.rules.gate("PodLogsQuerySplitStreams")) errors.forbidden("stream", "may not be specified");
  else {
    if (!STREAMS.includes(stream)) errors.notSupported("stream", stream, STREAMS);
    const lines = call.scope.query.has("tailLines");
    if (stream !== "All" && lines) errors.forbidden("[]", "`tailLines` and one stream are mutually exclusive");
  }
}

/** GET of a log. */
export const podLog: SubresourceHandler = {
  async get(call) {
    const store = call.api.store(call.served.resource);
    checkLogOptions(call);
    const pod = (await store.current(call.namespace, call.name)).object();
    containerOf(call, pod, call.scope.query.get("container") ?? "");
    if (!pod["spec"]?.nodeName) return new Response(null, { status: 204 });
    throw unreachable(nodeOf(call, pod));
  },
};

/** POST or GET of exec and attach. */
export const podExec: SubresourceHandler = {
  async connect(call) {
    const { to: pod, options } = await admitted(call, call.name);
    containerOf(call, pod, options["container"] ?? "");
    const streams = ["stdin", "stdout", "stderr"].some((s) => options[s] === true);
    if (!streams && pod["spec"]?.nodeName === undefined) {
      throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
    }
    return streamed(call, pod);
  },
};

/** POST or GET of port forwarding. */
export const podPortForward: SubresourceHandler = {
  connect: async (call) => streamed(call, (await admitted(call, call.name)).to),
};
