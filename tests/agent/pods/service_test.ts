/** What others on the host are told of the node's pods. */
import assert from "node:assert/strict";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { PodChanges, servePods } from "../../../agent/pods/mod.ts";
import { Channel } from "../../../agent/runtime/channel.ts";
import { decodeMessage } from "../../../schema/codec/protobuf.ts";
import { callOf } from "../../../schema/grpc/call.ts";
import type { Table } from "../../../schema/grpc/wire.ts";
import { builtInMessage } from "../../../schema/messages.ts";
import { realClock } from "../probes/parts.ts";
import { pod } from "./_fixture.ts";

const EVENT: Table = [[1, "type", "int"], [2, "pod", "bytes"]];
const CALLS = {
  list: callOf<object, { pods: Uint8Array[] }>("/v1alpha1.Pods/ListPods", [], [[1, "pods", "bytes", "repeated"]]),
  get: callOf<{ podUID: string }, { pod: Uint8Array }>(
    "/v1alpha1.Pods/GetPod",
    [[1, "podUID", "string"]],
    [[1, "pod", "bytes"]],
  ),
  watch: callOf<object, { type: number; pod?: Uint8Array }>("/v1alpha1.Pods/WatchPods", [], EVENT),
};
const [ADDED, MODIFIED, DELETED, COMPLETE] = [1, 2, 3, 4];

const read = (bytes: Uint8Array) => decodeMessage(builtInMessage("core.v1.Pod")!, bytes) as Pod;
const named = (uid: string, status: Pod["status"] = {}): Pod => ({ ...pod({}, { name: `p-${uid}`, uid }), status });
const rejected = (what: Promise<unknown>) =>
  what.then(() => "it was answered", (e) => `${(e as { code: string }).code}: ${(e as Error).message}`);

Deno.test("pods are told to others on the host: all, one, and what changes", async () => {
  const rootDir = await Deno.makeTempDir();
  let pods: Pod[] = [named("b"), named("a", { phase: "Running" })], isReady = false;
  const changes = new PodChanges(() => pods), told: string[] = [];
  const sink = changes.with({ set: (_, s) => told.push(s.phase!), ended: (p) => told.push(p.metadata!.uid!) });
  const server = await servePods({ rootDir, changes, ready: () => isReady, clock: realClock });
  const channel = new Channel(`${rootDir}/pods-api/pods-api.sock`), limits = { timeout: 30_000 };
  try {
    const initializing = "FailedPrecondition: Kubelet is initializing";
    assert.equal(await rejected(channel.call(CALLS.list, {}, limits)), initializing);
    assert.equal(await rejected(channel.stream(CALLS.watch, {}, {}).next()), initializing);
    isReady = true;
    const list = (await channel.call(CALLS.list, {}, limits)).pods.map(read);
    assert.deepEqual(list.map((p) => [p.metadata!.uid, p.status!.phase]), [["a", "Running"], ["b", "Pending"]]);
    assert.equal(list[0]!.spec!.containers![0]!.image, "app:1");
    assert.equal(read((await channel.call(CALLS.get, { podUID: "b" }, limits)).pod).metadata!.name, "p-b");
    assert.equal(
      await rejected(channel.call(CALLS.get, { podUID: "c" }, limits)),
      "NotFound: pod with UID c not found",
    );

    const watch = channel.stream(CALLS.watch, {}, {});
    const next = async (): Promise<readonly (number | string | undefined)[]> => {
      const { value } = await watch.next();
      if (!value?.pod?.length) return [value!.type];
      const { metadata, status } = read(value.pod);
      return [value.type, metadata!.name, status?.phase];
    };
    assert.deepEqual([await next(), await next()], [[ADDED, "p-a", "Running"], [ADDED, "p-b", "Pending"]]);
    assert.deepEqual(await next(), [COMPLETE]);
    const [b, a] = pods as [Pod, Pod];
    pods = [{ ...b, status: { phase: "Running" } }, { ...a, status: { ...a.status! } }];
    sink.set(pods[0]!, pods[0]!.status!);
    assert.deepEqual(await next(), [MODIFIED, "p-b", "Running"]);
    pods = [pods[0]!, named("c")];
    changes.look();
    assert.deepEqual([await next(), await next()], [[ADDED, "p-c", "Pending"], [DELETED, "p-a", undefined]]);
    sink.ended(a);
    assert.deepEqual(told, ["Running", "a"]);
    await watch.return();
  } finally {
    channel.close();
    server.close();
    await Deno.remove(rootDir, { recursive: true });
  }
});

Deno.test("who follows pods and does not take what changes is given up", async () => {
  let pods: Pod[] = [];
  const changes = new PodChanges(() => pods), slow = changes.follow(), quick = changes.follow();
  for (let i = 0; i < 100; i++) {
    pods = [named("a", { message: `${i}` })];
    changes.list();
    assert.equal((await quick.next())!.length, 1);
  }
  pods = [];
  changes.list();
  assert.equal((await quick.next())![0]!.type, "DELETED");
  await assert.rejects(slow.next(), /more changes came than are kept/);
  quick.close();
  assert.equal(await quick.next(), undefined);
});
