/** Coordinated leader election: its steps, the electing server's lease, two servers on one store. */
import assert from "node:assert/strict";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { allWithin } from "../../server/pause.ts";
import { Elector } from "../../server/controllers/election/elector.ts";
import { firstSpec, withOutcome } from "../../server/controllers/election/lease_spec.ts";
import {
  type Candidate,
  electionStep,
  type LeaseState,
  oldest,
  SECOND_US,
} from "../../server/controllers/election/step.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { until, World } from "./_world.ts";

const NOW = 1_800_000_000 * SECOND_US;
const ago = (seconds: number) => NOW - seconds * SECOND_US;

const candidate = (name: string, more: Partial<Candidate> = {}): Candidate => ({
  name,
  strategy: "OldestEmulationVersion",
  binaryVersion: "1.37.0",
  emulationVersion: "1.37.0",
  created: ago(100),
  renewed: ago(1),
  ...more,
});
const lease = (holder: string, more: Partial<LeaseState> = {}): LeaseState => ({
  holder,
  renewed: ago(1),
  durationSeconds: 15,
  ...more,
});
const OLD = { emulationVersion: "1.36.0" };
const OTHER = { strategy: "example.com/dice" };
const elect = (holder: string) => ({ kind: "elect", strategy: "OldestEmulationVersion", holder });

const STEPS: readonly (readonly [string, LeaseState | undefined, readonly Candidate[], unknown])[] = [
  ["nobody stands", undefined, [], { kind: "none" }],
  ["only one that is gone", undefined, [candidate("a", { renewed: ago(1801) })], { kind: "none" }],
  ["one that never renewed is none", undefined, [{ ...candidate("a"), renewed: undefined } as never], { kind: "none" }],
  ["fresh candidates need no ping", undefined, [candidate("a"), candidate("b", OLD)], elect("b")],
  ["the oldest binary of one emulated version", undefined, [
    candidate("a", OLD),
    candidate("b", { ...OLD, binaryVersion: "1.36.9" }),
  ], elect("b")],
  ["versions go by number", undefined, [
    candidate("a", { emulationVersion: "1.9.0" }),
    candidate("b", { emulationVersion: "1.10.0" }),
  ], elect("a")],
  ["of equals the one made first", undefined, [candidate("a"), candidate("b", { created: ago(101) })], elect("b")],
  ["a lease without a holder", lease(""), [candidate("a")], elect("a")],
  ["a lease that is over", lease("a", { renewed: ago(16) }), [candidate("b")], elect("b")],
  ["a lease without its time", { holder: "a", durationSeconds: 15 }, [candidate("a")], elect("a")],
  ["a lease without its duration", { holder: "a", renewed: ago(1) }, [candidate("a")], elect("a")],
  ["a lease holds to the end of its time", lease("a", { renewed: ago(15) }), [candidate("a")], { kind: "settled" }],
  ["the holder is the best", lease("a"), [candidate("a")], { kind: "settled" }],
  ["a better one comes", lease("a"), [candidate("a"), candidate("b", OLD)], elect("b")],
  ["those that have been quiet are asked", lease("a"), [candidate("a", { renewed: ago(9) }), candidate("b", OLD)], {
    kind: "ping",
    names: ["a"],
  }],
  ["an answer is waited for", undefined, [candidate("a", { renewed: ago(9), pinged: ago(2) }), candidate("b")], {
    kind: "wait",
  }],
  ["one that does not answer is left out", undefined, [
    candidate("a", { ...OLD, renewed: ago(20), pinged: ago(6) }),
    candidate("b"),
  ], elect("b")],
  ["nobody answers", undefined, [candidate("a", { renewed: ago(20), pinged: ago(6) })], {
    kind: "stuck",
    why: "no candidate answers",
  }],
  ["one is there to the end of its time", undefined, [candidate("a", { renewed: ago(1800) })], {
    kind: "ping",
    names: ["a"],
  }],
  ["one that answered in the moment of its ping is asked again", undefined, [
    candidate("a", { renewed: ago(20), pinged: ago(20) }),
  ], { kind: "ping", names: ["a"] }],
  ["one that answered an older ping is asked again", undefined, [
    candidate("a", { renewed: ago(20), pinged: ago(21) }),
  ], { kind: "ping", names: ["a"] }],
  ["all renew now and then, though the holder is the best", lease("a"), [
    candidate("a"),
    candidate("b", { renewed: ago(901), created: ago(1) }),
  ], { kind: "ping", names: ["b"] }],
  ["another strategy is left to others", undefined, [candidate("a", OTHER)], { kind: "elect", ...OTHER }],
  ["and not looked at again", lease("a"), [candidate("b", OTHER)], { kind: "settled" }],
  ["the newest binary's strategy", undefined, [
    candidate("a", OTHER),
    candidate("b", { binaryVersion: "1.38.0", emulationVersion: "1.37.5" }),
    candidate("c", OTHER),
  ], elect("a")],
  ["strategies that differ", lease("a"), [candidate("a", OTHER), candidate("b")], {
    kind: "stuck",
    why:
      "candidates of the same binary version differ in their strategy: a wants example.com/dice, b wants OldestEmulationVersion",
  }],
];
for (const [what, state, candidates, step] of STEPS) {
  Deno.test(`an election: ${what}`, () => assert.deepEqual(electionStep(state, candidates, NOW), step));
}

Deno.test("a candidate whose versions cannot be read is not elected", () => {
  assert.equal(oldest([candidate("a", { emulationVersion: "" })]), undefined);
});

const NOW_MS = NOW / 1000;
const FRESH = "2027-01-15T07:59:59.000000Z", STALE = "2027-01-15T07:59:00.000000Z", AT = "2027-01-15T08:00:00.000000Z";
const HELD = { holderIdentity: "a", leaseDurationSeconds: 15, renewTime: FRESH, strategy: "OldestEmulationVersion" };
const OUTCOMES: readonly (readonly [string, JsonMap, string | undefined, JsonMap | undefined])[] = [
  ["says so already", HELD, "a", undefined],
  ["a living holder is told whom to leave it to", HELD, "b", { ...HELD, preferredHolder: "b" }],
  ["one that is gone is not", { ...HELD, renewTime: STALE, preferredHolder: "c", acquireTime: STALE }, "b", {
    ...HELD,
    holderIdentity: "b",
    leaseDurationSeconds: 5,
    renewTime: AT,
  }],
  ["nobody held it", { leaseTransitions: 3 }, "b", {
    leaseTransitions: 3,
    holderIdentity: "b",
    leaseDurationSeconds: 5,
    renewTime: AT,
    strategy: "OldestEmulationVersion",
  }],
  ["only the strategy is new", { ...HELD, strategy: "example.com/dice" }, undefined, HELD],
];
for (const [what, spec, holder, wanted] of OUTCOMES) {
  Deno.test(`a lease after an election: ${what}`, () => {
    const outcome = { strategy: "OldestEmulationVersion", ...(holder === undefined ? {} : { holder }) };
    const before = { metadata: { name: "l" }, spec } as unknown as Obj;
    assert.deepEqual(withOutcome(before, outcome, NOW_MS)?.["spec"], wanted);
  });
}

Deno.test("a new lease names its holder and strategy", () => {
  assert.deepEqual(firstSpec({ strategy: "s/x", holder: "a" }, NOW_MS), {
    holderIdentity: "a",
    leaseDurationSeconds: 5,
    renewTime: AT,
    strategy: "s/x",
  });
});

const FLAGS = [
  "--feature-gates=CoordinatedLeaderElection=true",
  "--runtime-config=coordination.k8s.io/v1beta1=true",
  "--coordinated-leadership-lease-duration=10m",
  "--coordinated-leadership-renew-deadline=5m",
  "--coordinated-leadership-retry-period=50ms",
];
const CANDIDATES = "/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const OWN = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/leader-election-controller";
const micro = (ms: number) => new Date(ms).toISOString().replace("Z", "000Z");
const standing = (name: string, emulationVersion: string, renewed = Date.now()) => ({
  apiVersion: "coordination.k8s.io/v1beta1",
  kind: "LeaseCandidate",
  metadata: { name },
  spec: {
    leaseName: "work",
    binaryVersion: "1.37.0",
    emulationVersion,
    renewTime: micro(renewed),
    strategy: "OldestEmulationVersion",
  },
});
const metric = async (w: World) =>
  (await w.test.fetch("/metrics")).text.match(/^leader_election_master_status.*$/m)?.[0];
const MASTER = 'leader_election_master_status{name="leader-election-controller"} 1';

Deno.test("one of two servers elects; the other does when it stops", async () => {
  // The clock stands still: what is elected stays so, and candidates stay fresh, however long the steps take.
  const backend = memoryBackend(), at = Date.now(), now = () => at;
  const one = await World.start("leader-election-controller", FLAGS, { backend, now });
  await until("one holds the lease", async () => await metric(one) === MASTER);
  const two = await World.start("leader-election-controller", FLAGS, { backend, now });
  const holder = (await two.get(OWN))!["spec"].holderIdentity;
  const { spec: elsewhere, ...rest } = standing("elsewhere", "1.35.0", at);
  await one.create(CANDIDATES, { ...rest, spec: { ...elsewhere, leaseName: "other" } });
  await one.create(CANDIDATES, standing("new", "1.37.0", at));
  await until("it is elected", async () => (await two.get(`${LEASES}/work`))?.["spec"].holderIdentity === "new");
  await two.create(CANDIDATES, standing("old", "1.36.0", at));
  await until(
    "an older one is preferred",
    async () => (await one.get(`${LEASES}/work`))?.["spec"].preferredHolder === "old",
  );
  const { spec } = (await one.get(`${LEASES}/work`))!;
  assert.deepEqual([spec.holderIdentity, spec.strategy, spec.leaseDurationSeconds], [
    "new",
    "OldestEmulationVersion",
    5,
  ]);
  assert.notEqual(await metric(two), MASTER);
  assert.match((await one.test.fetch("/readyz?verbose")).text, /coordinated-leader-election-controller ok/);
  await one.stop();
  await until("the other holds it", async () => await metric(two) === MASTER);
  const taken = (await two.get(OWN))!["spec"];
  assert.notEqual(taken.holderIdentity, holder);
  assert.deepEqual([taken.leaseTransitions, taken.leaseDurationSeconds], [1, 600]);
  await two.patch(`${LEASES}/work`, { spec: { holderIdentity: "" } });
  await until(
    "the free lease is given",
    async () => (await two.get(`${LEASES}/work`))?.["spec"].holderIdentity === "old",
  );
  assert.equal((await two.get(`${LEASES}/work`))!["spec"].preferredHolder, undefined);
  await two.stop();
  await backend.close();
});

/** A store with one lease, and a clock that is set. */
class Leases {
  wall = NOW_MS;
  elapsed = 0;
  down = false;
  /** What writes wait for. */
  gate: Promise<void> | undefined;
  lease: Obj | undefined;

  elector(identity: string, lead: (signal: AbortSignal) => void = () => {}): Elector {
    const live = {
      create: (_id: string, obj: Obj) => this.#write(() => obj),
      update: (_id: string, _ns: string, _name: string, change: (obj: Obj) => Obj | undefined) =>
        this.#write(() => change(this.lease!)),
    };
    const ctx = {
      product: productOf("kubernetes"),
      registries: { live, lister: { get: () => this.lease } },
      now: () => this.wall,
      random: () => 0,
      log: () => {},
    } as unknown as ConstructorParameters<typeof Elector>[0];
    const times = { leaseMs: 15_000, renewMs: 10_000, retryMs: 2_000, elapsed: () => this.elapsed };
    return new Elector(ctx, { namespace: "n", name: "l", identity, ...times, lead });
  }

  async #write(change: () => Obj | undefined): Promise<void> {
    await this.gate;
    if (this.down) throw new Error("the store is down");
    this.lease = change() ?? this.lease;
  }
}

Deno.test("a clock that is set neither takes a lease from its holder nor keeps it with one who cannot renew it", async () => {
  const leases = new Leases(), holder = leases.elector("a"), other = leases.elector("b");
  assert.ok(await holder.attempt());
  assert.ok(!await other.attempt());
  leases.wall += 3_600_000;
  assert.ok(!await other.attempt(), "put forward");
  leases.wall -= 7_200_000;
  leases.down = true;
  leases.elapsed += 9_000;
  assert.ok(await holder.attempt(), "it may still renew");
  leases.elapsed += 1_000;
  assert.ok(!await holder.attempt(), "put back");
  leases.down = false;
  assert.ok(!await other.attempt());
  leases.elapsed += 5_001;
  assert.ok(await other.attempt());
});

Deno.test("who holds the lease leads once, until it gives that back, and nobody gives back another's", async () => {
  const led: AbortSignal[] = [], leases = new Leases(), holder = leases.elector("a", (signal) => led.push(signal));
  for (let i = 0; i < 3; i++) assert.ok(await holder.attempt());
  await leases.elector("b").release();
  assert.equal(leases.lease!["spec"].holderIdentity, "a");
  assert.deepEqual(led.map((signal) => signal.aborted), [false]);
  await holder.release();
  assert.deepEqual([led.map((signal) => signal.aborted), holder.leading], [[true], false]);
  const other = leases.elector("b", (signal) => led.push(signal));
  assert.ok(await other.attempt());
  leases.down = true;
  leases.elapsed += 10_000;
  assert.ok(!await other.attempt());
  assert.deepEqual(led.map((signal) => signal.aborted), [true, true], "it is lost before another can have it");
});

Deno.test("a server that ends gives back a lease that it is just taking or renewing", async () => {
  const leases = new Leases(), one = leases.elector("a"), gate = Promise.withResolvers<void>();
  leases.gate = gate.promise;
  const taking = one.attempt();
  leases.gate = undefined;
  const released = one.release();
  gate.resolve();
  assert.equal(await taking, false);
  await released;
  assert.equal(leases.lease!["spec"].holderIdentity, "");
  const again = Promise.withResolvers<void>(), two = leases.elector("b");
  assert.ok(await two.attempt());
  leases.gate = again.promise;
  const renewing = two.attempt();
  leases.gate = undefined;
  const left = two.release();
  again.resolve();
  await Promise.all([renewing, left]);
  assert.equal(leases.lease!["spec"].holderIdentity, "");
  await leases.elector("c").release();
});

Deno.test("a server that ended does not take a lease with an attempt that it gave up", async () => {
  const leases = new Leases(), one = leases.elector("a"), gate = Promise.withResolvers<void>();
  assert.ok(await one.attempt());
  leases.elapsed += 9_999;
  leases.gate = gate.promise;
  await one.attempt();
  leases.gate = undefined;
  await one.attempt();
  await one.release();
  gate.resolve();
  await new Promise((done) => setTimeout(done));
  assert.equal(leases.lease!["spec"].holderIdentity, "");
});

Deno.test("work at the end of a server that does not end is not waited for", async () => {
  const failed: unknown[] = [];
  await allWithin(1, [() => new Promise(() => {}), () => Promise.reject("down")], (e) => failed.push(e));
  assert.deepEqual(failed, ["down"]);
});

Deno.test("quiet candidates are asked", async () => {
  const now = Date.now();
  const w = await World.start("leader-election-controller", FLAGS, { now: () => now });
  await w.create(CANDIDATES, standing("quiet", "1.37.0", now - 60_000));
  await until("it is asked", async () => (await w.get(`${CANDIDATES}/quiet`))!["spec"].pingTime === micro(now));
  assert.equal(await w.get(`${LEASES}/work`), undefined);
  await w.patch(`${CANDIDATES}/quiet`, { spec: { renewTime: micro(now + 1) } });
  await until("its answer elects it", async () => (await w.get(`${LEASES}/work`))?.["spec"].holderIdentity === "quiet");
  await w.test.stop();
});

Deno.test("a server that begins to elect collects candidates that are gone", async () => {
  const backend = memoryBackend();
  const before = await World.start("-*", FLAGS, { backend });
  await before.create(CANDIDATES, standing("gone", "1.37.0", Date.now() - 31 * 60_000));
  await before.create(CANDIDATES, standing("here", "1.37.0"));
  await before.stop();
  const w = await World.start("leader-election-controller", FLAGS, { backend });
  await w.gone(`${CANDIDATES}/gone`);
  assert.ok(await w.get(`${CANDIDATES}/here`));
  await w.stop();
  await backend.close();
});

Deno.test("with the gate off nobody elects", async () => {
  const w = await World.start("leader-election-controller", FLAGS.slice(1));
  await w.create(CANDIDATES, standing("a", "1.37.0"));
  assert.equal(await w.get(OWN), undefined);
  assert.equal(await metric(w), undefined);
  await w.stop();
});
