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
async function outcome(changes: Change | Change[], ...answers: readonly unknown[]) {
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
    return await new Transactions(cluster, new Keys("/t", ""), leases).run([changes].flat());
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
  await storageError(outcome(leased, NO_LEASE), "unavailable");
});

Deno.test("etcd: a commit that only deletes what is not there makes no change", async () => {
  const gone = { delete: { deleted: 1 } }, absent = { delete: {} }, put = {};
  const rows = [[[absent], false], [[gone], true], [[put], true], [[absent, absent], false], [[absent, put], true], [
    [gone, absent],
    true,
  ]] as const;
  for (const [responses, changed] of rows) {
    const changes = responses.map((r, i): Change => ({ key: `k/${i}`, value: r === put ? bytes("1") : null }));
    assert.equal((await outcome(changes, { header: { revision: 9 }, succeeded: true, responses })).changed, changed);
  }
});

/** What stands under keys, each a value and its revision; undefined: nothing. */
type Stands = readonly [value: string, modRevision: number] | undefined;
const kvs = (one: Stands) => one ? [{ key: bytes("k"), value: bytes(one[0]), modRevision: one[1] }] : [];
const refused = (...stands: Stands[]) => ({
  header: { revision: 9 },
  responses: stands.map((one) => ({ range: { kvs: kvs(one) } })),
});

Deno.test("etcd: a commit of several is refused for the one that is not as expected, and its own only if all are of one revision", async () => {
  const both: Change[] = [make, { key: "k/b", value: bytes("2"), expect: 3 }];
  const { result } = await outcome(both, refused(undefined, ["x", 5]));
  assert.deepEqual(result, { ok: false, index: 1, current: { key: "k/b", value: bytes("x"), revision: 5 } });
  const own = await outcome(both, LOST, refused(["1", 8], ["2", 8]));
  assert.deepEqual(own.result, { ok: true, revisions: [8, 8] });
  await storageError(outcome(both, LOST, refused(["1", 7], ["2", 8])), "unknown");
  // Whoever deleted it: nothing is left that tells.
  await storageError(
    outcome([make, { key: "k/b", value: null, expect: 3 }], LOST, refused(["1", 8], undefined)),
    "unknown",
  );
});

Deno.test("etcd: a write that a full store refuses was made if all of it stands, and not if any of it stood before", async () => {
  const full = new GrpcError("ResourceExhausted", "etcdserver: mvcc: database space exceeded");
  const put: Change = { key: "k/a", value: bytes("1"), expect: 5 },
    gone: Change = { key: "k/b", value: null, expect: 3 };
  const made = await outcome([put, gone], full, { kvs: kvs(["1", 8]) }, { kvs: [] });
  assert.deepEqual(made, { result: { ok: true, revisions: [8, 8] }, revision: 8, changed: true });
  await storageError(outcome([put, gone], full, { kvs: kvs(["1", 8]) }, { kvs: kvs(["x", 3]) }), "full");
  await storageError(
    outcome([put, { ...gone, value: bytes("2") }], full, { kvs: kvs(["1", 8]) }, { kvs: kvs(["2", 7]) }),
    "full",
  );
  await storageError(outcome(put, full, { kvs: kvs(["1", 5]) }), "full");
  await storageError(outcome(put, full, { kvs: kvs(["2", 8]) }), "full");
});

Deno.test("etcd: a lease ends when its keys do or a little later, and serves some of them; one that is gone serves none", async () => {
  const cluster = await Cluster.open(["http://127.0.0.1:1"], {}, () => 0);
  const granted: number[] = [];
  let gone = 0n;
  cluster.transport.call = (rpc, request) => {
    const { ttl, success = [] } = request as { ttl?: number; success?: { put?: { lease?: bigint } }[] };
    if (rpc.path.endsWith("LeaseGrant")) return Promise.resolve({ id: BigInt(granted.push(ttl!)) } as never);
    if (success[0]?.put?.lease === gone) return Promise.reject(NO_LEASE);
    return Promise.resolve({ header: { revision: 9 }, succeeded: true, responses: [] } as never);
  };
  const leases = new Leases(cluster, { maxKeys: 3 }, () => 0), ids: bigint[] = [];
  const times = [60_000, 61_000, 61_000, 61_000, 65_500, 30_000, -10_000, 500];
  for (const at of times) ids.push(await leases.for(at));
  assert.deepEqual([ids, granted], [[1n, 1n, 1n, 2n, 3n, 4n, 5n, 5n], [63, 65, 69, 32, 2]]);
  gone = await leases.for(100_000);
  const { result } = await new Transactions(cluster, new Keys("/t", ""), leases).run([{ ...make, expiresAt: 100_000 }]);
  assert.deepEqual([result.ok, gone, granted.length], [true, 6n, 7]);
  cluster.close();
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
