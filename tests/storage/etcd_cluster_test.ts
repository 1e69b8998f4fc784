/** Calls to members of a cluster. */
import assert from "node:assert/strict";
import { Cluster } from "../../server/storage/etcd/cluster.ts";
import { RPC } from "../../server/storage/etcd/messages.ts";
import { replay } from "../../server/storage/etcd/replay.ts";
import type { WatchHandlers } from "../../server/storage/etcd/transport.ts";
import { bytes } from "./tools.ts";

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
