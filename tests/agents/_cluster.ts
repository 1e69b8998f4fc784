/** A server behind its listener, an agent, and a pod on that agent's node. */
import { proxyTransport } from "../../server/options/proxy_client.ts";
import type { ProxyTarget, ProxyTransport } from "../../server/proxy/types.ts";
import type { AgentIdentity } from "../../server/agents/agents.ts";
import { Agent, AGENT_CA, AGENT_CLIENT } from "../fixture/agent.ts";
import { TO_HOOKS } from "../fixture/hooks.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { ca } from "../listen/_fixture.ts";
import { listen, type Listening } from "../../server/listen/mod.ts";
import { serving } from "../listen/_fixture.ts";

/** See the top of the file. */
export interface Cluster {
  readonly t: TestServer;
  readonly agent: Agent;
  readonly front: Listening;
  /** Trusts the server. */
  readonly client: Deno.HttpClient;
}

/** What a cluster may be given. */
export interface ClusterOptions {
  readonly flags?: readonly string[];
  /** Who the server is to agents. Default: a good certificate, and their authority. */
  readonly agents?: AgentIdentity;
}

const GOOD = { ca: AGENT_CA, ...AGENT_CLIENT };
/** Where all nodes and pods are: an address that can be proxied, and is the loopback in truth. */
export const HERE = "10.9.0.1";

function toLoopback(): ProxyTransport {
  const { send, upgrade, close } = proxyTransport();
  const moved = (target: ProxyTarget) => target.host === HERE ? { ...target, host: "127.0.0.1" } : target;
  return {
    send: (target, request, signal) => send(moved(target), request, signal),
    upgrade: (target, request, signal) => upgrade(moved(target), request, signal),
    close,
  };
}

/** The pod's path. */
export const POD = "/api/v1/namespaces/default/pods/web";

/** Runs with a cluster of its own. Its pod `web` has one container, `main`, on node `node-a`; `none` is on no node. */
export async function withCluster(o: ClusterOptions, run: (c: Cluster) => Promise<void>): Promise<void> {
  const agent = await new Agent().start();
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount", ...(o.flags ?? [])], {
    moreFiles: { agents: () => o.agents ?? GOOD },
    outside: { ...TO_HOOKS, proxy: toLoopback },
  });
  const front = await listen((request, connection) => t.server.fetch(request, connection), {
    hostname: "127.0.0.1",
    port: 0,
    tls: serving,
  });
  const client = Deno.createHttpClient({ caCerts: [ca.cert] });
  try {
    await node(t, "node-a", [{ type: "InternalIP", address: HERE }], agent.port);
    await pod(t, "web", { nodeName: "node-a" });
    await pod(t, "none", {});
    await run({ t, agent, front, client });
  } finally {
    client.close();
    await front.close(0);
    await t.stop();
    await agent.stop();
  }
}

/** Makes a node, with what its agent tells. */
export async function node(
  t: TestServer,
  name: string,
  addresses: readonly { type: string; address: string }[],
  port?: number,
): Promise<void> {
  const body = { apiVersion: "v1", kind: "Node", metadata: { name } };
  await t.fetch("/api/v1/nodes", { body });
  const endpoints = port === undefined ? {} : { daemonEndpoints: { kubeletEndpoint: { Port: port } } };
  const status = { addresses, ...endpoints };
  await t.fetch(`/api/v1/nodes/${name}/status`, { method: "PUT", body: { ...body, status } });
}

/** Makes a pod; `containers` by name. */
export async function pod(
  t: TestServer,
  name: string,
  o: { nodeName?: string; containers?: readonly string[]; port?: number; ip?: string },
): Promise<void> {
  const containers = (o.containers ?? ["main"]).map((c) => ({
    name: c,
    image: "example.com/i:1",
    ...(o.port === undefined ? {} : { ports: [{ containerPort: o.port }] }),
  }));
  const spec = { containers, ...(o.nodeName === undefined ? {} : { nodeName: o.nodeName }) };
  const body = { apiVersion: "v1", kind: "Pod", metadata: { name }, spec };
  await t.fetch("/api/v1/namespaces/default/pods", { body });
  if (o.ip === undefined) return;
  const patch = { status: { podIP: o.ip, podIPs: [{ ip: o.ip }] } };
  await t.fetch(`/api/v1/namespaces/default/pods/${name}/status`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify(patch),
  });
}
