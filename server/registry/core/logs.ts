/** Logs of containers, as the node's agent tells them. */
import { concat } from "../../../schema/values/bytes.ts";
import { badRequest, internal, type Reason, StatusError } from "../../../schema/status.ts";
import type { Beyond } from "../../agents/beyond.ts";
import type { Call, SubresourceHandler } from "../../endpoints/api.ts";
import { queryFlag } from "../../filters/request_info.ts";
import type { ProxyAnswer } from "../../proxy/types.ts";
import { untilEnd } from "../../proxy/until_end.ts";
import { type AgentNode, connectedTo, containerOf, nodeOf, unreachable } from "./connect.ts";
import { logQuery } from "./log_options.ts";
import { logOverSocket } from "./log_socket.ts";

/** Bytes that are read of what an agent says is wrong. */
const MAX_FAULT = 50_000;

/** GET of a log: text as it comes, until the agent or the client ends it. */
export const podLog = (beyond: Beyond): SubresourceHandler => ({
  async get(call) {
    const asked = logQuery(call);
    const pod = await connectedTo(call, call.name);
    const container = containerOf(call, pod, call.scope.query.get("container") ?? "");
    if (!pod["spec"]?.nodeName) return new Response(null, { status: 204 });
    const node = nodeOf(call, pod, beyond.agents);
    const query = asked.size > 0 ? `?${asked}` : "";
    const answer = await ask(call, beyond, node, `/containerLogs/${call.namespace}/${call.name}/${container}${query}`);
    await check(answer, node, call.name);
    return logOverSocket(call.scope, answer.body, call.api.scheme.product) ??
      new Response(untilEnd(call.scope, answer.body), { headers: { "content-type": "text/plain" } });
  },
});

/** @throws StatusError 500 when the agent does not answer */
async function ask(call: Call, { agents, transport }: Beyond, node: AgentNode, path: string): Promise<ProxyAnswer> {
  const target = agents.target(node.agent, path, queryFlag(call.scope.query, "insecureSkipTLSVerifyBackend"));
  try {
    return await transport.send(target, { method: "GET", headers: [], body: null }, call.scope.signal);
  } catch (e) {
    throw unreachable(node, e);
  }
}

/** What an agent's answer says that has no log in it. */
const REASONS: Readonly<Record<number, Reason>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** @throws StatusError that says what the agent said */
async function check({ status, body }: ProxyAnswer, node: AgentNode, name: string): Promise<void> {
  if (status >= 200 && status <= 206) return;
  const text = await beginOf(body);
  if (status < 200 || status > 599) throw unreachable(node, new Error(`the server answered with the status ${status}`));
  if (status >= 300 && status < 400) throw unreachable(node, new Error("redirects are forbidden"));
  if (status === 500) throw internal(text);
  if (status === 400) throw badRequest(text);
  const reason = REASONS[status] ?? (status >= 500 ? "InternalError" : "");
  throw new StatusError(status, reason, `the agent of node ${node.name} answered ${status}: ${text}`, {
    name,
    kind: "pods/log",
  });
}

async function beginOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    if ((size += chunk.length) >= MAX_FAULT) break;
  }
  return new TextDecoder().decode(concat(chunks).subarray(0, MAX_FAULT));
}
