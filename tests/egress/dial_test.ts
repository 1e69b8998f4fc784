/** Connections through each kind of proxy. */
import assert from "node:assert/strict";
import http from "node:http";
import { type AddressInfo, createServer } from "node:net";
import type { Duplex } from "node:stream";
import { plainOver } from "../../server/options/egress_agent.ts";
import { outsideBy } from "../../server/options/outside.ts";
import { until } from "../listen/_fixture.ts";
import { counted, Files } from "./_egress.ts";
import { ConnectProxy, Konnectivity, type Mischief } from "./_proxies.ts";
import type { Loose } from "../fixture/loose.ts";

/** A server that sends back what it gets. */
async function echo(): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.pipe(socket);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { port, stop: () => new Promise((done) => server.close(() => done())) };
}

/** Sends so many bytes and reads as many. */
async function round(socket: Duplex, size: number): Promise<boolean> {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.min(size, 65_536)));
  let got = 0, same = true;
  const done = new Promise<void>((resolve, reject) => {
    socket.on("data", (chunk: Uint8Array) => {
      for (const b of chunk) same &&= b === bytes[got++ % bytes.length];
      if (got >= size) resolve();
    });
    socket.on("error", reject);
  });
  for (let sent = 0; sent < size; sent += bytes.length) {
    socket.write(bytes.subarray(0, Math.min(bytes.length, size - sent)));
  }
  socket.resume();
  await done;
  return same && got === size;
}

interface Stage {
  readonly files: Files;
  readonly asked: readonly string[];
  readonly connection: Loose;
  readonly stop: () => Promise<void>;
}

const KINDS: Readonly<Record<string, (files: Files) => Promise<Omit<Stage, "files">>>> = {
  "http_connect tcp": async (files) => {
    const proxy = await new ConnectProxy().start();
    return { asked: proxy.asked, connection: files.connection(proxy), stop: () => proxy.stop() };
  },
  "http_connect tcp with TLS": async (files) => {
    const proxy = await new ConnectProxy(true).start();
    return { asked: proxy.asked, connection: files.connection(proxy), stop: () => proxy.stop() };
  },
  "http_connect uds": async (files) => {
    const proxy = await new ConnectProxy().start(`${files.dir}/proxy`);
    return { asked: proxy.asked, connection: files.connection(`${files.dir}/proxy`), stop: () => proxy.stop() };
  },
  "grpc uds": async (files) => {
    const proxy = await new Konnectivity(`${files.dir}/proxy`).start();
    return { asked: proxy.asked, connection: files.connection(proxy), stop: () => Promise.resolve(proxy.stop()) };
  },
};

for (const [kind, start] of Object.entries(KINDS)) {
  Deno.test(`a connection by ${kind} carries bytes both ways`, async () => {
    const files = new Files(), server = await echo(), { asked, connection, stop } = await start(files);
    try {
      const egress = files.egress({ cluster: connection });
      const labels = kind.replace(/ with.*/, "");
      const socket = await egress.to("cluster")!("127.0.0.1", server.port);
      assert.ok(await round(socket, 3_000_000));
      socket.destroy();
      assert.deepEqual(asked, [`127.0.0.1:${server.port}`]);
      assert.deepEqual(counted(egress), { [`start_total ${labels}`]: 1, [`duration_seconds_count ${labels}`]: 1 });
      assert.equal(egress.to("etcd"), undefined);
      assert.equal(egress.to(undefined), undefined);
    } finally {
      await stop();
      await server.stop();
      files.remove();
    }
  });
}

Deno.test("a proxy is asked for addresses of both families, and for names", async () => {
  const files = new Files(), server = await echo(), proxy = await new ConnectProxy().start();
  proxy.hosts.set("[2001:db8::1]:443", `127.0.0.1:${server.port}`).set("db.test:2379", `127.0.0.1:${server.port}`);
  const dial = files.egress({ etcd: files.connection(proxy) }).to("etcd")!;
  (await dial("2001:db8::1", 443)).destroy();
  (await dial("db.test", 2379)).destroy();
  assert.deepEqual(proxy.asked, ["[2001:db8::1]:443", "db.test:2379"]);
  assert.match(proxy.heads[0]!, /^CONNECT \[2001:db8::1\]:443 HTTP\/1\.1\r\nHost: /);
  await proxy.stop();
  await server.stop();
  files.remove();
});

Deno.test("a proxy with TLS is verified, and sees who asks", async () => {
  const files = new Files(), server = await echo(), proxy = await new ConnectProxy(true).start();
  try {
    const connection = files.connection(proxy), { tlsConfig } = connection.transport.tcp;
    const dial = (more: Loose) => {
      const tcp = { url: proxy.url, tlsConfig: { ...tlsConfig, ...more } };
      return files.egress({ cluster: { ...connection, transport: { tcp } } }).to("cluster")!("127.0.0.1", server.port);
    };
    for (const more of [{}, { tlsServerName: "proxy.test" }]) (await dial(more)).destroy();
    assert.deepEqual(proxy.clients, ["the-server", "the-server"]);
    await assert.rejects(dial({ tlsServerName: "other.test" }), /proxy 127\.0\.0\.1:\d+: .*(altname|certificate)/i);
    await assert.rejects(dial({ tlsServerName: "192.0.2.1" }), /proxy 127\.0\.0\.1:\d+: .*(altname|certificate)/i);
    await assert.rejects(dial({ caBundle: "" }), /certificate/i);
  } finally {
    await proxy.stop();
    await server.stop();
    files.remove();
  }
});

const WRONG: readonly (readonly [what: string, mischief: Mischief, why: RegExp])[] = [
  ["refuses", (s) => s.end("HTTP/1.1 503 Not now\r\n\r\n"), /answered 503 Not now when asked for 192\.0\.2\.1:1/],
  ["asks for a password", (s) => s.end("HTTP/1.1 407 Who\r\ncontent-length: 2\r\n\r\nno"), /answered 407/],
  ["speaks something else", (s) => s.write("220 mail.test\r\n\r\n"), /no HTTP answer/],
  ["never ends its head", (s) => s.write(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(20_000)}`), /too long a head/],
  ["goes away", (s) => s.destroy(), /closed|ECONNRESET/],
];

for (const [what, mischief, why] of WRONG) {
  Deno.test(`a proxy that ${what} is a failure of its own`, async () => {
    const files = new Files(), proxy = await new ConnectProxy().start();
    proxy.mischief = mischief;
    const egress = files.egress({ cluster: files.connection(proxy) });
    await assert.rejects(egress.to("cluster")!("192.0.2.1", 1), why);
    assert.equal(counted(egress)["failure_count http_connect tcp proxy"], 1);
    await proxy.stop();
    files.remove();
  });
}

Deno.test("what comes with a proxy's answer is the server's, unless that would speak second", async () => {
  const files = new Files(), proxy = await new ConnectProxy().start();
  proxy.mischief = (s) => s.write("HTTP/1.1 200 OK\r\n\r\nhello");
  const egress = files.egress({ cluster: files.connection(proxy) });
  const socket = await egress.to("cluster")!("192.0.2.1", 1);
  assert.equal(await new Promise((done) => socket.once("data", (d) => done(String(d))).resume()), "hello");
  socket.destroy();
  const get = outsideBy(egress).fetchText(undefined, "cluster");
  await assert.rejects(get("https://192.0.2.1/", AbortSignal.timeout(60_000)), /5 bytes that nobody asked for/);
  await proxy.stop();
  files.remove();
});

Deno.test("a connection through konnectivity that is kept and not used ends in time", async () => {
  const files = new Files(), proxy = await new Konnectivity(`${files.dir}/proxy`).start();
  const server = http.createServer((_request, response) => void response.end("hi"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const dial = files.egress({ cluster: files.connection(proxy) }).to("cluster");
  const agent = plainOver(new http.Agent({ keepAlive: true, timeout: 100 }), dial);
  await new Promise<void>((done, fail) => {
    http.get({ agent, host: "127.0.0.1", port }, (answer) => answer.resume().on("end", done)).on("error", fail);
  });
  await until("the connection's end", () => proxy.closed === 1);
  server.closeAllConnections();
  await new Promise<void>((done) => server.close(() => done()));
  proxy.stop();
  files.remove();
});

Deno.test("a proxy that is not there is told from one that does not do as asked", async () => {
  const files = new Files();
  const gone = files.egress({ cluster: files.connection(`${files.dir}/nobody`) });
  await assert.rejects(gone.to("cluster")!("192.0.2.1", 1), /proxy .*nobody: /);
  assert.equal(counted(gone)["failure_count http_connect uds connect"], 1);
  for (const secure of [false, true]) {
    const left = await new ConnectProxy(secure).start(), connection = files.connection(left);
    await left.stop();
    const egress = files.egress({ cluster: connection });
    await assert.rejects(egress.to("cluster")!("192.0.2.1", 1), /proxy 127\.0\.0\.1:\d+: .*refused/i);
    assert.equal(counted(egress)["failure_count http_connect tcp connect"], 1);
  }
  const proxy = await new Konnectivity(`${files.dir}/proxy`).start();
  proxy.refusal = "no agent available";
  const egress = files.egress({ cluster: files.connection(proxy) });
  await assert.rejects(
    egress.to("cluster")!("192.0.2.1", 1),
    /answered "no agent available" when asked for 192\.0\.2\.1:1/,
  );
  assert.equal(counted(egress)["failure_count grpc uds proxy"], 1);
  proxy.stop();
  files.remove();
});
