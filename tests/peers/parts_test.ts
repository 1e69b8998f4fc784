import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import { CacheNotReady } from "../../server/cache/mod.ts";
import { advertisedTo } from "../../server/peers/address.ts";
import type { Entry } from "../../server/cache/mod.ts";
import { readDocuments } from "../../server/peers/documents.ts";
import { ExcludedVersions } from "../../server/peers/excluded.ts";
import { KnownPeers } from "../../server/peers/known.ts";
import { mergedGroups } from "../../server/peers/merge.ts";
import { mergedOrder } from "../../server/peers/order.ts";
import { mistakable, tellsUser, userHeaders } from "../../server/proxy/user.ts";

Deno.test("orders of names become one", () => {
  const table: readonly (readonly [lists: string[], order: string])[] = [
    [[], ""],
    [["b a"], "b a"],
    [["b a", "b c a"], "b c a"],
    [["a c", "b c"], "a b c"],
    [["c a", "c b", "d"], "c a b d"],
    [["a b", "b a"], "a b"],
    [["b a", "a b"], "b a"],
    [["b a c", "b a d"], "b a c d"],
    [["b a x", "a b y"], "a b x y"],
  ];
  for (const [lists, order] of table) {
    assert.equal(mergedOrder(lists.map((l) => l.split(" "))).join(" "), order, lists.join(" | "));
  }
});

const resource = (name: string, verbs: string[] = ["get"], more: JsonMap = {}): JsonMap => ({
  resource: name,
  verbs,
  ...more,
});
const group = (name: string, versions: Record<string, JsonMap[]>): JsonMap => ({
  metadata: { name },
  versions: Object.entries(versions).map(([version, resources]) => ({ version, resources, freshness: "Current" })),
});

Deno.test("what servers serve is one document", () => {
  const own = [group("a", { v1: [resource("x")] }), group("b", { v1: [resource("y", ["list", "get"])] })];
  assert.equal(mergedGroups("m", own, new Map()), own);
  assert.equal(mergedGroups("m", own, new Map([["n", structuredClone(own)]])), own, "a peer that serves the same");
  const peer = [
    group("a", { v2: [resource("x")], v1: [resource("x"), resource("z")] }),
    group("b", { v1: [resource("y", ["get", "watch"], { subresources: [{ subresource: "status" }] })] }),
    group("c", { v1: [] }),
  ];
  const merged = mergedGroups("m", own, new Map([["n", peer]]));
  assert.deepEqual(merged, [
    group("a", { v2: [resource("x")], v1: [resource("x"), resource("z")] }),
    group("b", { v1: [resource("y", ["get", "list", "watch"], { subresources: [{ subresource: "status" }] })] }),
    group("c", { v1: [] }),
  ]);
  assert.deepEqual(mergedGroups("n", peer, new Map([["m", own]])), merged, "each server says the same");
  const under = (name: string) => resource("y", ["get"], { subresources: [{ subresource: name }] });
  const [more, less] = [
    [group("a", { v1: [resource("x"), resource("z")] }), group("b", { v1: [under("status")] })],
    [group("a", { v1: [resource("x")] }), group("b", { v1: [under("scale")] })],
  ];
  const both = resource("y", ["get"], { subresources: [{ subresource: "scale" }, { subresource: "status" }] });
  const all = [group("a", { v1: [resource("x"), resource("z")] }), group("b", { v1: [both] })];
  const backwards = less.toReversed();
  for (const [m, n, wanted] of [[more, less, all], [less, more, all], [backwards, more, all.toReversed()]] as const) {
    assert.deepEqual(mergedGroups("m", m, new Map([["n", n]])), wanted, "within groups that both serve");
    assert.deepEqual(mergedGroups("n", n, new Map([["m", m]])), wanted, "the first by its identity has its order");
  }
});

Deno.test("addresses of peers", () => {
  const address = { host: "192.0.2.1", port: 6443 };
  const advertised = (peerAdvertiseIp: string, peerAdvertisePort: string) =>
    advertisedTo({ peerAdvertiseIp, peerAdvertisePort }, address);
  assert.equal(advertised("", ""), "192.0.2.1:6443");
  assert.equal(advertised("192.0.2.9", ""), "192.0.2.1:6443", "only both");
  assert.equal(advertised("192.0.2.9", "7443"), "192.0.2.9:7443");
});

Deno.test("a peer's documents", () => {
  const list = (...items: JsonMap[]) => JSON.stringify({ kind: "APIGroupDiscoveryList", items });
  const core = { metadata: {}, versions: [{ version: "v1", resources: [{ resource: "pods" }] }] };
  const { resources, groups } = readDocuments([list(core), list(group("a", { v1: [resource("x")] }))]);
  assert.deepEqual([...resources], ["/v1/pods", "a/v1/x"]);
  assert.deepEqual(groups, [group("a", { v1: [resource("x")] })], "the core has its own root");
  assert.throws(() => readDocuments([JSON.stringify({ kind: "APIGroupList" })]), /APIGroupList/);
  assert.throws(() => readDocuments(["<html>"]));
});

Deno.test("peers are not asked for what objects define, and for a while after those are gone", () => {
  let now = 0, changes = 0;
  let defined: string[] = [];
  const excluded = new ExcludedVersions({
    get: () => undefined,
    list: (id) =>
      id.startsWith("custom")
        ? defined.map((group) => ({ spec: { group, versions: [{ name: "v1" }] } })) as never
        : [{ spec: { group: "ext", version: "v1", service: {} } }, { spec: { group: "own", version: "v1" } }] as never,
    changes: () => changes,
  }, () => now);
  const set = (...groups: string[]) => void (defined = groups, changes++);
  assert.deepEqual(["ext", "own", "a"].map((g) => excluded.has(g, "v1")), [true, false, false]);
  const first = excluded.generation();
  set("a");
  assert.notEqual(excluded.generation(), first);
  assert.equal(excluded.has("a", "v1"), true);
  set();
  set("a");
  set();
  assert.equal(excluded.has("a", "v1"), true);
  now = 5 * 60_000;
  assert.equal(excluded.has("a", "v1"), true);
  const before = excluded.generation();
  now++;
  assert.equal(excluded.has("a", "v1"), false);
  assert.notEqual(excluded.generation(), before);
});

Deno.test("what objects define is read again where their cache was not ready", () => {
  let ready = false;
  const excluded = new ExcludedVersions({
    get: () => undefined,
    list: () => {
      if (!ready) throw new CacheNotReady("customresourcedefinitions.apiextensions.k8s.io");
      return [{ spec: { group: "a", versions: [{ name: "v1" }] } }] as never;
    },
    changes: () => 1,
  }, () => 0);
  assert.throws(() => excluded.has("a", "v1"), CacheNotReady);
  ready = true;
  assert.equal(excluded.has("a", "v1"), true);
});

Deno.test("headers that tell who asks", () => {
  const user = { name: "jän", uid: "7", groups: ["a", "b"], extra: { "example.org/a%": ["x", "y"], "é": ["z"] } };
  assert.deepEqual(userHeaders(user, true), [
    ["x-remote-user", "jÃ¤n"],
    ["x-remote-uid", "7"],
    ["x-remote-group", "a"],
    ["x-remote-group", "b"],
    ["x-remote-extra-example.org%2Fa%25", "x"],
    ["x-remote-extra-example.org%2Fa%25", "y"],
    ["x-remote-extra-%C3%A9", "z"],
  ]);
});

Deno.test("who would be another one to the server that is told of them", () => {
  const plain = { name: "ann", groups: ["a,b", "c d"], extra: { k: ["x,y", ""] } };
  assert.equal(mistakable(plain), false);
  for (const odd of ["a, system:masters", " system:masters", "system:masters\t"]) {
    assert.equal(mistakable({ ...plain, groups: ["a", odd] }), true, JSON.stringify(odd));
    assert.equal(mistakable({ ...plain, extra: { ...plain.extra, l: ["x", odd] } }), true, JSON.stringify(odd));
  }
  for (const name of [" ann", "ann "]) assert.equal(mistakable({ ...plain, name }), true);
});

Deno.test("headers of clients that say who somebody is: the usual ones, those of the options, and of whom they act as", () => {
  const tells = tellsUser({
    requestheaderUsernameHeaders: ["X-Who"],
    requestheaderUidHeaders: ["X-Who-Id"],
    requestheaderGroupHeaders: ["X-Team"],
    requestheaderExtraHeadersPrefix: ["X-More-", ""],
  });
  const own = ["x-who", "x-who-id", "x-team", "x-more-scope"], usual = ["user", "uid", "group", "extra-scope"];
  const acting = ["impersonate-user", "impersonate-uid", "impersonate-group", "impersonate-extra-scope"];
  for (const name of [...own, ...usual.map((n) => `x-remote-${n}`), ...acting]) assert.ok(tells(name), name);
  for (const name of ["x-kept", "x-who-else", "accept"]) assert.equal(tells(name), false, name);
});

Deno.test("peers are servers whose leases are among the system's own, and those alive that renew them", () => {
  const heard: string[] = [], product = productOf("kubernetes");
  let now = 0;
  const known = new KnownPeers({
    product,
    own: "me",
    now: () => now,
    arrived: (name) => heard.push(`+${name}`),
    left: (name) => heard.push(`-${name}`),
  });
  const hear = (entry: Entry, deleted: boolean) => known.follower(entry, deleted, undefined);
  const server = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
  const lease = (
    name: string,
    namespace = "kube-system",
    labels: Record<string, string> = server,
    spec: object = {},
  ) => {
    const annotations = { "kubernetes.io/peer-advertise-address": "192.0.2.1:6443" };
    const object = { metadata: { name, annotations }, spec: { holderIdentity: "h1", renewTime: "t1", ...spec } };
    return { name, namespace, labels, peek: () => object } as unknown as Entry;
  };
  const names = () => [...known.all()].map(({ identity }) => identity);
  const others = [
    lease("a", "default"),
    lease("b", undefined, {}),
    lease("me"),
    lease("c", undefined, undefined, {
      holderIdentity: undefined,
    }),
  ];
  for (const other of others) hear(other, false);
  assert.deepEqual([names(), heard], [[], []]);

  for (const name of ["one", "two"]) hear(lease(name), false);
  known.get("one")!.documents = { resources: new Set(), groups: [] };
  assert.deepEqual(known.get("one")!.address, { host: "192.0.2.1", port: 6443 });
  now = 30_001;
  hear(lease("one", undefined, undefined, { renewTime: "t2" }), false);
  assert.ok(known.get("one")!.documents, "what it serves is known yet");
  hear(lease("two"), false);
  const alive = () => known.alive([...known.all()]).map(({ identity }) => identity);
  assert.deepEqual(alive(), ["one"]);
  now = 70_000;
  assert.deepEqual(alive(), ["one", "two"], "where none is, any may be");
  hear(lease("one", undefined, undefined, { holderIdentity: "h2" }), false);
  assert.equal(known.get("one")!.documents, undefined, "it has started anew");
  hear(lease("two"), true);
  hear(lease("three"), true);
  known.keep(() => false);
  assert.deepEqual([names(), heard], [[], ["+one", "+two", "+one", "-two", "-one"]]);
});
