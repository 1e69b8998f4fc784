/** Calls to members of a cluster. */
import assert from "node:assert/strict";
import { GrpcError, type StatusName } from "../../schema/grpc/status.ts";
import { Cluster } from "../../server/storage/etcd/cluster.ts";
import { RPC } from "../../server/storage/etcd/messages.ts";
import { replay } from "../../server/storage/etcd/replay.ts";
import type { WatchHandlers } from "../../server/storage/etcd/transport.ts";
import { bytes, storageError } from "./tools.ts";

Deno.test("etcd: TLS files that cannot be read for a moment leave the old ones in use", async () => {
  let readable = true;
  const cluster = await Cluster.open(["https://127.0.0.1:1"], () => {
    if (!readable) throw new Error("no such file");
    return {};
  }, Math.random);
  const { transport } = cluster;
  let calls = 0;
  transport.call = () => {
    calls++;
    return Promise.resolve({} as never);
  };
  const now = performance.now;
  try {
    readable = false;
    performance.now = () => now.call(performance) + 3_600_000;
    await cluster.call(RPC.status, {}, { doing: "status", repeatable: true });
    assert.equal(calls, 1);
    assert.equal(cluster.transport, transport);
  } finally {
    performance.now = now;
    cluster.close();
  }
});

Deno.test("etcd: TLS files are read each minute; others leave the connections to what is under way, and those before to nothing", async () => {
  let ca = "one", reads = 0, later = 0;
  const cluster = await Cluster.open(["https://127.0.0.1:1"], () => (reads++, { ca }), Math.random);
  const told: string[] = [], { now } = performance, { refresh } = cluster;
  const follow = () => {
    const name = ca;
    Object.assign(cluster.transport, {
      call: () => Promise.resolve({}),
      leave: () => told.push(`${name} is left`),
      close: () => told.push(`${name} ends`),
    });
  };
  const ask = async (ms: number): Promise<[number, ...string[]]> => {
    later += ms;
    await cluster.call(RPC.status, {}, { doing: "status", repeatable: true });
    return [reads, ...told.splice(0)];
  };
  cluster.refresh = () => refresh.call(cluster).then(follow);
  follow();
  try {
    performance.now = () => now.call(performance) + later;
    assert.deepEqual(await ask(50_000), [1]);
    assert.deepEqual([await ask(10_000), await ask(50_000)], [[2], [2]]);
    for (const [next, ...left] of [["two", "one is left"], ["three", "one ends", "two is left"]] as const) {
      ca = next;
      assert.deepEqual((await ask(60_000)).slice(1), left);
    }
  } finally {
    performance.now = now;
    cluster.close();
  }
  assert.deepEqual(told.sort(), ["three ends", "two ends"]);
});

Deno.test("etcd: who waits no more, or for a store that is closed, is told so at once", async () => {
  const cluster = await Cluster.open(["127.0.0.1:1"], {}, () => 0), gone = new AbortController();
  let tries = 0, end = () => gone.abort();
  cluster.transport.call = () => {
    tries++;
    end();
    return Promise.reject(new GrpcError("Unavailable", "gone"));
  };
  const options = { doing: "status", repeatable: true, signal: gone.signal };
  await storageError(cluster.status(options), "unavailable");
  end = () => cluster.close();
  await storageError(cluster.status({ ...options, signal: new AbortController().signal }), "closed");
  assert.equal(tries, 2);
});

Deno.test("etcd: an endpoint is a host, a socket or a URL of one", async () => {
  const open = async (endpoint: string) => (await Cluster.open([endpoint], {}, Math.random)).close();
  const good = ["127.0.0.1:1", "http://[::1]:1/", "https://etcd", "unix:///run/etcd", "grpc-web+https://edge/etcd/"];
  for (const endpoint of good) await open(endpoint);
  for (const endpoint of ["", "ftp://127.0.0.1:1", "http://127.0.0.1:1/v3", "http://", "unix:"]) {
    await assert.rejects(
      open(endpoint),
      (e) => (e as Error).message === `etcd: endpoint "${endpoint}" is no URL`,
      endpoint,
    );
  }
  const edge = await Cluster.open(["grpc-web+https://edge/etcd/"], {}, Math.random);
  assert.equal(edge.transport.address, "https://edge/etcd", "paths of calls begin with a slash");
  edge.close();
  // It would be reached past the proxy.
  const dial = () => Promise.reject(new Error("not asked"));
  await assert.rejects(
    Cluster.open(["grpc-web+https://edge"], {}, Math.random, dial),
    /cannot be reached through a proxy/,
  );
});

Deno.test("etcd: who fails on what it is told of the past is told no more", async () => {
  const cluster = await Cluster.open(["127.0.0.1:1"], {}, Math.random);
  try {
    const opened = Promise.withResolvers<WatchHandlers>();
    cluster.transport.watch = (_create, handlers) => {
      opened.resolve(handlers);
      return { progress() {}, cancel() {} };
    };
    const told: number[] = [];
    const replaying = replay(cluster, [bytes("a"), bytes("b")], 1, 9, (_events, revision) => {
      told.push(revision);
      throw new Error("no room");
    }, new AbortController().signal);
    const { message } = await opened.promise;
    for (const revision of [2, 3]) {
      message({ header: { revision }, events: [{ kv: { key: bytes("a/1"), modRevision: revision } }] });
    }
    await assert.rejects(replaying, /no room/);
    assert.deepEqual(told, [2]);
  } finally {
    cluster.close();
  }
});

Deno.test("etcd: the past is told up to its end and no further, and a member that has less of it is refused", async () => {
  const cluster = await Cluster.open(["127.0.0.1:1"], {}, Math.random);
  try {
    let opened = Promise.withResolvers<WatchHandlers>();
    cluster.transport.watch = (_create, handlers) => {
      opened.resolve(handlers);
      return { progress() {}, cancel() {} };
    };
    const told: [number, ...number[]][] = [];
    const begin = () => {
      opened = Promise.withResolvers();
      return replay(cluster, [bytes("a"), bytes("b")], 7, 9, (events, revision) => {
        told.push([revision, ...events.map(({ kv }) => kv.modRevision)]);
      }, new AbortController().signal);
    };
    const replaying = begin(), { message } = await opened.promise;
    for (const revisions of [[8], [9, 10]]) {
      const events = revisions.map((modRevision) => ({ kv: { key: bytes("a/1"), modRevision } }));
      message({ header: { revision: 10 }, events });
    }
    await replaying;
    assert.deepEqual(told, [[8, 8], [9, 9]]);
    const ended = begin(), again = await opened.promise;
    again.message({ header: { revision: 9 }, events: [{ kv: { key: bytes("a/1"), modRevision: 9 } }] });
    await ended;
    const late = begin(), behind = await opened.promise;
    behind.message({ header: { revision: 6 }, created: true, events: [] });
    await assert.rejects(late, { name: "RevisionError" });
  } finally {
    cluster.close();
  }
});

Deno.test("etcd: after a member that does not answer, or gives a call up, comes the next one's turn", async () => {
  for (const status of ["Unavailable", "Canceled"] as const) {
    const cluster = await Cluster.open(["127.0.0.1:1", "127.0.0.1:2"], {}, () => 0), first = cluster.transport;
    try {
      const left: unknown[] = [];
      cluster.left.add((transport) => {
        left.push(transport);
        cluster.transport.call = () => Promise.resolve({ version: "3.6.0" } as never);
      });
      first.call = () => Promise.reject(new GrpcError(status, "gone"));
      assert.equal((await cluster.status({ doing: "status", repeatable: true })).version, "3.6.0");
      cluster.leave(first);
      assert.deepEqual([cluster.transport.address, left], ["127.0.0.1:2", [first]], "left once, whoever says so");
    } finally {
      cluster.close();
    }
  }
});

Deno.test("etcd: what a member says decides whether a call is made again, and whether it may have been carried out", async () => {
  const again = [2, false], unknown = [1, true, "unknown"], refused = [1, false, "refused"];
  const rows: readonly (readonly [StatusName, string, repeatable: boolean, wanted: readonly unknown[]])[] = [
    ["Unavailable", "etcdserver: no leader", false, again],
    ["ResourceExhausted", "etcdserver: too many requests", false, again],
    ["InvalidArgument", "etcdserver: revision of auth store is old", false, again],
    ["Unavailable", "connect ECONNREFUSED 127.0.0.1:1", false, again],
    ["Unavailable", "the connection is gone", false, unknown],
    ["Unavailable", "the connection is gone", true, [2, true]],
    ["Canceled", "the connection is gone", false, unknown],
    ["Canceled", "the connection is gone", true, [2, true]],
    ["InvalidArgument", "etcdserver: request is too large", true, refused],
    ["ResourceExhausted", "etcdserver: mvcc: database space exceeded", true, refused],
    ["OutOfRange", "etcdserver: mvcc: required revision has been compacted", true, refused],
    ["NotFound", "etcdserver: requested lease not found", true, refused],
    ["PermissionDenied", "etcdserver: permission denied", true, refused],
    ["Unauthenticated", "etcdserver: invalid auth token", true, refused],
  ];
  for (const [status, message, repeatable, wanted] of rows) {
    const cluster = await Cluster.open(["127.0.0.1:1"], {}, () => 0);
    let tries = 0, doubtful = false;
    cluster.transport.call = () =>
      tries++ === 0 ? Promise.reject(new GrpcError(status, message)) : Promise.resolve({} as never);
    const options = { doing: "write", repeatable, doubtful: () => doubtful = true };
    const end = await cluster.call(RPC.status, {}, options).then(() => [], (e) => [e.kind ?? "refused"]);
    assert.deepEqual([tries, doubtful, ...end], wanted, `${message} ${repeatable}`);
    cluster.close();
  }
});

Deno.test("etcd: a cluster that does not answer is asked in growing intervals", async () => {
  const cluster = await Cluster.open(["127.0.0.1:1"], {}, () => 0);
  let tries = 0;
  cluster.transport.call = () => {
    tries++;
    return Promise.reject(new GrpcError("Unavailable", "gone"));
  };
  await storageError(cluster.status({ doing: "status", repeatable: true, within: 200 }), "unavailable");
  assert.ok(tries < 10, `${tries} tries`);
  cluster.close();
});
