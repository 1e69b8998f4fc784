import assert from "node:assert/strict";
import net from "node:net";
import { duplexPair, type Writable } from "node:stream";
import { WebSocket } from "ws";
import { pauseBelow } from "../../host/flow.ts";
import { paced } from "../../server/proxy/paced.ts";
import type { Listening } from "../../server/listen/mod.ts";
import { ca, connectTls, readUntil, soon, until } from "../listen/_fixture.ts";
import { HERE, node, POD, pod, withCluster } from "./_cluster.ts";

/** A WebSocket through the server, and what came by it. */
interface Opened {
  readonly ws: WebSocket;
  /** Messages as text; the channel is their first character, its number or its digit. */
  readonly got: string[];
  readonly closed: Promise<void>;
}

async function open(front: Listening, path: string, offered: string[]): Promise<Opened> {
  const ws = new WebSocket(`${front.url.replace("https", "wss")}${path}`, offered, { ca: ca.cert });
  const got: string[] = [];
  ws.on("message", (data: Uint8Array) => got.push(new TextDecoder("latin1").decode(new Uint8Array(data))));
  const closed = new Promise<void>((done) => ws.once("close", () => done()));
  await soon(new Promise((done, failed) => ws.once("open", done).once("error", failed)), "the upgrade");
  return { ws, got, closed };
}

const channel = (n: number, text: string) => Uint8Array.of(n, ...new TextEncoder().encode(text));

Deno.test("exec: what the agent's process writes and reads passes message by message", async () => {
  await withCluster({}, async ({ front, agent }) => {
    const path = `${POD}/exec?command=cat&command=a+b&stdin=true&stdout=1&stderr=true&tty=false`;
    const { ws, got, closed } = await open(front, path, ["v5.channel.k8s.io", "v4.channel.k8s.io"]);
    assert.equal(ws.protocol, "v5.channel.k8s.io");
    const { method, url, client, headers } = agent.asked[0]!;
    assert.equal(method, "GET");
    assert.equal(url, "/exec/default/web/main?command=cat&command=a+b&error=1&input=1&output=1");
    assert.deepEqual([client, headers.authorization], ["the-server", undefined]);
    ws.send(channel(0, "typed"));
    await until("the echo", () => got.length === 2);
    ws.send(Uint8Array.of(255, 0));
    await soon(closed, "the end");
    assert.deepEqual(got.slice(0, 2), ["\u0001/exec/default/web/main cat a b\n", "\u0001typed"]);
    assert.equal(got[2]!.charCodeAt(0), 3);
    assert.match(got[2]!, /"status":"Success"/);
    await until("the agent's side is over", () => agent.upgraded === 0);
  });
});

Deno.test("exec: text in base64, subprotocols of old, and none at all", async () => {
  await withCluster({}, async ({ front }) => {
    const base64 = await open(front, `${POD}/exec?command=cat&stdout=true`, ["base64.channel.k8s.io"]);
    await soon(base64.closed, "the end");
    assert.equal(atob(base64.got[0]!.slice(1)), "/exec/default/web/main cat\n");
    const plain = await open(front, `${POD}/exec?command=cat&stdout=true`, ["channel.k8s.io"]);
    await soon(plain.closed, "the end");
    assert.equal(plain.got[0], "\u0001/exec/default/web/main cat\n");
  });
});

Deno.test("attach and portforward lead to paths of their own; large messages pass both ways", async () => {
  await withCluster({}, async ({ front, agent }) => {
    const { ws, got } = await open(front, `${POD}/attach?container=main&stdin=true`, ["v4.channel.k8s.io"]);
    const large = "0123456789abcdef".repeat(200_000);
    ws.send(new TextEncoder().encode(`\u0000${large}`));
    await until("the echo", () => got.length === 2);
    assert.ok(got[1] === `\u0001${large}`);
    ws.close();
    await until("the agent is told", () => agent.upgraded === 0);
    const ports = await open(front, `${POD}/portforward?ports=8080&ports=9090,1`, ["v4.channel.k8s.io"]);
    assert.equal(agent.asked.at(-1)!.url, "/portForward/default/web?port=8080%2C9090%2C1");
    ports.ws.terminate();
  });
});

Deno.test("Other protocols pass too: SPDY clients reach an agent that speaks it", async () => {
  await withCluster({}, async ({ front, agent }) => {
    const socket = await connectTls(front.port);
    socket.write(SPDY("exec?command=x&stdout=true"));
    assert.match(await readUntil(socket, (t) => t.includes("\r\n\r\n")), /^HTTP\/1.1 101 [^]*upgrade: SPDY\/3\.1\r\n/i);
    socket.write("frames of it");
    assert.equal(await readUntil(socket, (t) => t.length >= 12), "frames of it");
    const { lines } = agent.asked[0]!;
    const versions = lines.filter((_, i) => /stream-protocol/i.test(lines[i - 1] ?? ""));
    assert.deepEqual(versions, ["v4.channel.k8s.io", "channel.k8s.io"]);
    socket.destroy();
  });
});

const SPDY = (path: string) =>
  `POST ${POD}/${path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\n` +
  "x-stream-protocol-version: v4.channel.k8s.io\r\nx-stream-protocol-version: channel.k8s.io\r\n" +
  "content-length: 0\r\n\r\n";

Deno.test("A client that does not read holds its agent back, and gets all when it does", async () => {
  await withCluster({}, async ({ front, agent }) => {
    const chunk = new Uint8Array(65_536), all = 150 * 1024 * 1024;
    const rows: [request: string, answer: (flood: (to: Writable) => void) => void][] = [
      [`GET ${POD}/log HTTP/1.1\r\nhost: x\r\n\r\n`, (flood) => agent.handle = (_, response) => flood(response)],
      [SPDY("attach?stdin=1"), (flood) => agent.spoken = flood],
    ];
    for (const [request, answer] of rows) {
      let sent = 0, got = 0, seen = -1;
      const pump = (to: Writable): void => {
        while (sent < all) {
          sent += chunk.length;
          if (!to.write(chunk)) return void to.once("drain", () => pump(to));
        }
        to.end();
      };
      answer(pump);
      const raw = net.connect({ host: "127.0.0.1", port: front.port });
      const socket = await connectTls(front.port, { socket: raw });
      pauseBelow(socket, raw);
      socket.write(request);
      await soon(
        new Promise<void>((done) =>
          socket.once("data", (first: Uint8Array) => {
            got = first.length;
            socket.pause();
            done();
          })
        ),
        "the first bytes",
      );
      // Nothing moves any more.
      while (seen !== sent) {
        seen = sent;
        await new Promise((done) => setTimeout(done, 300));
      }
      assert.ok(sent < all / 2, `${sent} of ${all} bytes were taken`);
      socket.on("data", (more: Uint8Array) => got += more.length);
      socket.resume();
      await until("all is there", () => got >= all);
      socket.destroy();
    }
  });
});

Deno.test("Streams keep to the bytes a second of a connection", async () => {
  const taken: number[] = [];
  const pace = {
    take(bytes: number) {
      taken.push(bytes);
      return Promise.resolve();
    },
  };
  const [near, far] = duplexPair();
  const slow = paced(near, pace);
  far.end("from afar");
  let text = "";
  slow.on("data", (chunk) => text += chunk);
  slow.write("from here");
  await soon(new Promise((done) => slow.once("close", done)), "the end");
  assert.deepEqual([text, taken.reduce((a, b) => a + b, 0)], ["from afar", 18]);
  assert.equal(String(far.read()), "from here");
  await withCluster({ flags: ["--max-connection-bytes-per-sec=10000000"] }, async ({ front }) => {
    const { got, closed } = await open(front, `${POD}/exec?command=cat&stdout=true`, ["v4.channel.k8s.io"]);
    await soon(closed, "the end");
    assert.equal(got.length, 2);
  });
});

Deno.test("Streams are refused before an agent is asked", async () => {
  await withCluster({}, async ({ t, front, agent }) => {
    await pod(t, "two", { nodeName: "node-a", containers: ["a", "b"] });
    await pod(t, "lost", { nodeName: "node-b" });
    await pod(t, "mute", { nodeName: "node-c" });
    await node(t, "node-c", []);
    const rows: [path: string, code: number, reason: string | undefined][] = [
      ["web/exec?command=x&stdout=1&dryRun=All", 400, "BadRequest"],
      ["web/exec?command=x&stdout=1&container=other", 400, "BadRequest"],
      ["two/attach?stdout=1", 400, "BadRequest"],
      ["none/exec?command=x&stdout=1", 400, "BadRequest"],
      ["none/portforward", 400, "BadRequest"],
      ["lost/exec?command=x&stdout=1", 404, "NotFound"],
      ["mute/attach?stdout=1", 500, undefined],
      ["absent/exec", 404, "NotFound"],
      ["web/exec?command=x&stdout=1", 400, "BadRequest"],
    ];
    for (const [path, code, reason] of rows) {
      const { status, body } = await t.fetch(`/api/v1/namespaces/default/pods/${path}`, { method: "POST" });
      assert.deepEqual([status, body.reason], [code, reason], path);
    }
    assert.equal(agent.asked.length, 0);
    const refused = open(front, `${POD}/exec?command=refused&stdout=1`, ["v5.channel.k8s.io"]);
    await assert.rejects(refused, /403/);
    const unknown = open(front, `${POD}/exec?command=x&stdout=1`, ["v6.channel.k8s.io"]);
    await assert.rejects(unknown, /subprotocol|Unexpected server response|Server sent no/);
  });
});

Deno.test("Streams over a WebSocket need what a change needs", async () => {
  const reader = { name: "reader", groups: ["system:authenticated"] };
  const rule = (verbs: string[]) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "reads" },
    rules: [{ apiGroups: [""], resources: ["pods/exec", "pods/attach", "pods/portforward"], verbs }],
  });
  const binding = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "reads" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reads" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "reader" }],
  };
  const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  const codes = async (flags: string[], verbs: string[]) => {
    const seen: number[] = [];
    await withCluster({ flags }, async ({ t }) => {
      await t.fetch(roles, { body: rule(verbs) });
      await t.fetch(`${roles.slice(0, -1)}bindings`, { body: binding });
      for (const what of ["exec?command=x&stdout=1", "attach?stdout=1", "portforward"]) {
        seen.push((await t.fetch(`${POD}/${what}`, {}, reader)).status);
      }
    });
    return seen;
  };
  assert.deepEqual(await codes([], ["get"]), [403, 403, 403]);
  assert.deepEqual(await codes([], ["get", "create"]), [400, 400, 400]);
  const off = ["--feature-gates=AuthorizePodWebsocketUpgradeCreatePermission=false"];
  assert.deepEqual(await codes(off, ["get"]), [400, 400, 400]);
});

Deno.test("An agent that is not there is told of at once", async () => {
  await withCluster({}, async ({ t, front }) => {
    await node(t, "node-x", [{ type: "InternalIP", address: HERE }], 1);
    await pod(t, "far", { nodeName: "node-x" });
    const { status, body } = await t.fetch("/api/v1/namespaces/default/pods/far/log");
    assert.deepEqual([status, body.reason, body.details], [500, undefined, undefined]);
    const path = "/api/v1/namespaces/default/pods/far/exec?command=x&stdout=1";
    await assert.rejects(open(front, path, ["v5.channel.k8s.io"]), /500/);
  });
});

Deno.test("The end of the server's lasting requests ends streams", async () => {
  await withCluster({}, async ({ t, front, agent }) => {
    const { closed, got } = await open(front, `${POD}/attach?stdin=true`, ["v5.channel.k8s.io"]);
    await until("it is open", () => got.length === 1);
    t.server.endLasting();
    await soon(closed, "the end");
    await until("the agent's side is over", () => agent.upgraded === 0);
  });
});

Deno.test("A log over a WebSocket comes in messages", async () => {
  await withCluster({}, async ({ front, agent }) => {
    agent.handle = (_, response) => void response.end("line\n");
    const binary = await open(front, `${POD}/log`, ["binary.k8s.io"]);
    await soon(binary.closed, "the end");
    assert.deepEqual(binary.got, ["", "line\n"]);
    const base64 = await open(front, `${POD}/log`, ["base64.binary.k8s.io"]);
    await soon(base64.closed, "the end");
    assert.deepEqual(base64.got, ["", btoa("line\n")]);
    await assert.rejects(open(front, `${POD}/log`, ["v4.channel.k8s.io"]), /403/);
  });
});

Deno.test("A WebSocket that cannot be made leaves no log open behind it", async () => {
  await withCluster({}, async ({ front, agent }) => {
    let asked = 0, reading = 0;
    agent.handle = (_, response) => {
      asked++;
      reading++;
      response.write("line\n");
      response.once("close", () => reading--);
    };
    const socket = await connectTls(front.port);
    let answer = "";
    socket.on("data", (chunk) => answer += chunk.toString());
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13";
    socket.write(`GET ${POD}/log?follow=true HTTP/1.1\r\nHost: h\r\n${upgrade}\r\n\r\n`);
    await until("the answer", () => answer.includes("\r\n\r\n"));
    assert.match(answer, /^HTTP\/1\.1 400 /);
    await until("the log's end", () => asked === 1 && reading === 0);
    socket.destroy();
  });
});
