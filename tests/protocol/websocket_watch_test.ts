/** Watches over WebSockets, by a public client over the real listener. */
import assert from "node:assert/strict";
import http from "node:http";
import type { TestServer } from "../fixture/server.ts";
import { until } from "../listen/_fixture.ts";
import { type Message, withSockets } from "./_sockets.ts";

const PATH = "/api/v1/namespaces/default/configmaps";
const json = ({ bytes }: Message) => JSON.parse(new TextDecoder().decode(bytes));
const create = (t: TestServer, name: string) => t.fetch(PATH, { method: "POST", body: { metadata: { name } } });

Deno.test("WebSocket watch: each event is one text message of JSON, until the client closes", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    const client = open(`${PATH}?watch=1&resourceVersion=0`);
    const [first] = await client.take(1);
    assert.equal(first!.binary, false);
    assert.deepEqual([json(first!).type, json(first!).object.metadata.name], ["ADDED", "a"]);
    await create(t, "b");
    await t.fetch(`${PATH}/b`, { method: "DELETE" });
    const rest = await client.take(2);
    assert.deepEqual(rest.map((m) => [json(m).type, json(m).object.metadata.name]), [["ADDED", "b"], ["DELETED", "b"]]);
    client.close();
    await client.closed;
  });
});

Deno.test("WebSocket watch: Protobuf comes as binary messages without a length before them", async () => {
  await withSockets(async (t, open) => {
    const client = open(`${PATH}?watch=1`, { accept: "application/vnd.kubernetes.protobuf" });
    const stream = await t.open(`${PATH}?watch=1`, {
      headers: { accept: "application/vnd.kubernetes.protobuf;stream=watch" },
    });
    await create(t, "a");
    const [message] = await client.take(1);
    const reader = stream.body!.getReader();
    const framed = (await reader.read()).value!;
    await reader.cancel();
    assert.equal(message!.binary, true);
    assert.deepEqual(message!.bytes, new Uint8Array(framed.subarray(4)));
  });
});

Deno.test("WebSocket watch: the subprotocol chosen is the first that carries no token", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    const token = `base64url.bearer.authorization.k8s.io.${btoa("secret").replaceAll("=", "")}`;
    const client = open(`${PATH}?watch=1`, {}, [token, "first", "second"]);
    await client.take(1);
    assert.equal(client.protocol, "first");
  });
});

Deno.test("WebSocket watch: ends at its time; what is not there is told before the upgrade", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    assert.equal(await open(`${PATH}?watch=1&timeoutSeconds=1`).closed, 1000);
    const early = open("/api/v1/nosuch?watch=1");
    await early.closed;
    assert.deepEqual(early.messages, []);
  });
});

Deno.test("WebSocket watch: the server's stop closes it", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    const client = open(`${PATH}?watch=1`);
    await client.take(1);
    await t.stop();
    await client.closed;
  });
});

Deno.test("WebSocket watch: a request that only half asks for it gets a plain stream", async () => {
  await withSockets(async (t) => {
    const stream = await t.open(`${PATH}?watch=1&timeoutSeconds=1`, { headers: { upgrade: "websocket" } });
    assert.equal(stream.status, 200);
    await stream.body!.cancel();
  });
});

Deno.test("WebSocket watch: of nothing but a token, the token's name is what was chosen", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    const client = open(`${PATH}?watch=1`, {}, ["base64url.bearer.authorization.k8s.io.c2VjcmV0"]);
    await client.take(1);
    assert.equal(client.protocol, "base64url.bearer.authorization.k8s.io.c2VjcmV0");
  });
});

Deno.test("WebSocket watch: a version of the protocol that there is not is refused", async () => {
  await withSockets(async (_t, _open, url) => {
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "7",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const status = await new Promise((resolve) => {
      http.get(`${url}${PATH}?watch=1`, { headers, agent: false }, (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode));
      });
    });
    assert.equal(status, 400);
  });
});

Deno.test("WebSocket watch: a version that is gone is told in the stream, which then ends", async () => {
  let now = Date.now();
  await withSockets(async (t, open) => {
    const { body } = await create(t, "a");
    await create(t, "b");
    now += 6 * 60_000;
    await create(t, "c");
    const client = open(`${PATH}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
    const [told] = await client.take(1);
    const { type, object } = json(told!);
    assert.deepEqual([type, object.kind, object.code, object.reason], ["ERROR", "Status", 410, "Expired"]);
    assert.equal(await client.closed, 1000);
    assert.deepEqual(client.messages, []);
  }, () => now);
});

Deno.test("WebSocket watch: what a client sends is read and ignored", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    const client = open(`${PATH}?watch=1`);
    await client.take(1);
    for (const message of ["hello", new Uint8Array(200_000), ""]) client.send(message);
    await create(t, "b");
    const [next] = await client.take(1);
    assert.equal(json(next!).object.metadata.name, "b");
  });
});

Deno.test("WebSocket watch: a client that does not read holds nobody else up, and gets every event in order once it reads", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    const slow = open(`${PATH}?watch=1`), quick = open(`${PATH}?watch=1`);
    await Promise.all([slow.take(1), quick.take(1)]);
    slow.pause();
    const text = "x".repeat(200_000), changes = 120;
    for (let n = 1; n <= changes; n++) {
      await t.fetch(`${PATH}/a`, {
        method: "PATCH",
        body: { data: { n: String(n), text } },
        headers: { "content-type": "application/merge-patch+json" },
      });
      const [event] = await quick.take(1);
      assert.equal(json(event!).object.data.n, String(n));
    }
    assert.ok(slow.messages.length < changes, "the slow one was held up");
    slow.resume();
    for (let n = 1; n <= changes; n++) {
      const [event] = await slow.take(1);
      assert.equal(json(event!).object.data.n, String(n));
    }
  });
});

Deno.test("WebSocket watch: a client that goes away frees its watch", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    const clients = Array.from({ length: 10 }, () => open(`${PATH}?watch=1`));
    await Promise.all(clients.map((c) => c.take(1)));
    const watches = () => t.fetch("/metrics").then((r) => watchesIn(r.text));
    assert.equal(await watches(), 10);
    for (const [i, c] of clients.entries()) i % 2 ? c.cut() : c.close();
    await until("all are freed", async () => await watches() === 0);
  });
});

/** Watches of config maps that the server holds. */
function watchesIn(metrics: string): number {
  const lines = metrics.split("\n").filter((l) => /^apiserver_registered_watchers\{.*configmaps/.test(l));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}
