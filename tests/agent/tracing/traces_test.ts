/** Spans of the agent's servers and of its requests, and what belongs to what. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import http from "node:http";
import type { AddressInfo } from "node:net";
import * as grpc from "../../libraries/grpc.ts";
import { openRuntime } from "../../../agent/runtime/mod.ts";
import { openTraces } from "../../../agent/tracing/open.ts";
import type { Traces } from "../../../agent/tracing/traces.ts";
import { encode } from "../../../schema/grpc/wire.ts";
import { Collector } from "../../tracing/_collector.ts";
import { clientOf } from "../client/_client.ts";
import { socketsClosed } from "../../fixture/sockets_closed.ts";
import { get, withServers } from "../http/_parts.ts";

/** Runs with traces, so many of a million; their collector has all spans once `sent` is there. */
async function traced(
  samplingRatePerMillion: number,
  run: (o: { traces: Traces; collector: Collector; sent: () => Promise<void> }) => Promise<void>,
): Promise<void> {
  const collector = new Collector(), endpoint = await collector.start();
  const { traces, close } = openTraces({ endpoint, samplingRatePerMillion }, {
    hostname: "node-a",
    random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    now: Date.now,
    told: () => {},
  });
  let closed: Promise<void> | undefined;
  const sent = () => closed ??= close(60_000);
  try {
    await run({ traces, collector, sent });
  } finally {
    await sent();
    collector.stop();
  }
}

/** An API server that tells what it was asked, and answers with a status. */
async function withApi(status: number, run: (url: string, asked: http.IncomingHttpHeaders[]) => Promise<void>) {
  const asked: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.headers);
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

const THEIRS = "0af7651916cd43dd8448eb211c80319c";

Deno.test("traces: a request that comes has a span by its route, and names the trace of who asks", async () => {
  await traced(1_000_000, async ({ traces, collector, sent }) => {
    await withServers({ traces }, {}, async ({ port }) => {
      const headers = { traceparent: `00-${THEIRS}-b7ad6b7169203331-01`, "user-agent": "kubectl/v1.37" };
      assert.equal((await get(port, "/containerLogs/default/web/main?tailLines=1", { headers })).status, 404);
      assert.equal((await get(port, "/nowhere")).status, 404);
    });
    await sent();
    assert.deepEqual(collector.resource, { "service.name": "kubelet", "host.name": "node-a" });
    assert.deepEqual(collector.spans.map(({ name }) => name), [
      "/containerLogs/{podNamespace}/{podID}/{containerName}",
    ]);
    const { kind, parentId, traceId, links, attributes } = collector.spans[0]!;
    assert.deepEqual([kind, parentId, links], [2, "", [THEIRS]]);
    assert.notEqual(traceId, THEIRS);
    const { "network.peer.port": from, "server.port": to, ...said } = attributes;
    assert.ok(from && to);
    assert.deepEqual(said, {
      "server.address": "kubelet",
      "http.request.method": "GET",
      "http.route": "/containerLogs/{podNamespace}/{podID}/{containerName}",
      "http.response.status_code": 404,
      "url.scheme": "https",
      "url.path": "/containerLogs/default/web/main",
      "network.peer.address": "127.0.0.1",
      "network.protocol.version": "1.1",
      "client.address": "127.0.0.1",
      "user_agent.original": "kubectl/v1.37",
    });
  });
});

Deno.test("traces: what is asked of the API server within work is a part of it, and goes on there", async () => {
  await traced(1_000_000, ({ traces, collector, sent }) =>
    withApi(200, async (server, asked) => {
      const api = clientOf({ server }, "kubernetes", { traces });
      let later: Promise<unknown> | undefined;
      const over = Promise.withResolvers<void>();
      await traces.work("syncPod", () => ({ "k8s.pod.name": "web" }), async () => {
        await api.request("GET", "/api/v1/nodes/a", { query: { x: "1" } });
        later = over.promise.then(() => api.request("PUT", "/api/v1/nodes/a", { body: {} }));
      });
      over.resolve();
      await later;
      await assert.rejects(traces.work("failing", () => ({}), () => Promise.reject(new Error("no"))), /^Error: no$/);
      api.renew();
      await sent();
      const sync = collector.one("syncPod"), got = collector.one("HTTP GET"), put = collector.one("HTTP PUT");
      assert.deepEqual([got.traceId, got.parentId, got.kind], [sync.traceId, sync.spanId, 3]);
      assert.equal(got.attributes["url.full"], `${server}/api/v1/nodes/a?x=1`);
      assert.equal(got.attributes["http.response.status_code"], 200);
      // The work was over.
      assert.equal(put.parentId, "");
      assert.equal(collector.one("failing").status, 2);
      assert.deepEqual(
        asked.map(({ traceparent }) => traceparent),
        [got, put].map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
      );
    }));
});

/** A runtime that tells its version, and with what it was asked. */
async function withRuntime(run: (endpoint: string, asked: grpc.Metadata[]) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir(), asked: grpc.Metadata[] = [];
  const server = new grpc.Server();
  const method: grpc.MethodDefinition<Buffer, Uint8Array> = {
    path: "/runtime.v1.RuntimeService/Version",
    requestStream: false,
    responseStream: false,
    requestSerialize: (b) => b,
    requestDeserialize: (b) => b,
    responseSerialize: (b) => Buffer.from(b),
    responseDeserialize: (b) => b,
  };
  const handle: grpc.handleUnaryCall<Buffer, Uint8Array> = ({ metadata }, reply) => {
    asked.push(metadata);
    reply(null, encode([[2, "runtimeName", "string"]], { runtimeName: "tested" }));
  };
  server.addService({ Version: method }, { Version: handle });
  const endpoint = `unix:${dir}/socket`;
  await new Promise((done) => server.bindAsync(endpoint, grpc.ServerCredentials.createInsecure(), done));
  try {
    await run(endpoint, asked);
  } finally {
    server.forceShutdown();
    await socketsClosed();
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("traces: calls to the runtime are parts of the work that makes them, and go on there", async () => {
  await traced(1_000_000, ({ traces, collector, sent }) =>
    withRuntime(async (endpoint, asked) => {
      const runtime = openRuntime({ endpoint, imageEndpoint: "", requestTimeout: 60_000, traces });
      await traces.work("syncPod", () => ({}), async () => {
        assert.equal((await runtime.version()).runtimeName, "tested");
        await assert.rejects(runtime.startContainer("none"));
      });
      runtime.close();
      await sent();
      const sync = collector.one("syncPod"), version = collector.one("runtime.v1.RuntimeService/Version");
      const start = collector.one("runtime.v1.RuntimeService/StartContainer");
      const parent = [sync.traceId, sync.spanId];
      for (const { traceId, parentId, kind } of [version, start]) {
        assert.deepEqual([traceId, parentId, kind], [...parent, 3]);
      }
      const told = (code: string, method: string) => ({
        "rpc.system.name": "grpc",
        "rpc.method": `runtime.v1.RuntimeService/${method}`,
        "rpc.response.status_code": code,
      });
      assert.deepEqual([version.attributes, version.status], [told("OK", "Version"), undefined]);
      assert.deepEqual([start.attributes, start.status], [told("UNIMPLEMENTED", "StartContainer"), 2]);
      assert.deepEqual(asked[0]!.get("traceparent"), [`00-${version.traceId}-${version.spanId}-01`]);
    }));
});

Deno.test("traces: what is not recorded is told to others, and no more", async () => {
  await traced(0, ({ traces, collector, sent }) =>
    withApi(404, async (server, asked) => {
      const api = clientOf({ server }, "kubernetes", { traces });
      await assert.rejects(api.request("GET", "/api/v1/nodes/a"));
      api.renew();
      await sent();
      assert.match(asked[0]!["traceparent"] as string, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
      assert.equal(collector.calls, 0);
    }));
});
