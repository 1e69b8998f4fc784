import assert from "node:assert/strict";
import { WebSocket as Client } from "ws";
import { CARTS, EXTENSION_CERT, FRONT_CLIENT } from "../fixture/extension.ts";
import type { Loose } from "../fixture/loose.ts";
import { ca, soon, until, withListener } from "../listen/_fixture.ts";
import { condition, withExtension } from "./_servers.ts";

const cart = (name: string): Loose => ({ metadata: { name, namespace: "team" }, items: ["tea"] });

Deno.test("objects of an extension server are made, read, listed and deleted through this one", async () => {
  await withExtension([], async (t) => {
    const made = await t.fetch(CARTS, { body: cart("first") });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual((await t.fetch(`${CARTS}/first`)).body.items, ["tea"]);
    assert.equal((await t.fetch(CARTS)).body.items.length, 1);
    assert.equal((await t.fetch("/apis/shop.example/v1")).body.resources[0].name, "carts");
    assert.equal((await t.fetch(`${CARTS}/first`, { method: "DELETE" })).status, 200);
    assert.equal((await t.fetch(`${CARTS}/first`)).status, 404);
    assert.equal((await t.fetch("/apis/shop.example/v2")).status, 404);
  });
});

Deno.test("a path that begins with an empty part is no extension server's", async () => {
  await withExtension([], async (t, extension) => {
    const asked = extension.asked.length;
    for (const path of [`/${CARTS}`, CARTS.replace("/apis/", "/apis//"), CARTS.replace("/v1/", "//v1/")]) {
      assert.equal((await t.fetch(path)).status, 404, path);
    }
    assert.ok(extension.asked.slice(asked).every((a) => !a.path.endsWith("/carts")));
  });
});

Deno.test("a group and a version whose names join to that of an object are not for that reason an extension server's", async () => {
  await withExtension([], async (t, extension) => {
    const other = CARTS.replace("shop.example/v1", "example/v1.shop");
    assert.equal((await t.fetch(other)).status, 404);
    assert.ok(extension.asked.every((a) => a.path !== other));
  });
});

Deno.test("a watch streams, and ends behind when the client goes", async () => {
  await withExtension([], async (t, extension) => {
    const response = await t.open(`${CARTS}?watch=true`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (const name of ["a", "b"]) {
      await t.fetch(CARTS, { body: cart(name) });
      let event = "";
      while (!event.endsWith("\n")) event += (await soon(reader.read(), "the event")).value;
      assert.equal(JSON.parse(event).object.metadata.name, name);
    }
    assert.equal(extension.watching, 1);
    await reader.cancel();
    await until("the watch behind ended", () => extension.watching === 0);
  });
});

for (const gate of [true, false]) {
  Deno.test(`the extension server is told who asks, by this server's word alone (gate ${gate})`, async () => {
    const files = { proxyClient: () => FRONT_CLIENT };
    const flags = [`--feature-gates=RemoteRequestHeaderUID=${gate}`, "--requestheader-username-headers=X-Who"];
    await withExtension(flags, async (t, extension) => {
      const user = {
        name: "zoë",
        uid: "u-1",
        groups: ["system:masters", "dev, ops"],
        extra: { "example.org/scope": ["a", "b"] },
      };
      const headers = {
        "x-remote-user": "root",
        "x-remote-uid": "0",
        "x-remote-group": "wheel",
        "x-remote-extra-more": "x",
        "x-who": "root",
        authorization: "Bearer secret",
        "x-kept": "yes",
      };
      assert.equal((await t.fetch(CARTS, { headers }, user)).status, 200);
      const { headers: told, client, path } = extension.asked.findLast((a) => a.method === "GET" && a.path === CARTS)!;
      assert.equal(path, CARTS);
      assert.equal(client, "the-front");
      const utf8 = (v: string | null) => new TextDecoder().decode(Uint8Array.from(v ?? "", (c) => c.charCodeAt(0)));
      assert.equal(utf8(told.get("x-remote-user")), "zoë");
      assert.equal(told.get("x-remote-uid"), gate ? "u-1" : null);
      assert.equal(told.get("x-remote-group"), "system:masters, dev, ops");
      assert.equal(told.get("x-remote-extra-example.org%2Fscope"), "a, b");
      for (const name of ["x-remote-extra-more", "x-who", "authorization"]) assert.equal(told.get(name), null, name);
      assert.equal(told.get("x-kept"), "yes");
      assert.equal(told.get("x-forwarded-uri"), CARTS);
      assert.match(told.get("audit-id")!, /^[0-9a-f-]{36}$/);
    }, { moreFiles: files });
  });
}

Deno.test("a request as somebody else is that one's, and nobody is asked for again behind", async () => {
  await withExtension([], async (t, extension) => {
    const headers = {
      "impersonate-user": "ann",
      "impersonate-group": "system:masters",
      "impersonate-extra-scope": "a",
    };
    assert.equal((await t.fetch(CARTS, { headers })).status, 200);
    const { headers: told } = extension.asked.findLast((a) => a.path === CARTS)!;
    assert.equal(told.get("x-remote-user"), "ann");
    assert.equal(told.get("x-remote-extra-scope"), "a");
    assert.ok(![...told.keys()].some((name) => name.startsWith("impersonate-")));
  });
});

Deno.test("who may not is refused before the extension server hears of it", async () => {
  await withExtension([], async (t, extension) => {
    const before = extension.asked.length;
    const refused = await t.fetch(CARTS, {}, { name: "nobody", groups: ["system:authenticated"] });
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /carts.shop.example is forbidden/);
    const asked = extension.asked.slice(before).filter((a) => a.path === CARTS);
    assert.equal(asked.length, 0);
  });
});

Deno.test("a server that is not available, or cannot be reached, is answered for with 503", async () => {
  await withExtension([], async (t, extension) => {
    extension.before = ({ url }) => url.endsWith("/cut") ? Promise.reject(new Error("ends")) : undefined;
    await t.fetch("/api/v1/namespaces/team/services/carts", { method: "DELETE" });
    await until("the condition changed", async () => (await condition(t))?.reason === "ServiceNotFound");
    const gone = await t.fetch(CARTS);
    assert.deepEqual([gone.status, gone.text], [503, "service unavailable\n"]);
    assert.match(gone.headers.get("content-type")!, /^text\/plain/);
    const metrics = (await t.fetch("/metrics")).text;
    assert.match(metrics, /^aggregator_unavailable_apiservice\{name="v1.shop.example"\} 1$/m);
    assert.match(metrics, /^aggregator_unavailable_apiservice\{name="v1.apps"\} 0$/m);
    const lost = /^aggregator_unavailable_apiservice_total\{name="v1.shop.example",reason="ServiceNotFound"\} 1$/m;
    assert.match(metrics, lost);
  });
  await withExtension([], async (t, extension) => {
    await extension.stop();
    const lost = await t.fetch(CARTS);
    assert.equal(lost.status, 503);
    assert.match(lost.text, /cannot be reached/);
  });
});

Deno.test("what browsers of other origins may do is said by this server alone", async () => {
  await withExtension([], async (t, extension) => {
    const own = { "access-control-allow-origin": "*", "access-control-allow-credentials": "true", "x-own": "kept" };
    extension.before = ({ url }) => new URL(url).pathname === CARTS ? new Response("{}", { headers: own }) : undefined;
    const { headers } = await t.fetch(CARTS);
    assert.deepEqual([...headers.keys()].filter((name) => name.startsWith("access-control-")), []);
    assert.equal(headers.get("x-own"), "kept");
  });
});

Deno.test("the certificate must be of the service's name and of the authority, unless nobody looks", async () => {
  await withExtension([], async (t) => {
    await until("the check failed", async () => (await condition(t))?.reason === "FailedDiscoveryCheck");
    assert.equal((await t.fetch(CARTS)).status, 503);
  }, { wait: false, spec: { caBundle: btoa(ca.cert) } });
  await withExtension([], async (t) => assert.equal((await t.fetch(CARTS)).status, 200), {
    spec: { caBundle: undefined, insecureSkipTLSVerify: true },
  });
  await withExtension([], async (t) => assert.equal((await t.fetch(CARTS)).status, 200), {
    spec: { caBundle: btoa(EXTENSION_CERT) },
  });
});

Deno.test("a WebSocket goes through to the extension server", async () => {
  await withExtension([], async (t) => {
    await withListener((request, connection) => t.server.fetch(request, connection), {}, async ({ port }) => {
      const socket = new Client(`wss://127.0.0.1:${port}${CARTS}/first/console`, { ca: ca.cert });
      await soon(new Promise((done, fail) => socket.once("open", done).once("error", fail)), "the handshake");
      const said = new Promise((resolve) => socket.once("message", (m: unknown) => resolve(String(m))));
      socket.send("hello");
      assert.equal(await soon(said, "the echo"), "echo hello");
      const end = new Promise((resolve) => socket.once("close", resolve));
      socket.close();
      await soon(end, "the end");
    });
  });
});

Deno.test("in a host that cannot give connections away an upgrade is refused clearly", async () => {
  await withExtension([], async (t) => {
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    const request = new Request(`https://test${CARTS}/first/console`);
    Object.defineProperty(request, "headers", { value: new Headers(headers) });
    const response = await t.server.app.fetch(request);
    assert.equal(response.status, 400);
    assert.match(await response.text(), /cannot be upgraded/);
  });
});

/** An answer whose end never comes, and a promise of that nobody reads it any more. */
function endless(): { response: Response; left: Promise<void> } {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"items":[')),
    cancel: () => resolve(),
  });
  return { response: new Response(body, { headers: { "content-type": "application/json" } }), left };
}

Deno.test("an answer that begins and does not end is cut off when the request's time is over, and let go behind", async () => {
  await withExtension(["--request-timeout=4s"], async (t, extension) => {
    const { response, left } = endless();
    extension.before = (r) => r.method === "GET" && new URL(r.url).pathname === CARTS ? response : undefined;
    const answer = await t.open(CARTS);
    assert.equal(answer.status, 200);
    await assert.rejects(soon(answer.text(), "the end of the answer"), /not whole within 4 s/);
    await soon(left, "the end behind");
  });
});
