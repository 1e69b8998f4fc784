import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connectionFile } from "../../../agent/client/mod.ts";
import { growing } from "../../../agent/client/pauses.ts";
import { framesOf } from "../../../agent/client/frames.ts";
import { paceOf } from "../../../agent/client/pace.ts";
import { ApiError } from "../../../agent/types.ts";
import { authority, ca, until, withListener } from "../../listen/_fixture.ts";
import { clientOf, fastClock, realClock, Told } from "./_client.ts";

/** Runs with a server whose answers the test writes, and what it was asked. */
async function withAnswers(
  answer: (url: URL, response: ServerResponse, request: IncomingMessage) => void,
  run: (server: string, asked: URL[]) => Promise<void>,
) {
  const asked: URL[] = [];
  const server = http.createServer((request, response) => {
    const url = new URL(request.url!, "http://x");
    asked.push(url);
    answer(url, response, request);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked);
  } finally {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  }
}

const JSON_HEAD = { "content-type": "application/json" };
const status = (code: number, reason: string) =>
  JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message: "no" });
const list = (resourceVersion: string, ...names: string[]) =>
  JSON.stringify({
    kind: "PodList",
    apiVersion: "v1",
    metadata: { resourceVersion },
    items: names.map((name) => ({ metadata: { name } })),
  });

Deno.test("a server that says when to ask again is asked again then", async () => {
  let times = 0;
  await withAnswers((_, response) => {
    if (++times <= 2) {
      response.writeHead(times === 1 ? 429 : 503, { ...JSON_HEAD, "retry-after": "7" }).end(
        status(429, "TooManyRequests"),
      );
    } else response.writeHead(times === 3 ? 200 : 429, JSON_HEAD).end(times === 3 ? "{}" : status(429, "Busy"));
  }, async (server) => {
    const clock = fastClock();
    const api = clientOf({ server }, "kubernetes", { clock });
    assert.deepEqual(await api.request("POST", "/x", { body: {} }), {});
    assert.deepEqual(clock.waited.filter((ms) => ms === 7000).length, 2);
    await assert.rejects(api.request("GET", "/x"), (e) => e instanceof ApiError && e.reason === "Busy");
    api.renew();
  });
});

Deno.test("a follower hears all anew when its version is gone, of the newest when that of its list is", async () => {
  const gone = JSON.stringify({ type: "ERROR", object: JSON.parse(status(410, "Expired")) }) + "\n";
  const event = (type: string, name: string, resourceVersion: string) =>
    JSON.stringify({ type, object: { kind: "Pod", apiVersion: "v1", metadata: { name, resourceVersion } } }) + "\n";
  let lists = 0, watches = 0;
  await withAnswers((url, response) => {
    const watch = url.searchParams.get("watch");
    if (watch && ++watches === 4) return void response.writeHead(200, JSON_HEAD).flushHeaders();
    response.writeHead(!watch && lists === 1 ? 504 : 200, JSON_HEAD);
    if (!watch) {
      const answers = [list("5", "a", "b"), status(504, "Timeout"), list("3", "c")];
      return void response.end(answers[lists++]);
    }
    const stream = [event("ADDED", "d", "6") + event("BOOKMARK", "", "8"), gone, event("DELETED", "c", "4")];
    response.end(stream[watches - 1]);
  }, async (server, asked) => {
    const told = new Told(), stop = new AbortController();
    const api = clientOf({ server: `${server}/prefix/` }, "kubernetes", { clock: fastClock() });
    const end = api.follow("/api/v1/pods", { fieldSelector: "spec.nodeName=n" }, told, stop.signal);
    await until("the last watch begins", () => watches === 4);
    stop.abort();
    await end;
    api.renew();
    assert.ok(asked.every((u) => u.pathname === "/prefix/api/v1/pods" && u.searchParams.has("fieldSelector")));
    assert.deepEqual(
      asked.map((u) => [u.searchParams.get("watch") ?? "list", u.searchParams.get("resourceVersion")].join(" ")),
      ["list 0", "true 5", "true 8", "list 8", "list ", "true 3", "true 4"],
    );
    assert.deepEqual([...told.objects.keys()], []);
    assert.equal(told.replaced, 2);
  });
});

Deno.test("a follower that is told nothing to the end of a watch asks whether its version is still there", async () => {
  let lists = 0, watches = 0, ticks = 0;
  const times: number[] = [];
  await withAnswers((url, response) => {
    if (!url.searchParams.get("watch")) {
      const answers = [list("9", "a", "b"), status(504, "Timeout"), list("3", "c")];
      return void response.writeHead(lists === 1 ? 504 : 200, JSON_HEAD).end(answers[lists++]);
    }
    const seconds = Number(url.searchParams.get("timeoutSeconds"));
    times.push(seconds);
    // Another server answers from then on, which has not come to the version.
    if (++watches === 1) return void response.destroy();
    response.writeHead(200, JSON_HEAD);
    if (watches === 3) return response.flushHeaders();
    ticks += seconds * 1000;
    response.end();
  }, async (server, asked) => {
    const told = new Told(), stop = new AbortController();
    const api = clientOf({ server }, "kubernetes", { clock: { ...fastClock(), ticks: () => ticks } });
    const end = api.follow("/api/v1/pods", {}, told, stop.signal);
    await until("it goes on from what is there", () => watches === 3);
    stop.abort();
    await end;
    api.renew();
    assert.deepEqual(
      asked.map((u) => [u.searchParams.get("watch") ?? "list", u.searchParams.get("resourceVersion")].join(" ")),
      ["list 0", "true 9", "true 9", "list 9", "list ", "true 3"],
    );
    assert.deepEqual([...told.objects.keys()], ["c"]);
    const [first, doubted, sure] = times;
    assert.ok(doubted! < 60 && first! >= 300 && sure! >= 300, times.join());
  });
});

Deno.test("requests end by their signal and in their time, watches in theirs; then connections are taken anew", async () => {
  const open: IncomingMessage[] = [];
  await withAnswers((url, response, request) => {
    open.push(request);
    if (url.searchParams.get("watch")) response.writeHead(200, JSON_HEAD).flushHeaders();
    else if (url.pathname === "/list") response.writeHead(200, JSON_HEAD).end(list("1"));
  }, async (server, asked) => {
    const api = clientOf({ server }, "kubernetes");
    const stop = new AbortController();
    const told = new Told();
    const end = api.follow("/list", {}, told, stop.signal);
    const watches = () => asked.filter((u) => u.searchParams.has("watch")).length;
    await until("it watches", () => watches() === 1);
    const cancel = new AbortController();
    const cancelled = api.request("GET", "/silent", { signal: cancel.signal });
    await until("it is asked", () => open.length === 3);
    cancel.abort(new Error("enough"));
    await assert.rejects(cancelled, /enough/);
    const short = api.paced({ qps: -1, burst: 0, timeoutMs: 100 });
    await assert.rejects(short.request("GET", "/silent"), /no answer within 0.1 s/);
    await until("it watches anew", () => watches() === 2);
    stop.abort();
    await end;
    assert.equal(told.replaced, 1);
    api.renew();
  });
});

Deno.test("many requests share few connections", async () => {
  const sockets = new Set<unknown>();
  await withAnswers((_, response, request) => {
    sockets.add(request.socket);
    setTimeout(() => response.writeHead(200, JSON_HEAD).end("{}"), 5);
  }, async (server) => {
    const api = clientOf({ server }, "kubernetes", { orchApiQps: -1 });
    await Promise.all(Array.from({ length: 200 }, () => api.request("GET", "/x")));
    assert.ok(sockets.size <= 32, `${sockets.size} connections`);
    api.renew();
  });
});

Deno.test("credentials in files are taken when they change, once they fit", async () => {
  const clients = authority("clients"), dir = Deno.makeTempDirSync();
  const write = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) Deno.writeTextFileSync(`${dir}/${name}`, text);
  };
  const whoAsks = (request: Request, { peerCertificates }: { readonly peerCertificates: readonly Uint8Array[] }) => {
    const subject = new X509Certificate(peerCertificates[0]!).subject;
    return Response.json([subject, request.headers.get("authorization"), request.headers.get("user-agent")]);
  };
  const first = clients.leaf({ subject: { commonName: "first" }, usage: "client" });
  const second = clients.leaf({ subject: { commonName: "second" }, usage: "client" });
  let now = 0;
  const clock = { ...realClock, ticks: () => now };
  try {
    await withListener(whoAsks, {}, async ({ url }) => {
      write({
        ...first,
        token: "one\n",
        ca: ca.cert,
        config: `
clusters: [{name: c, cluster: {server: "${url}", certificate-authority: ca}}]
users: [{name: u, user: {client-certificate: cert, client-key: key, tokenFile: token}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`,
      });
      const api = clientOf(`${dir}/config`, "kubernetes", { clock });
      const asked = () => api.request("GET", "/");
      const later = (files: Record<string, string>) => (now += 2_000, write(files), asked());
      assert.deepEqual(await asked(), ["CN=first", "Bearer one", "orchlet/v1.37.0"]);
      assert.deepEqual(await later({ token: "two" }), ["CN=first", "Bearer two", "orchlet/v1.37.0"]);
      assert.deepEqual(await later({ cert: second.cert }), ["CN=first", "Bearer two", "orchlet/v1.37.0"]);
      assert.deepEqual(await later({ key: second.key }), ["CN=second", "Bearer two", "orchlet/v1.37.0"]);
      assert.deepEqual(await later({ config: "{" }), ["CN=second", "Bearer two", "orchlet/v1.37.0"]);
      api.renew();
      assert.throws(
        () => connectionFile("orchconfig", `${dir}/none`, clock),
        /--orchconfig: cannot read ".*none": no such file or directory$/,
      );
      assert.throws(() => connectionFile("orchconfig", `${dir}/token`, clock), /leads to no cluster/);
    });
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
});

Deno.test("a program that says who the agent is is asked anew once the server does not know it any more", async () => {
  const dir = await Deno.makeTempDir(), version = "client.authentication.k8s.io/v1";
  const says = (token: string) =>
    Deno.writeTextFile(
      `${dir}/answer`,
      JSON.stringify({ apiVersion: version, kind: "ExecCredential", status: { token } }),
    );
  let known = "Bearer one";
  try {
    await Deno.writeTextFile(`${dir}/who`, `#!/bin/sh\necho run >> "$1/runs"\ncat "$1/answer"\n`, { mode: 0o755 });
    await says("one");
    await withAnswers((_, response, { headers }) => {
      const ok = headers.authorization === known;
      response.writeHead(ok ? 200 : 401, JSON_HEAD).end(ok ? "{}" : status(401, "Unauthorized"));
    }, async (server) => {
      const file = {
        "current-context": "c",
        contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
        clusters: [{ name: "k", cluster: { server } }],
        users: [{
          name: "u",
          user: { exec: { apiVersion: version, interactiveMode: "Never", command: "./who", args: [dir] } },
        }],
      };
      await Deno.writeTextFile(`${dir}/file`, JSON.stringify(file));
      const api = clientOf(`${dir}/file`, "kubernetes");
      await Promise.all([1, 2, 3].map(() => api.request("GET", "/x")));
      [known] = ["Bearer two"];
      await says("two");
      await assert.rejects(api.request("GET", "/x"), (e) => e instanceof ApiError && e.code === 401);
      assert.deepEqual(await api.request("GET", "/x"), {});
      assert.equal(await Deno.readTextFile(`${dir}/runs`), "run\nrun\n");
      await Deno.writeTextFile(`${dir}/who`, "#!/bin/sh\necho no such user >&2\nexit 3\n");
      [known] = ["Bearer three"];
      await assert.rejects(api.request("GET", "/x"), (e) => e instanceof ApiError && e.code === 401);
      await assert.rejects(api.request("GET", "/x"), /the credential program ".*\/who": .*no such user/s);
      api.renew();
    });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("a pace gives so many turns at once, then so many a second", async () => {
  let now = 0;
  const waits: number[] = [];
  const clock = { now: () => 0, ticks: () => now, wait: (ms: number) => (waits.push(ms), Promise.resolve()) };
  const { signal } = new AbortController();
  const pace = paceOf(10, 3, clock);
  for (let i = 0; i < 5; i++) await pace.turn(signal);
  assert.deepEqual(waits, [100, 200]);
  now = 1_000;
  for (let i = 0; i < 4; i++) await pace.turn(signal);
  assert.deepEqual(waits, [100, 200, 100]);
  await assert.rejects(async () => {
    for (;;) await pace.turn(signal);
  }, /too many/);
  await assert.rejects(pace.turn(AbortSignal.abort(new Error("over"))), /over/);
});

Deno.test("pauses double up to their bound and begin again", () => {
  const pauses = growing(800, 30_000, () => new Uint8Array(4));
  const three = () => [pauses.next(), pauses.next(), pauses.next()];
  assert.deepEqual(three(), [800, 1600, 3200]);
  for (let i = 0; i < 9; i++) pauses.next();
  assert.equal(pauses.next(), 30_000);
  pauses.reset();
  assert.deepEqual(three(), [800, 1600, 3200]);
});

Deno.test("frames come whole however the stream is cut", () => {
  const size = (n: number) => [0, 0, 0, n];
  const kinds = [
    { protobuf: true, stream: [...size(2), 7, 8, ...size(1), 9, ...size(3), 1, 2, 3] },
    { protobuf: false, stream: [7, 8, 10, 9, 10, 10, 1, 2, 3, 10] },
  ];
  for (const { protobuf, stream } of kinds) {
    for (let cut = 1; cut <= stream.length; cut++) {
      const frames: number[][] = [];
      const take = framesOf(protobuf, (frame) => frames.push([...frame]));
      for (let i = 0; i < stream.length; i += cut) take(new Uint8Array(stream.slice(i, i + cut)));
      assert.deepEqual(frames, [[7, 8], [9], [1, 2, 3]]);
    }
  }
  assert.throws(() => framesOf(true, () => {})(new Uint8Array([255, 0, 0, 0])), /too large/);
});

Deno.test("what is read goes round all kept connections that the server has forgotten, not one", async () => {
  const KEPT = 4;
  const used = new Set<unknown>();
  const waiting: ServerResponse[] = [];
  let forgotten = false;
  await withAnswers((_, response, { socket }) => {
    const kept = used.has(socket);
    used.add(socket);
    if (forgotten) return void (kept ? socket.resetAndDestroy() : response.writeHead(200, JSON_HEAD).end("{}"));
    // All at once: each has a connection of its own.
    waiting.push(response);
    if (waiting.length === KEPT) { for (const one of waiting) one.writeHead(200, JSON_HEAD).end("{}"); }
  }, async (server) => {
    const api = clientOf({ server }, "kubernetes");
    await Promise.all(Array.from({ length: KEPT }, () => api.request("GET", "/x")));
    forgotten = true;
    assert.deepEqual(await api.request("GET", "/x"), {});
    api.renew();
  });
});

Deno.test("what is ended on a kept connection is not asked once more", async () => {
  const end = new AbortController();
  await withAnswers((url, response) => {
    if (url.pathname !== "/silent") response.writeHead(200, JSON_HEAD).end("{}");
  }, async (server, asked) => {
    const api = clientOf({ server }, "kubernetes");
    await api.request("GET", "/first");
    const ended = api.request("PATCH", "/silent", { body: {}, signal: end.signal });
    await until("the request", () => asked.length === 2);
    end.abort(new Error("enough"));
    await assert.rejects(ended, /enough/);
    await api.request("GET", "/last");
    assert.deepEqual(asked.map(({ pathname }) => pathname), ["/first", "/silent", "/last"]);
    api.renew();
  });
});
