/** Clients of two servers under faults, and the judge of what they were told. */
import assert from "node:assert/strict";
import { runFaults } from "../../scripts/faults.ts";
import { faultsOf } from "../../scripts/faults/check.ts";
import type { Change, History, Op } from "../../scripts/faults/history.ts";
import { noEtcd } from "../storage/etcd_server.ts";

const missing = await noEtcd();
if (missing) console.log(`histories on etcd are skipped: ${missing}`);

const RUNS = [
  { store: "clock", rounds: 6, about: "whose clocks jump, on Deno KV" },
  { store: "denokv", rounds: 4, about: "that are stopped and killed, on one file of Deno KV" },
  { store: "etcd", rounds: 9, about: "behind bad networks, on three members of etcd that stop and die" },
];

for (const { store, rounds, about } of RUNS) {
  Deno.test({
    name: `one history for the clients of two servers ${about}`,
    ignore: store === "etcd" && missing !== undefined, // no etcd binary on this machine
    // Requests that were given up may end after the test.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      const { faults, versions, requests } = await runFaults({ store, rounds, seed: 7, clients: 4, longest: 500 });
      assert.deepEqual(faults, []);
      assert(versions > 0 && requests.made > versions);
    },
  });
}

const change = (rv: number, n: number | undefined, prev?: number): Change => ({
  name: "x",
  rv,
  n: n === undefined ? undefined : String(n),
  prev,
});
/** A write of number `n` over a version from one time to another, told `rv`. */
const put = (begun: number, ended: number, n: number, expect: number, rv?: number): Op => ({
  kind: "put",
  name: "x",
  begun,
  ended: rv === undefined ? Infinity : ended,
  n: String(n),
  expect,
  outcome: rv === undefined ? "unknown" : "made",
  ...(rv === undefined ? {} : { seen: { rv, n: String(n) } }),
});
const get = (begun: number, ended: number, rv: number, n: number): Op => ({
  kind: "get",
  name: "x",
  begun,
  ended,
  outcome: "made",
  seen: { rv, n: String(n) },
});
const refused = (kind: Op["kind"], begun: number, ended: number, expect: number): Op => ({
  kind,
  name: "x",
  begun,
  ended,
  expect,
  n: "99",
  outcome: "refused",
});
const removal = (begun: number, ended: number, expect: number): Op => ({
  kind: "delete",
  name: "x",
  begun,
  ended,
  expect,
  outcome: "made",
});

/** Two versions, a deletion and a third, by three clients. */
const LOG = [change(5, 1, 0), change(7, 2, 5), change(8, undefined), change(9, 3, 0)];
const WRITES = [put(0, 10, 1, 0, 5), put(20, 30, 2, 5, 7), removal(40, 50, 7), put(60, 70, 3, 0, 9)];
const EVENTS = [
  { type: "ADDED", name: "x", rv: 5, n: "1" },
  { type: "MODIFIED", name: "x", rv: 7, n: "2" },
  { type: "DELETED", name: "x", rv: 8, n: undefined },
  { type: "ADDED", name: "x", rv: 9, n: "3" },
];

const judge = (more: Partial<History>) => faultsOf({ ops: WRITES, lists: [], streams: [], log: LOG, ...more });
const items = (...of: [rv: number, n: number][]) => new Map(of.map(([rv, n]) => ["x", { rv, n: String(n) }] as const));

Deno.test("the judge of histories: what can be explained is no fault", () => {
  const fine: Record<string, Partial<History>> = {
    "writes alone": {},
    "a read beside a write, of before or after": { ops: [...WRITES, get(15, 25, 5, 1), get(22, 32, 7, 2)] },
    "a write without an answer that was made": { ops: [WRITES[0]!, put(20, 30, 2, 5), ...WRITES.slice(2)] },
    "a write without an answer that was not made": { ops: [...WRITES, put(20, 30, 4, 5)] },
    "refusals while it changes, or after": { ops: [...WRITES, refused("put", 25, 35, 5), refused("put", 33, 35, 5)] },
    "a read of nothing while it is deleted": { ops: [...WRITES, refused("get", 45, 65, 0)] },
    "lists": {
      lists: [
        { begun: 32, ended: 35, rv: 7, items: items([7, 2]) },
        { begun: 45, ended: 66, rv: 8, items: items() },
      ],
    },
    "watches from anywhere": {
      streams: [{ since: 0, upTo: 9, events: EVENTS }, { since: 5, upTo: 8, events: EVENTS.slice(1, 3) }],
    },
  };
  for (const [name, more] of Object.entries(fine)) assert.deepEqual(judge(more), [], name);
});

Deno.test("the judge of histories: what cannot be explained is found", () => {
  const wrong: Record<string, [RegExp, Partial<History>]> = {
    "a lost write": [/^lost: put/, { ops: [...WRITES, put(80, 90, 4, 9, 10)] }],
    "a write that nobody made": [/^phantom: nobody wrote x at 7/, { ops: WRITES.toSpliced(1, 1) }],
    "a deletion that nobody made": [/^phantom: nobody wrote x at 8/, { ops: WRITES.toSpliced(2, 1) }],
    "another version than was told": [/acknowledged at 6/, { ops: WRITES.with(1, put(20, 30, 2, 5, 6)) }],
    "a deletion acknowledged twice": [/acknowledged twice/, { ops: [...WRITES, removal(41, 49, 7)] }],
    "a version that was overlooked": [/written over 5, but follows 6/, { log: LOG.toSpliced(1, 0, change(6, 4, 5)) }],
    "one number twice": [/written twice/, { log: [...LOG, change(10, 3, 9)] }],
    "a log that goes back": [/goes back/, { log: [LOG[1]!, LOG[0]!] }],
    "a stale read": [/not linearizable/, { ops: [...WRITES, get(32, 35, 5, 1)] }],
    "a read from the future": [/not linearizable/, { ops: [...WRITES, get(12, 18, 7, 2)] }],
    "reads that go back": [/not linearizable/, { ops: [...WRITES, get(21, 23, 7, 2), get(24, 26, 5, 1)] }],
    "a read of what never was": [/which the log does not have/, { ops: [...WRITES, get(1, 2, 6, 4)] }],
    "a read of nothing where something is": [/nothing stood/, { ops: [...WRITES, refused("get", 32, 35, 0)] }],
    "a refusal without a reason": [/nothing stood/, { ops: [...WRITES, refused("put", 32, 35, 7)] }],
    "a write made though refused": [/made though refused/, {
      ops: WRITES.with(1, { ...refused("put", 20, 30, 5), n: "2" }),
    }],
    "a stale list": [/stale list/, { lists: [{ begun: 55, ended: 56, rv: 7, items: items([7, 2]) }] }],
    "a list with something else": [/a list at 7/, { lists: [{ begun: 32, ended: 33, rv: 7, items: items([5, 1]) }] }],
    "a list without an object": [/a list at 7/, { lists: [{ begun: 32, ended: 33, rv: 7, items: items() }] }],
    "a watch with a gap": [/showed DELETED/, { streams: [{ since: 0, upTo: 9, events: EVENTS.toSpliced(1, 1) }] }],
    "a watch that stops short": [/showed nothing/, { streams: [{ since: 0, upTo: 9, events: EVENTS.slice(0, 3) }] }],
    "a watch out of order": [/showed/, { streams: [{ since: 0, upTo: 7, events: [EVENTS[1]!, EVENTS[0]!] }] }],
    "a watch with something twice": [/showed/, { streams: [{ since: 0, upTo: 5, events: [EVENTS[0]!, EVENTS[0]!] }] }],
    "a watch with another kind of event": [/not ADDED/, {
      streams: [{ since: 0, upTo: 5, events: [{ ...EVENTS[0]!, type: "MODIFIED" }] }],
    }],
  };
  for (const [name, [expected, more]] of Object.entries(wrong)) {
    const faults = judge(more);
    assert(faults.some((fault) => expected.test(fault)), `${name}: ${JSON.stringify(faults)}`);
  }
});
