import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { isOutside } from "../../server/agents/addresses.ts";
import type { Loose } from "../fixture/loose.ts";
import { ca, connectTls, soon, until } from "../listen/_fixture.ts";
import { type Cluster, type ClusterOptions, HERE, node, pod, withCluster } from "./_cluster.ts";

const NS = "/api/v1/namespaces/default";

/** A cluster, and a web server on the loopback that pod `app` (port 0: the server's) answers by. */
async function withApp(
  o: ClusterOptions,
  handle: http.RequestListener,
  run: (c: Cluster, port: number, app: http.Server) => Promise<void>,
): Promise<void> {
  const app = http.createServer(handle);
  await new Promise<void>((done) => app.listen(0, "127.0.0.1", done));
  const { port } = app.address() as AddressInfo;
  try {
    await withCluster(o, async (c) => {
      await pod(c.t, "app", { nodeName: "node-a", port, ip: HERE });
      await run(c, port, app);
    });
  } finally {
    app.closeAllConnections();
    await new Promise<void>((done) => app.close(() => done()));
  }
}

/** Answers with what it was asked. */
const tell: http.RequestListener = (request, response) => {
  let body = "";
  request.on("data", (chunk) => body += chunk);
  request.on("end", () => {
    const { method, url, headers } = request;
    response.writeHead(202, {
      "content-type": "application/json",
      "access-control-allow-origin": "*",
      "x-own": "kept",
      "set-cookie": ["a=1", "b=2"],
    });
    response.end(JSON.stringify({ method, url, headers, body }));
  });
};

Deno.test("A pod is sent what its proxy is: method, path, query, body, headers but those of who asks", async () => {
  await withApp({}, tell, async ({ t }, port) => {
    const rows: [path: string, url: string][] = [
      ["app/proxy/", "/"],
      ["app/proxy/a//b/../c/?x=1&y=%20z", "/a/c/?x=1&y=%20z"],
      ["app/proxy/a%20b/%7Ec", "/a%20b/~c"],
      [`app:${port}/proxy/x`, "/x"],
      [`http:app:${port}/proxy/x`, "/x"],
    ];
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      for (const [path, url] of rows) {
        const { status, body, headers } = await t.fetch(`${NS}/pods/${path}`, {
          method,
          ...(method === "GET" ? {} : { body: "some body" }),
          headers: {
            "x-mine": "1",
            authorization: "Bearer x",
            "impersonate-user": "",
            "x-remote-group": "g",
            "x-forwarded-uri": "/elsewhere",
            te: "trailers",
          },
        });
        assert.deepEqual([status, body.method, body.url], [202, method, url], path);
        assert.equal(body.body, method === "GET" ? "" : "some body");
        assert.deepEqual([body.headers["x-mine"], body.headers.authorization], ["1", undefined]);
        assert.equal(body.headers["x-remote-group"], undefined);
        assert.equal(body.headers["x-forwarded-uri"], `${NS}/pods/${path.split("/")[0]}/proxy${url.split("?")[0]}`);
        assert.deepEqual([headers.get("x-own"), headers.get("access-control-allow-origin")], ["kept", null]);
        assert.deepEqual(headers.getSetCookie(), ["a=1", "b=2"]);
      }
    }
    const head = await t.open(`${NS}/pods/app/proxy/x`, { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [202, ""]);
    const options = await t.fetch(`${NS}/pods/app/proxy/x`, { method: "OPTIONS" });
    assert.deepEqual([options.status, options.body.method], [202, "OPTIONS"]);
    const odd = await t.fetch(`${NS}/pods/app/proxy/x`, { method: "PROPFIND" });
    assert.deepEqual([odd.status, odd.body.reason], [405, "MethodNotAllowed"]);
  });
});

Deno.test("A proxy without a path leads to the one with a slash", async () => {
  await withApp({}, tell, async ({ t }) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await t.fetch(`${NS}/pods/app/proxy?x=1`, { method });
      assert.deepEqual([status, headers.get("location")], [301, `${NS}/pods/app/proxy/?x=1`]);
    }
    assert.equal((await t.fetch(`${NS}/pods/app/proxy`, { method: "POST" })).body.url, "/");
    // What the query calls a path is the pod's own business.
    for (const path of ["app/proxy/?path=x", "app/proxy/a?path=/x"]) {
      assert.equal((await t.fetch(`${NS}/pods/${path}`)).body.url, path.slice("app/proxy".length));
    }
    assert.equal((await t.fetch(`${NS}/pods/app/proxy?path=x`, { method: "POST" })).body.url, "/?path=x");
  });
});

Deno.test("What a pod says of its own place is put below its proxy", async () => {
  let said = "";
  const proxy = `${NS}/pods/app/proxy`;
  await withApp({}, (_, response) => void response.writeHead(302, { location: said }).end(), async ({ t }, port) => {
    const rows: [said: string, seen: string][] = [
      ["/login?next=%2F", `${proxy}/login?next=%2F`],
      ["/deep/", `${proxy}/deep/`],
      ["/a/../b/./c", `${proxy}/b/c`],
      ["login", "login"],
      [`http://${HERE}:${port}/x#y`, `${proxy}/x#y`],
      ["https://elsewhere.example/x", "https://elsewhere.example/x"],
      ["https://test/x", `https://test${proxy}/x`],
      [`${proxy}/there`, `${proxy}/there`],
    ];
    for (const [location, seen] of rows) {
      said = location;
      const { status, headers } = await t.fetch(`${proxy}/page`, { headers: { host: "test" } });
      assert.deepEqual([status, headers.get("location")], [302, seen], location);
    }
    said = "/%zz";
    const { status, body } = await t.fetch(`${proxy}/page`);
    assert.deepEqual([status, body.reason], [500, "InternalError"]);
  });
});

const PAGE = `<!doctype html><!-- <a href="/no"> --><A HREF='/one'>x</A><a class="l" href="two">
<img src=/three alt="/alt"><script src="/four">if (a < b) "<a href='/no'>"</script><a href="//else/x">é</a>
<form action="/five?a=1&amp;b"><p title="/no">a < b</p><a href="/cut`;
const SEEN = (p: string) =>
  PAGE.replace("'/one'", `'${p}/one'`).replace("=/three", `=${p}/three`).replace('"/four"', `"${p}/four"`)
    .replace("/five", `${p}/five`);

Deno.test("Links of pages are put below the proxy, wherever chunks end", async () => {
  let size = 1, encoding = "";
  const handle: http.RequestListener = async (_, response) => {
    const bytes = new TextEncoder().encode(PAGE);
    const stream = new Blob([bytes]).stream();
    const body = encoding === "gzip" ? stream.pipeThrough(new CompressionStream("gzip")) : stream;
    const whole = new Uint8Array(await new Response(body).arrayBuffer());
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-length": String(whole.length),
      ...(encoding ? { "content-encoding": encoding } : {}),
    });
    for (let at = 0; at < whole.length; at += size) response.write(whole.subarray(at, at + size));
    response.end();
  };
  await withApp({}, handle, async ({ t, front, client }) => {
    for (size of [1, 7, 100, 10_000]) {
      assert.equal((await t.fetch(`${NS}/pods/app/proxy/`)).text, SEEN(`${NS}/pods/app/proxy`), String(size));
    }
    // What cannot be looked into is left as it is.
    const changed = SEEN(`${NS}/pods/app/proxy`);
    for (const [other, seen] of [["", changed], ["gzip", changed], ["x", PAGE]] as const) {
      encoding = other;
      const answer = await fetch(`${front.url}${NS}/pods/app/proxy/`, { client });
      assert.equal(await answer.text(), seen, other);
    }
  });
});

Deno.test("An answer streams, and ends with its client", async () => {
  let gone = false;
  let write = (_: string) => {};
  const handle: http.RequestListener = (_, response) => {
    response.write("one");
    write = (text) => void response.write(text);
    response.once("close", () => gone = true);
  };
  await withApp({}, handle, async ({ front, client }) => {
    const leave = new AbortController();
    const { body } = await fetch(`${front.url}${NS}/pods/app/proxy/`, { client, signal: leave.signal });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await soon(reader.read(), "the first part")).value, "one");
    write("two");
    assert.equal((await soon(reader.read(), "the second part")).value, "two");
    leave.abort();
    await until("the pod is told", () => gone);
  });
});

Deno.test("A pod is sent one length of a body, and is not led to another HTTP", async () => {
  await withApp({}, tell, async ({ front }, _port, app) => {
    let upgrades = 0;
    app.on("upgrade", (_request, socket) => {
      upgrades++;
      socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
    });
    const path = `${NS}/pods/app/proxy/x`;
    const ask = async (head: string, body = "") => {
      const socket = await connectTls(front.port);
      let answer = "";
      socket.on("data", (chunk) => answer += chunk.toString());
      socket.write(`${head}\r\nHost: h\r\n\r\n${body}`);
      await until("the answer", () => /\}\s*(0\s*)?$/.test(answer));
      socket.destroy();
      return JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
    };
    const sent = await ask(`POST ${path} HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3`, "abc");
    assert.deepEqual([sent.body, sent.headers["content-length"]], ["abc", undefined]);
    for (const kind of ["h2c", "websocket, h2c", "HTTP/2.0", "TLS/1.2"]) {
      const { headers } = await ask(
        `GET ${path} HTTP/1.1\r\nUpgrade: ${kind}\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk`,
      );
      assert.deepEqual([headers.upgrade, headers["http2-settings"]], [undefined, undefined], kind);
    }
    assert.equal(upgrades, 0);
  });
});

Deno.test("A WebSocket goes through to a pod", async () => {
  const sockets = new WebSocketServer({ noServer: true });
  const handle: http.RequestListener = (_, response) => void response.end();
  await withApp({}, handle, async ({ front }, _, app) => {
    app.on("upgrade", (request, socket, head) => {
      sockets.handleUpgrade(request, socket as never, head as never, (ws: WebSocket) => {
        ws.send(request.url!);
        ws.on("message", (data: Uint8Array) => ws.send(data));
      });
    });
    const ws = new WebSocket(`${front.url.replace("https", "wss")}${NS}/pods/app/proxy/a/b?c=d`, { ca: ca.cert });
    const got: string[] = [];
    ws.on("message", (data: Uint8Array) => got.push(new TextDecoder().decode(new Uint8Array(data))));
    await until("the first message", () => got.length === 1);
    ws.send("hello");
    await until("the echo", () => got.length === 2);
    assert.deepEqual(got, ["/a/b?c=d", "hello"]);
    ws.close();
  });
});

Deno.test("A pod that cannot be asked: 400 before it has an address that others have, 503 when nobody is there", async () => {
  await withApp({}, tell, async ({ t }) => {
    await pod(t, "dead", { nodeName: "node-a", port: 1, ip: HERE });
    const rows: [path: string, code: number, reason: string][] = [
      ["dead/proxy/", 503, "ServiceUnavailable"],
      ["dead:name/proxy/", 503, "ServiceUnavailable"],
      ["ftp:dead:1/proxy/", 400, "BadRequest"],
      ["http:dead:1:2/proxy/", 400, "BadRequest"],
      ["absent/proxy/", 404, "NotFound"],
    ];
    for (const [path, code, reason] of rows) {
      const { status, body } = await t.fetch(`${NS}/pods/${path}`);
      assert.deepEqual([status, body.reason], [code, reason], path);
    }
  });
  await withApp({}, tell, async ({ t }) => {
    await pod(t, "inner", { nodeName: "node-a", port: 1, ip: "127.0.0.1" });
    await node(t, "node-i", [{ type: "InternalIP", address: "127.0.0.1" }]);
    for (const path of [`${NS}/pods/inner/proxy/`, `${NS}/pods/none/proxy/`, "/api/v1/nodes/node-i/proxy/healthz"]) {
      const { status, body } = await t.fetch(path);
      assert.deepEqual([status, body.reason], [400, "BadRequest"], path);
    }
  });
});

Deno.test("Addresses of the server's own machine and link are not to be proxied", () => {
  for (const ip of ["10.0.0.1", "192.0.2.1", "fd00::1", "2001:db8::1"]) assert.equal(isOutside(ip), true, ip);
  const inner = [
    "127.0.0.1",
    "::1",
    "0.0.0.0",
    "::",
    "169.254.0.1",
    "fe80::1",
    "224.0.0.1",
    "255.255.255.255",
    "",
    "x",
  ];
  for (const ip of inner) assert.equal(isOutside(ip), false, ip);
});

Deno.test("A node is proxied at its agent, as the agent is called; by another port as it is", async () => {
  await withApp({}, tell, async ({ t, agent }, port) => {
    agent.handle = (_, response) => void response.end("ok");
    for (const name of ["node-a", `node-a:${agent.port}`, `http:node-a:${agent.port}`]) {
      assert.equal((await t.fetch(`/api/v1/nodes/${name}/proxy/healthz?verbose=1`)).text, "ok");
      const { url, client } = agent.asked.at(-1)!;
      assert.deepEqual([url, client], ["/healthz?verbose=1", "the-server"]);
    }
    assert.equal((await t.fetch(`/api/v1/nodes/node-a:${port}/proxy/x`)).body.url, "/x");
    assert.equal((await t.fetch(`/api/v1/nodes/https:node-a:${port}/proxy/x`)).status, 503);
    await node(t, "node-b", [{ type: "Hostname", address: "node-b.example" }]);
    await node(t, "node-c", []);
    assert.equal((await t.fetch("/api/v1/nodes/node-c/proxy/")).status, 500);
    assert.equal((await t.fetch("/api/v1/nodes/absent/proxy/")).status, 404);
  });
});

Deno.test("An agent is called at the first address of the types that are preferred", async () => {
  const both = [{ type: "ExternalIP", address: "127.0.0.9" }, { type: "InternalIP", address: HERE }];
  const reached = async (types: string) => {
    let code = 0;
    await withCluster({ flags: [`--kubelet-preferred-address-types=${types}`] }, async ({ t, agent }) => {
      agent.handle = (_, response) => void response.end("ok");
      await node(t, "node-b", both, agent.port);
      await pod(t, "p", { nodeName: "node-b" });
      code = (await t.fetch(`${NS}/pods/p/log`)).status;
    });
    return code;
  };
  assert.equal(await reached("InternalIP,ExternalIP"), 200);
  assert.equal(await reached("ExternalIP,InternalIP"), 500);
  assert.equal(await reached("Hostname"), 500);
});

/** Endpoints of a service, by hand. */
async function service(
  { t }: Cluster,
  name: string,
  subsets: unknown[],
  ports = [{ name: "web", port: 80 }, { name: "other", port: 81 }],
): Promise<void> {
  await t.fetch(`${NS}/services`, {
    body: { apiVersion: "v1", kind: "Service", metadata: { name }, spec: { ports } },
  });
  await t.server.registries.live.create("endpoints", {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name, namespace: "default" },
    subsets,
  } as never);
}

const address = (name: string, namespace = "default") => ({
  ip: HERE,
  targetRef: { kind: "Pod", namespace, name },
});

Deno.test("A service that has slices is proxied by them, whatever its endpoints say", async () => {
  await withApp({}, tell, async (c, port) => {
    const { t } = c, ports = [{ name: "web", port, protocol: "TCP" }];
    await service(c, "s", []);
    const slice = async (name: string, of: string, endpoints: Loose[], more: Loose = {}) => {
      const metadata = { name, labels: { "kubernetes.io/service-name": of } };
      const body = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata, addressType: "IPv4", ports };
      const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
      assert.equal((await t.fetch(path, { body: { ...body, endpoints, ...more } })).status, 201);
    };
    const { ip, ...ref } = address("app"),
      ready = (conditions?: Loose): Loose => ({ addresses: [ip], conditions, ...ref });
    const asked = async (path: string) => (await t.fetch(`${NS}/services/${path}`)).status;
    await slice("a", "s", [ready({ ready: false }), { addresses: [ip] }]);
    assert.equal(await asked("s:web/proxy/x"), 503, "none is ready and a pod's");
    await slice("b", "s", [ready({ ready: true })]);
    await slice("c", "other", [ready()]);
    await slice("d", "bare", [ready()], { ports: [] });
    const rows: [path: string, code: number][] = [
      ["s:web/proxy/x", 202],
      ["s:80/proxy/x", 202],
      ["other:web/proxy/x", 202],
      ["s:nope/proxy/x", 503],
      ["bare:web/proxy/x", 503],
    ];
    for (const [path, code] of rows) assert.equal(await asked(path), code, path);
  });
});

Deno.test("A service is proxied at a ready pod behind the port, asked for by name or number", async () => {
  await withApp({}, tell, async (c, port) => {
    const { t } = c;
    const ports = [{ name: "web", port, protocol: "TCP" }];
    await service(c, "s", [
      { addresses: [address("gone"), address("app", "other")], ports },
      { notReadyAddresses: [address("app")], ports },
      { addresses: [address("app")], ports },
    ]);
    await service(c, "empty", []);
    const rows: [path: string, code: number, reason?: string][] = [
      ["s:web/proxy/x?y=1", 202],
      ["s:80/proxy/x?y=1", 202],
      ["http:s:web/proxy/x?y=1", 202],
      ["https:s:web/proxy/x", 503, "ServiceUnavailable"],
      ["s:82/proxy/x", 503, "ServiceUnavailable"],
      ["s:81/proxy/x", 503, "ServiceUnavailable"],
      ["s/proxy/x", 503, "ServiceUnavailable"],
      ["s:nope/proxy/x", 503, "ServiceUnavailable"],
      ["empty:web/proxy/x", 503, "ServiceUnavailable"],
      ["none:web/proxy/x", 404, "NotFound"],
      ["ftp:s:web/proxy/x", 400, "BadRequest"],
    ];
    for (const [path, code, reason] of rows) {
      for (let time = 0; time < 5; time++) {
        const { status, body } = await t.fetch(`${NS}/services/${path}`, { method: "PUT", body: "b" });
        assert.deepEqual([status, body.reason], [code, reason], path);
        if (status === 202) assert.deepEqual([body.method, body.url, body.body], ["PUT", "/x?y=1", "b"]);
      }
    }
  });
});
