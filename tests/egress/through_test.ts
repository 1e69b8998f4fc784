/** What goes through proxies: webhooks, issuers, requests that are passed on, spans, etcd. */
import assert from "node:assert/strict";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { openStores } from "../../server/storage/open.ts";
import { outsideBy } from "../../server/options/outside.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { openTracing } from "../../server/options/tracing_files.ts";
import { isTunnel, type ProxyTarget } from "../../server/proxy/types.ts";
import { HOOK_CA, HookServer } from "../fixture/hooks.ts";
import { startTestServer } from "../fixture/server.ts";
import { ca, servingPair } from "../listen/_fixture.ts";
import { certificates } from "../storage/certificates.ts";
import { noEtcd, startEtcd } from "../storage/etcd_server.ts";
import { Collector } from "../tracing/_collector.ts";
import { config as tracingConfig } from "../tracing/_traced.ts";
import type { Loose } from "../fixture/loose.ts";
import { Files } from "./_egress.ts";
import { ConnectProxy, Konnectivity } from "./_proxies.ts";

const VALIDATING = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const MAPS = "/api/v1/namespaces/default/configmaps";
const signal = () => AbortSignal.timeout(60_000);

/** Runs with two proxies, TLS for the control plane and a socket for the cluster. */
async function staged(
  run: (s: { files: Files; plane: ConnectProxy; cluster: ConnectProxy; ways: Loose }) => Promise<void>,
) {
  const files = new Files(), plane = await new ConnectProxy(true).start();
  const cluster = await new ConnectProxy().start(`${files.dir}/cluster`);
  try {
    const ways = { controlplane: files.connection(plane), cluster: files.connection(`${files.dir}/cluster`) };
    await run({ files, plane, cluster, ways });
  } finally {
    await plane.stop();
    await cluster.stop();
    files.remove();
  }
}

const configuration = (name: string, clientConfig: Loose): Loose => ({
  metadata: { name },
  webhooks: [{
    name: `${name}.test.io`,
    clientConfig: { ...clientConfig, caBundle: btoa(HOOK_CA) },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    timeoutSeconds: 30,
  }],
});

Deno.test("webhooks of services go by the cluster's way, those of URLs by the control plane's", async () => {
  await staged(async ({ files, plane, cluster, ways }) => {
    const hooks = await new HookServer().start();
    const t = await startTestServer([], { outside: outsideBy(files.egress(ways)) });
    try {
      const url = hooks.on("/checked", () => ({}));
      await t.fetch("/api/v1/namespaces", { body: { metadata: { name: "team" } } });
      const made = await t.fetch("/api/v1/namespaces/team/services", {
        body: { metadata: { name: "hooks" }, spec: { clusterIP: "10.0.0.77", ports: [{ port: 443 }] } },
      });
      assert.equal(made.status, 201, made.text);
      cluster.hosts.set("10.0.0.77:443", `127.0.0.1:${hooks.port}`);
      const service = { namespace: "team", name: "hooks", path: "/checked" };
      await t.fetch(VALIDATING, { body: configuration("of-service", { service }) });
      await t.fetch(VALIDATING, { body: configuration("of-url", { url }) });
      for (const name of ["a", "b"]) {
        const stored = await t.fetch(MAPS, { body: { metadata: { name } } });
        assert.equal(stored.status, 201, stored.text);
      }
      assert.equal(hooks.asked.length, 4);
      // Connections are kept: the second object asks for none.
      assert.deepEqual([cluster.asked, plane.asked], [["10.0.0.77:443"], [`127.0.0.1:${hooks.port}`]]);
      cluster.drop();
      plane.drop();
      const again = await t.fetch(MAPS, { body: { metadata: { name: "c" } } });
      assert.equal(again.status, 201, again.text);
      cluster.drop();
      cluster.mischief = (s) => s.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      const failed = await t.fetch(MAPS, { body: { metadata: { name: "d" } } });
      assert.equal(failed.status, 500);
      assert.match(failed.body.message, /of-service.test.io.*answered 502 Bad Gateway when asked for 10\.0\.0\.77:443/);
    } finally {
      await t.stop();
      await hooks.stop();
    }
  });
});

Deno.test("the API's own service, and what is not selected, are reached directly", async () => {
  await staged(async ({ files, cluster, ways }) => {
    const hooks = await new HookServer().start();
    const t = await startTestServer([], { outside: outsideBy(files.egress({ cluster: ways.cluster })) });
    try {
      await t.fetch(VALIDATING, { body: configuration("of-url", { url: hooks.on("/checked", () => ({})) }) });
      const own = configuration("of-itself", { service: { namespace: "default", name: "kubernetes" } });
      Object.assign(own.webhooks[0], { timeoutSeconds: 1, failurePolicy: "Ignore" });
      assert.equal((await t.fetch(VALIDATING, { body: own })).status, 201);
      const stored = await t.fetch(MAPS, { body: { metadata: { name: "a" } } });
      assert.equal(stored.status, 201, stored.text);
      assert.deepEqual([hooks.asked.length, cluster.asked], [1, []]);
    } finally {
      await t.stop();
      await hooks.stop();
    }
  });
});

Deno.test("a webhook that is reached through a proxy has its time", async () => {
  await staged(async ({ files, plane, ways }) => {
    plane.mischief = () => {};
    const t = await startTestServer([], { outside: outsideBy(files.egress(ways)) });
    try {
      const configured = configuration("slow", { url: "https://192.0.2.1/x" });
      configured.webhooks[0].timeoutSeconds = 1;
      await t.fetch(VALIDATING, { body: configured });
      const failed = await t.fetch(MAPS, { body: { metadata: { name: "a" } } });
      assert.match(failed.body.message, /context deadline exceeded/);
    } finally {
      await t.stop();
    }
  });
});

Deno.test("a request that is passed on through a proxy fails once its connection is not there in time", async () => {
  await staged(async ({ files, plane, ways }) => {
    plane.mischief = () => {};
    const transport = outsideBy(files.egress(ways)).proxy();
    const target: ProxyTarget = {
      host: "192.0.2.1",
      port: 1,
      network: "controlplane",
      authority: "node",
      path: "/",
      connectMs: 100,
    };
    try {
      const failed = transport.send(target, { method: "GET", headers: [], body: null }, signal());
      await assert.rejects(failed, /the connection timed out/);
    } finally {
      transport.close();
    }
  });
});

/** A server that tells what it was sent; over TLS unless `plain`. */
async function telling(plain = false): Promise<{ url: string; port: number; stop: () => Promise<void> }> {
  const handle: http.RequestListener = (request, response) => {
    let text = "";
    request.on("data", (chunk) => text += chunk);
    request.on("end", () => {
      if (request.url === "/moved") response.writeHead(302, { location: "/here" }).end();
      else if (request.url === "/no") response.writeHead(503).end();
      else response.end(`${request.method} ${request.headers.host} ${request.headers.authorization} ${text}`);
    });
  };
  const server = plain ? http.createServer(handle) : https.createServer(servingPair("issuer", "issuer.test"), handle);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  };
  return { url: `${plain ? "http" : "https"}://127.0.0.1:${port}`, port, stop };
}

Deno.test("webhooks of connection files and issuers go by the way that they ask for", async () => {
  await staged(async ({ files, plane, cluster, ways }) => {
    const outside = outsideBy(files.egress(ways));
    for (const plain of [false, true]) {
      const server = await telling(plain);
      const file = files.write(
        "connection",
        JSON.stringify({
          "current-context": "c",
          clusters: [{
            name: "k",
            cluster: { server: `${server.url}/x`, "certificate-authority-data": btoa(ca.cert) },
          }],
          users: [{ name: "u", user: { token: "t" } }],
          contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
        }),
      );
      const close = (f: unknown) => (f as { close(): void }).close();
      const post = outside.post("x", file, "controlplane"), direct = outside.post("x", file);
      for (const p of [post, post, direct]) {
        const { status, body } = await p("{}", signal());
        assert.deepEqual([status, body], [200, `POST 127.0.0.1:${server.port} Bearer t {}`]);
      }
      assert.deepEqual(plane.asked.splice(0), [`127.0.0.1:${server.port}`]);
      const get = outside.fetchText(ca.cert, "cluster");
      assert.match(await get(`${server.url}/moved`, signal()), /^GET/);
      await assert.rejects(get(`${server.url}/no`, signal()), /answered 503/);
      assert.deepEqual(cluster.asked.splice(0), [`127.0.0.1:${server.port}`]);
      const aborted = AbortSignal.abort(new Error("gone"));
      await assert.rejects(get(server.url, aborted), /gone/);
      for (const f of [post, direct, get]) close(f);
      await server.stop();
    }
    const server = await telling();
    const strict = outside.fetchText(HOOK_CA, "cluster");
    await assert.rejects(strict(server.url, signal()), /certificate/i);
    await server.stop();
  });
});

/** A server that answers with what it is asked, and echoes whoever upgrades. */
async function backend(plain: boolean): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = plain ? http.createServer() : https.createServer(servingPair("node", "node.test"));
  const open = new Set<{ destroy(): void }>();
  server.on("request", (request, response) => request.pipe(response));
  server.on("upgrade", (_request, socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
    socket.pipe(socket);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const stop = async () => {
    for (const socket of open) socket.destroy();
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

for (const kind of ["a socket that takes CONNECT", "konnectivity"]) {
  for (const plain of [false, true]) {
    Deno.test(`requests are passed on through ${kind}, ${plain ? "plain" : "with TLS"}, upgrades too`, async () => {
      const files = new Files(), server = await backend(plain);
      const proxy = kind === "konnectivity"
        ? await new Konnectivity(`${files.dir}/p`).start()
        : await new ConnectProxy().start(`${files.dir}/p`);
      const egress = files.egress({ cluster: files.connection("closed" in proxy ? proxy : `${files.dir}/p`) });
      const transport = outsideBy(egress).proxy();
      try {
        const target: ProxyTarget = {
          host: "127.0.0.1",
          port: server.port,
          network: "cluster",
          authority: "node.test",
          path: "/x",
          ...(plain ? {} : { tls: { name: "node.test", ca: ca.cert, insecure: false } }),
        };
        for (let i = 0; i < 2; i++) {
          const body = new Blob(["x".repeat(500_000)]).stream();
          const answer = await transport.send(target, { method: "POST", headers: [], body }, signal());
          assert.equal((await new Response(answer.body).text()).length, 500_000);
        }
        assert.equal(proxy.asked.length, 1);
        const headers = [["connection", "upgrade"], ["upgrade", "echo"]] as const;
        const tunnel = await transport.upgrade(target, { method: "GET", headers, body: null }, signal());
        assert.ok(isTunnel(tunnel));
        tunnel.stream.write("hello");
        const got = await new Promise<string>((done) => tunnel.stream.once("data", (d) => done(String(d))));
        assert.equal(got, "hello");
        tunnel.stream.destroy();
        assert.equal(proxy.asked.length, 2);
        const straight = await transport.send({ ...target, network: undefined }, {
          method: "GET",
          headers: [],
          body: null,
        }, signal());
        await straight.body.cancel();
        assert.equal(proxy.asked.length, 2);
      } finally {
        transport.close();
        await proxy.stop();
        await server.stop();
        files.remove();
      }
    });
  }
}

/** A server that sends as long as its client takes it; how much it has sent. */
async function pouring(): Promise<{ port: number; sent: () => number; stop: () => Promise<void> }> {
  const piece = new Uint8Array(256 * 1024);
  let sent = 0;
  const server = https.createServer(servingPair("node", "node.test"), (_request, response) => {
    const more = () => {
      while (sent < ENOUGH) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once("drain", more);
      }
      response.end();
    };
    response.on("error", () => {});
    more();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  };
  return { port: (server.address() as AddressInfo).port, sent: () => sent, stop };
}

/** More than all buffers on the way hold. */
const ENOUGH = 96 * 1024 * 1024;

/** Asks for much, does not read until nothing moves any more, then reads all. */
async function heldBack(secure: boolean): Promise<void> {
  const files = new Files(), server = await pouring(), path = `${files.dir}/p`;
  const proxy = await new ConnectProxy(secure).start(secure ? undefined : path);
  const transport = outsideBy(files.egress({ cluster: files.connection(secure ? proxy : path) })).proxy();
  try {
    const tls = { name: "node.test", ca: ca.cert, insecure: false };
    const { port } = server, { signal } = new AbortController();
    const target = { host: "127.0.0.1", port, network: "cluster", authority: "n", path: "/", tls } as const;
    const answer = await transport.send(target, { method: "GET", headers: [], body: null }, signal);
    let last = -1, got = 0;
    while (last !== server.sent()) {
      last = server.sent();
      await new Promise((done) => setTimeout(done, 500));
    }
    assert.ok(last < ENOUGH / 2, `${last} bytes were sent`);
    for await (const chunk of answer.body) got += chunk.length;
    assert.equal(got, ENOUGH);
  } finally {
    transport.close();
    await proxy.stop();
    await server.stop();
    files.remove();
  }
}

for (const secure of [false, true]) {
  const kind = secure ? "with TLS" : "on a socket";
  Deno.test(`who does not read holds back whoever is behind a proxy ${kind}, and gets all when it does`, () =>
    heldBack(secure));
}

Deno.test("spans go by the control plane's way", async () => {
  await staged(async ({ files, plane, ways }) => {
    const collector = new Collector(), endpoint = await collector.start();
    const file = files.write("tracing", tracingConfig({ endpoint, samplingRatePerMillion: 1_000_000 }));
    const parsed = parseOptions(["--api-dialect=kubernetes", `--tracing-config-file=${file}`]);
    assert.ok(parsed.kind === "run");
    const egress = files.egress(ways);
    const { tracer, close } = await openTracing(parsed.options, {
      server: "s",
      random: (n) => crypto.getRandomValues(new Uint8Array(n)),
      now: Date.now,
      told: (e) => assert.fail(String(e)),
      dial: egress.to("controlplane")!,
    });
    const headers = new Headers();
    tracer.begin({ name: "x", headers, startedAt: 0, trusted: true, attributes: () => ({}) }).end();
    await close(60_000);
    collector.stop();
    assert.equal(collector.one("x").name, "x");
    assert.deepEqual(plane.asked, [endpoint]);
  });
});

/** Writes to etcd through a proxy, cuts it, and writes again. */
async function throughEtcd(secure: boolean): Promise<void> {
  const certs = secure ? await certificates() : undefined;
  const etcd = await startEtcd(1, certs?.server), files = new Files(), proxy = await new ConnectProxy(true).start();
  try {
    const client = certs?.client(1), text = (b: unknown) => new TextDecoder().decode(b as Uint8Array);
    const parsed = parseOptions([
      `--store-servers=${etcd.endpoints[0]}`,
      `--egress-selector-config-file=${files.config({ etcd: files.connection(proxy) })}`,
      ...(client
        ? [
          `--store-cafile=${files.write("etcd-ca", text(client.ca))}`,
          `--store-certfile=${files.write("etcd-cert", text(client.cert))}`,
          `--store-keyfile=${files.write("etcd-key", text(client.key))}`,
        ]
        : []),
    ]);
    assert.ok(parsed.kind === "run");
    const { main } = await openStores(parsed.options);
    const put = async (key: string) => {
      const done = await main.commit([{ key: `/registry/${key}`, value: new Uint8Array([1]), expect: 0 }]);
      assert.ok(done.ok);
    };
    await put("a");
    assert.equal(proxy.asked[0], new URL(etcd.endpoints[0]!).host);
    proxy.drop();
    await put("b");
    assert.ok(proxy.asked.length > 1);
    await main.close();
  } finally {
    await proxy.stop();
    await etcd[Symbol.asyncDispose]();
    await certs?.remove();
    files.remove();
  }
}

const missing = await noEtcd();
for (const secure of [false, true]) {
  Deno.test({
    name: `etcd ${secure ? "with" : "without"} TLS is reached through a proxy, again when that cuts connections`,
    ignore: missing !== undefined, // no etcd binary on this machine
    fn: () => throughEtcd(secure),
  });
}

Deno.test("etcd by gRPC-web cannot be reached through a proxy", async () => {
  const files = new Files(), proxy = await new ConnectProxy().start();
  const parsed = parseOptions([
    "--store-servers=grpc-web+http://127.0.0.1:1",
    `--egress-selector-config-file=${files.config({ etcd: files.connection(proxy) })}`,
  ]);
  assert.ok(parsed.kind === "run");
  await assert.rejects(
    openStores(parsed.options),
    /"grpc-web\+http:\/\/127\.0\.0\.1:1" cannot be reached through a proxy/,
  );
  await proxy.stop();
  files.remove();
});
