/** Commits to etcd of which a try is lost on its way. */
import assert from "node:assert/strict";
import { type Change, StorageError } from "../../server/storage/backend.ts";
import { GrpcError } from "../../schema/grpc/status.ts";
import { Cluster } from "../../server/storage/etcd/cluster.ts";
import { Keys } from "../../server/storage/etcd/keys.ts";
import { Leases } from "../../server/storage/etcd/leases.ts";
import { Transactions } from "../../server/storage/etcd/txn.ts";
import { bytes, storageError } from "./tools.ts";

const LOST = new GrpcError("Unavailable", "the connection is closed");
const NOBODY = new GrpcError("Unavailable", "ECONNREFUSED");
const NO_LEASE = new GrpcError("NotFound", "etcdserver: requested lease not found");

/** A commit whose tries come to these, one after the other, and to the last from then on; each takes a second. */
async function outcome(change: Change, ...answers: readonly unknown[]) {
  const cluster = await Cluster.open(["http://127.0.0.1:1"], {}, () => 0);
  const { now } = performance;
  let tries = 0;
  cluster.transport.call = (rpc) => {
    if (rpc.path.endsWith("LeaseGrant")) return Promise.resolve({ id: 7n, ttl: 60 } as never);
    const answer = answers[Math.min(tries++, answers.length - 1)];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as never);
  };
  performance.now = () => now.call(performance) + tries * 5_000;
  try {
    const leases = new Leases(cluster, {}, Date.now);
    return await new Transactions(cluster, new Keys("/t", ""), leases).run([change]);
  } finally {
    performance.now = now;
    cluster.close();
  }
}

const make: Change = { key: "k/a", value: bytes("1"), expect: 0 };
const found = (value: string) => ({
  header: { revision: 9 },
  responses: [{ range: { kvs: [{ key: bytes("/t/k/a"), value: bytes(value), modRevision: 5 }] } }],
});

Deno.test("etcd: a try that was lost is unknown, whatever those after it come to", async () => {
  await storageError(outcome(make, NOBODY), "unavailable");
  await storageError(outcome(make, LOST), "unknown");
  await storageError(outcome(make, LOST, NOBODY), "unknown");
  await storageError(outcome(make, LOST, found("2")), "unknown");
  // Nothing would tell a second one that it is not the first.
  const succeeds = { header: { revision: 9 }, succeeded: true, responses: [] };
  await storageError(outcome({ key: "k/a", value: bytes("1") }, LOST, succeeds), "unknown");
});

Deno.test("etcd: a commit that finds its own change by an earlier try was made, at that change's revision", async () => {
  const made = { result: { ok: true, revisions: [5] }, revision: 5, changed: true };
  assert.deepEqual(await outcome(make, LOST, found("1")), made);
  const leased = { ...make, expiresAt: Date.now() + 60_000 };
  assert.deepEqual(await outcome(leased, LOST, NO_LEASE, found("1")), made);
});

Deno.test("etcd: who waits for a lease that cannot be had is told with who asked for it", async () => {
  const cluster = await Cluster.open(["http://127.0.0.1:1"], {}, () => 0);
  let asked = 0;
  cluster.call = async () => {
    asked++;
    await Promise.resolve();
    throw new StorageError("unavailable", "grant a lease: etcd is away");
  };
  const leases = new Leases(cluster, {}, Date.now);
  const waiting = Array.from({ length: 100 }, () => leases.for(Date.now() + 60_000));
  const outcomes = await Promise.allSettled(waiting);
  assert.ok(outcomes.every(({ status }) => status === "rejected"));
  assert.equal(asked, 1, "each would wait for as long as the first one did");
  cluster.close();
});
