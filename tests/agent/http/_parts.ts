/** What servers under test are given, and a client that reads answers whole. */
import https from "node:https";
import http, { type IncomingHttpHeaders } from "node:http";
import { Registry } from "prom-client";
import { startServers } from "../../../agent/http/mod.ts";
import type { HttpOptions, HttpParts, Servers } from "../../../agent/http/types.ts";
import type { Runtime } from "../../../agent/runtime/types.ts";
import { type Api, ApiError, type Clock } from "../../../agent/types.ts";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import type { TestServer } from "../../fixture/server.ts";
import { ca, serving } from "../../listen/_fixture.ts";

/** The system's. */
export const clock: Clock = {
  now: () => Date.now(),
  ticks: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((done) => {
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        done();
      });
    }),
};

/** Pods as they are in the array at the time. */
export const podView = (pods: readonly Pod[]): HttpParts["pods"] => ({
  pods: () => pods,
  allocated: () => pods,
  find: (namespace, name, uid) =>
    pods.find(({ metadata: m }) =>
      m?.namespace === namespace && m.name === name && (uid === undefined || m.uid === uid)
    ),
});

/** No runtime at all. */
const NONE = new Proxy({}, {
  get: () => () => Promise.reject(new Error("there is no runtime")),
}) as Runtime;

/** Parts of a node `node-a` of the public dialect. */
export const parts = (own: Partial<HttpParts> = {}): HttpParts => ({
  pods: podView([]),
  runtime: NONE,
  product: productOf("kubernetes"),
  nodeName: "node-a",
  clock,
  log: () => {},
  health: [],
  pair: () => serving,
  gate: (name) => !["PodLogsQuerySplitStreams", "KubeletAllocatedPodsEndpoint"].includes(name),
  configz: () => ({ kind: "KubeletConfiguration" }),
  flags: () => [["port", "0"]],
  version: "v1.37.0",
  metrics: new Registry(),
  probeMetrics: new Registry(),
  ...own,
});

/** Options by which nobody is asked who they are. */
export const OPTIONS: HttpOptions = {
  enableServer: true,
  address: "127.0.0.1",
  port: 0,
  readOnlyPort: 0,
  healthzBindAddress: "127.0.0.1",
  healthzPort: 0,
  enableDebuggingHandlers: true,
  streamingConnectionIdleTimeout: 0,
  tlsCipherSuites: [],
  tlsMinVersion: "",
  rootDir: "/",
  podLogsDir: "/var/log/pods",
  clientCaFile: "",
  anonymousAuth: true,
  authenticationTokenWebhook: false,
  authenticationTokenWebhookCacheTtl: 120_000,
  authorizationMode: "AlwaysAllow",
  authorizationWebhookCacheAuthorizedTtl: 300_000,
  authorizationWebhookCacheUnauthorizedTtl: 30_000,
};

/** Runs with servers that are closed after. */
export async function withServers(
  own: Partial<HttpParts>,
  options: Partial<HttpOptions>,
  run: (servers: Servers) => Promise<void>,
): Promise<void> {
  const servers = await startServers(parts(own), { ...OPTIONS, ...options });
  try {
    await run(servers);
  } finally {
    await servers.close(0);
  }
}

/** An answer, whole. */
export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Asks the server of TLS, or a plain one by `plain`. */
export function get(port: number, path: string, o: https.RequestOptions & { plain?: boolean } = {}): Promise<Got> {
  const { plain, ...more } = o;
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const asked = (plain ? http : https).request({ host: "127.0.0.1", port, path, ca: ca.cert, agent: false, ...more });
  asked.on("error", reject).on("response", (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => text += chunk);
    response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    response.on("error", reject);
  });
  asked.end();
  return promise;
}

/** The agent's way to a server in memory. @param asked takes the paths that it asks */
export const apiOf = (server: TestServer, headers: Record<string, string>, asked: string[] = []): Api => ({
  async request<T>(method: string, path: string, { body }: { body?: unknown } = {}) {
    asked.push(path);
    const answer = await server.fetch(path, { method, body, headers });
    if (answer.status >= 300) throw new ApiError(answer.status, answer.body.reason, answer.body.message);
    return answer.body as T;
  },
  follow: () => Promise.resolve(),
});
