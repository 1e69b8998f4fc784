/**
 * Streams of pods: exec, attach and port forwarding. The client's connection is joined to one to the node's agent, which upgrades it
 * as the client asks: whatever they speak (WebSocket in any subprotocol, SPDY) passes as it is.
 */
import type { Obj } from "../../../schema/model/types.ts";
import { badRequest, StatusError } from "../../../schema/status.ts";
import type { Beyond } from "../../agents/beyond.ts";
import type { Call, SubresourceHandler } from "../../endpoints/api.ts";
import { forward } from "../../proxy/forward.ts";
import { asksUpgrade } from "../../proxy/headers.ts";
import { admitted, connectedTo, containerOf, mustBeCreator, nodeOf, unreachable } from "./connect.ts";
import { OFFERED, offers } from "./socket_protocols.ts";

/** How an agent is asked for the streams of a process. */
const STREAMS: readonly (readonly [option: string, asked: string])[] = [
  ["stdin", "input"],
  ["stdout", "output"],
  ["stderr", "error"],
  ["tty", "tty"],
];

/** POST or GET of `exec` and `attach`. */
export const podProcess = (beyond: Beyond, what: "exec" | "attach"): SubresourceHandler => ({
  async connect(call) {
    const { options, pod } = await begun(call);
    const container = containerOf(call, pod, options["container"] ?? "");
    const asked = new URLSearchParams();
    for (const [option, name] of STREAMS) if (options[option] === true) asked.set(name, "1");
    for (const word of options["command"] ?? []) asked.append("command", word);
    return await streamed(call, beyond, pod, `/${what}/${call.namespace}/${call.name}/${container}`, asked);
  },
});

/** POST or GET of `portforward`. */
export const podPortForward = (beyond: Beyond): SubresourceHandler => ({
  async connect(call) {
    const { options, pod } = await begun(call);
    const asked = new URLSearchParams();
    if (options["ports"]?.length) asked.set("port", options["ports"].join(","));
    return await streamed(call, beyond, pod, `/portForward/${call.namespace}/${call.name}`, asked);
  },
});

async function begun(call: Call): Promise<{ options: Obj; pod: Obj }> {
  const options = await admitted(call);
  await mustBeCreator(call);
  return { options, pod: await connectedTo(call, call.name) };
}

/** @throws StatusError as `nodeOf`, 400 where the client keeps to plain HTTP, 500 when the agent does not take it */
async function streamed(
  call: Call,
  { agents, transport, withheld }: Beyond,
  pod: Obj,
  path: string,
  asked: URLSearchParams,
): Promise<Response> {
  const { scope } = call;
  const node = nodeOf(call, pod, agents);
  if (!asksUpgrade(scope.headers)) throw badRequest("Upgrade request required");
  asked.sort();
  const target = agents.target(node.agent, asked.size > 0 ? `${path}?${asked}` : path);
  const drop = (name: string) => name === OFFERED || withheld(name);
  try {
    return await forward(scope, { transport, target, drop, set: offers(scope.headers) });
  } catch (e) {
    throw e instanceof StatusError ? e : unreachable(node, e);
  }
}
