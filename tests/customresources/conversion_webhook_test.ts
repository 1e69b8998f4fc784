/** Custom resources whose versions a webhook converts. */
import assert from "node:assert/strict";
import type { Asked, Said } from "../fixture/hooks.ts";
import type { Loose } from "../fixture/loose.ts";
import type { Scheme } from "../../schema/scheme.ts";
import { WatchEnded } from "../../server/cache/mod.ts";
import type { ServedResource } from "../../server/catalog/types.ts";
import { SelectedWatcher } from "../../server/endpoints/watch_converted.ts";
import { within } from "../spec/_spec.ts";
import { at, expectOk, PATH, stage, thing, watching } from "./_conversion.ts";

Deno.test("objects are created in any version and read in any other", () =>
  stage(async ({ t, calls }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "h:1", replicas: 2 }) }), 201);
    assert.deepEqual(calls(), [], "its own version takes no call");
    const a = expectOk(await t.fetch(at("v2", "/a")));
    assert.deepEqual([a.apiVersion, a.spec, a.metadata.labels], [
      "example.com/v2",
      { host: "h", port: "1", count: 2 },
      { seen: "v2" },
    ]);
    const b = expectOk(await t.fetch(at("v2"), { body: thing("v2", "b", { host: "b", port: "2" }) }), 201);
    assert.deepEqual([b.apiVersion, b.spec], ["example.com/v2", { host: "b", port: "2" }]);
    assert.deepEqual(expectOk(await t.fetch(at("v1", "/b"))).spec, { address: "b:2", mode: "m" });
    calls();
    const dry = expectOk(
      await t.fetch(at("v2", "?dryRun=All"), { body: thing("v2", "d", { host: "d", port: "1" }) }),
      201,
    );
    assert.equal(dry.metadata.labels.seen, "v2");
    assert.deepEqual(calls(), ["1:v1", "1:v2"]);
  }));

Deno.test("a list takes one call, and none for what is of its version", () =>
  stage(async ({ t, calls }) => {
    for (const name of ["a", "b", "c"]) {
      expectOk(await t.fetch(at("v1"), { body: thing("v1", name, { address: `${name}:1` }) }), 201);
    }
    const list = expectOk(await t.fetch(at("v2")));
    assert.deepEqual(list.items.map((i: Loose) => [i.apiVersion, i.spec.host]), [
      ["example.com/v2", "a"],
      ["example.com/v2", "b"],
      ["example.com/v2", "c"],
    ]);
    assert.deepEqual(calls(), ["3:v2"]);
    const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    const rows = expectOk(await t.fetch(at("v2", "?limit=2"), { headers: table })).rows;
    assert.deepEqual(rows.map((r: Loose) => r.cells.slice(0, 2)), [["a", "a"], ["b", "b"]]);
    assert.deepEqual(calls(), ["2:v2"]);
    expectOk(await t.fetch(at("v1")));
    assert.deepEqual(calls(), []);
  }));

Deno.test("a list of many objects is converted in bounded parts, in order", () =>
  stage(async ({ t, calls }) => {
    const names = Array.from({ length: 520 }, (_, i) => `n${String(i).padStart(3, "0")}`);
    for (const name of names) await t.fetch(at("v1"), { body: thing("v1", name, { address: `${name}:1` }) });
    const list = expectOk(await t.fetch(at("v2")));
    assert.deepEqual(list.items.map((i: Loose) => i.spec.host), names);
    assert.deepEqual(calls(), ["500:v2", "20:v2"]);
  }));

Deno.test("a list of large objects is converted in bounded parts", () =>
  stage(async ({ t, calls }) => {
    const annotations = { a: "x".repeat(250_000) };
    for (let i = 0; i < 10; i++) {
      expectOk(await t.fetch(at("v1"), { body: thing("v1", `n${i}`, { address: "a:1" }, { annotations }) }), 201);
    }
    assert.equal(expectOk(await t.fetch(at("v2"))).items.length, 10);
    assert.deepEqual(calls(), ["8:v2", "2:v2"]);
  }));

Deno.test("updates, patches, status and scale work in the version of the request", () =>
  stage(async ({ t, patch }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "h:1", replicas: 2 }) }), 201);
    const now = expectOk(await t.fetch(at("v2", "/a")));
    now.spec.host = "new";
    const put = expectOk(await t.fetch(at("v2", "/a"), { method: "PUT", body: now }));
    assert.equal(put.metadata.generation, 2);
    const again = expectOk(await t.fetch(at("v2", "/a"), { method: "PUT", body: put }));
    assert.equal(again.metadata.resourceVersion, put.metadata.resourceVersion, "nothing changed");
    assert.equal((await t.fetch(at("v2", "/a"), { method: "PUT", body: now })).status, 409);
    const dry = expectOk(await patch(at("v2", "/a?dryRun=All"), { spec: { port: "8" } }));
    assert.deepEqual([dry.spec.port, expectOk(await t.fetch(at("v2", "/a"))).spec.port], ["8", "1"]);
    expectOk(await patch(at("v2", "/a"), { spec: { port: "77" } }));
    const json = [{ op: "test", path: "/spec/port", value: "77" }, { op: "replace", path: "/spec/port", value: "9" }];
    expectOk(await patch(at("v2", "/a"), json, "application/json-patch+json"));
    expectOk(await patch(at("v2", "/a/status"), { status: { n: 1 }, spec: { host: "no" } }));
    assert.equal(expectOk(await t.fetch(at("v2", "/a/scale"))).spec.replicas, 2);
    assert.equal(expectOk(await patch(at("v2", "/a/scale"), { spec: { replicas: 5 } })).spec.replicas, 5);
    const { spec, status } = expectOk(await t.fetch(at("v1", "/a")));
    assert.deepEqual([spec, status], [{ address: "new:9", replicas: 5, mode: "m" }, { n: 1 }]);
  }));

Deno.test("what is applied in one version conflicts with what another manager has in another", () =>
  stage(async ({ t, patch }) => {
    const apply = (v: string, by: string, spec: Loose, more = "") =>
      patch(at(v, `/a?fieldManager=${by}${more}`), thing(v, "a", spec), "application/apply-patch+yaml");
    expectOk(await apply("v2", "one", { host: "h", port: "1" }), 201);
    expectOk(await apply("v1", "two", { replicas: 3 }));
    const clash = await apply("v1", "two", { address: "z:2" });
    assert.deepEqual([clash.status, clash.body.details.causes.map((c: Loose) => c.field)], [409, [
      ".spec.host",
      ".spec.port",
    ]]);
    expectOk(await apply("v1", "two", { address: "z:2" }, "&force=true"));
    const owners = expectOk(await t.fetch(at("v2", "/a"))).metadata.managedFields;
    assert.deepEqual(owners.map((o: Loose) => [o.manager, o.apiVersion]), [["two", "example.com/v1"]]);
  }));

Deno.test("validation is that of the request's version, before any call", () =>
  stage(async ({ t, calls }) => {
    const bad = await t.fetch(at("v2"), { body: thing("v2", "a", { host: 1 }) });
    assert.deepEqual([bad.status, bad.body.reason, bad.body.details.causes[0].field], [422, "Invalid", "spec.host"]);
    // Managed fields and validation are done in it; only what is valid is converted.
    assert.deepEqual(calls(), []);
    const long = thing("v2", "a", { host: "longer-than-v1-may-be", port: "1" });
    expectOk(await t.fetch(at("v2"), { body: long }), 201);
  }));

Deno.test("watches show events in their version; a conversion that fails ends them with its error", () =>
  stage(async ({ t, say }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "a:1" }) }), 201);
    const two = await watching(t, at("v2", "?watch=1"));
    const one = await watching(t, at("v1", "?watch=1"));
    expectOk(await t.fetch(at("v2"), { body: thing("v2", "b", { host: "b", port: "2" }) }), 201);
    const seen = [await two.next(), await two.next(), await one.next(), await one.next()] as Loose[];
    assert.deepEqual(seen.map((e) => [e.type, e.object.apiVersion, e.object.spec.host ?? e.object.spec.address]), [
      ["ADDED", "example.com/v2", "a"],
      ["ADDED", "example.com/v2", "b"],
      ["ADDED", "example.com/v1", "a:1"],
      ["ADDED", "example.com/v1", "b:2"],
    ]);
    say((response) => void (response.result = { status: "Failure", message: "not today" }));
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "c", { address: "c:1" }) }), 201);
    const last = await two.next() as Loose;
    assert.deepEqual([last.type, last.object.code], ["ERROR", 500]);
    assert.match(last.object.message, /failed: not today$/);
    assert.equal((await one.next() as Loose).object.metadata.name, "c");
    // What failed once is tried again for who comes back.
    say();
    const back = await watching(t, at("v2", `?watch=1&resourceVersion=${seen[1].object.metadata.resourceVersion}`));
    assert.equal((await back.next()).object.spec.host, "c");
    await back.close();
    await two.close();
    await one.close();
  }));

Deno.test("a watch by fields of the request's version tells in order what comes and goes after where it starts", () =>
  stage(async ({ t, patch }) => {
    const labels = { l: "x" }, version = (body: Loose): string => body.metadata.resourceVersion;
    for (const [name, metadata] of [["a", { labels }], ["b", {}]] as const) {
      expectOk(await t.fetch(at("v1"), { body: thing("v1", name, { address: "h:1" }, metadata) }), 201);
    }
    const since = version(expectOk(await t.fetch(at("v2"))));
    const move = async (address: string) => version(expectOk(await patch(at("v1", "/a"), { spec: { address } })));
    const left = await move("k:1");
    const query = `watch=1&resourceVersion=${since}&labelSelector=l%3Dx&fieldSelector=spec.host%3Dh`;
    const w = await watching(t, at("v2", `?${query}`));
    const back = await move("h:2"), again = await move("k:2");
    const labelled = version(expectOk(await patch(at("v1", "/b"), { metadata: { labels } })));
    for (const name of ["/a", "/b"]) expectOk(await t.fetch(at("v1", name), { method: "DELETE" }));
    const told = [];
    for (let i = 0; i < 5; i++) {
      const { type, object: { metadata, spec } } = await w.next();
      told.push([type, metadata.name, `${spec.host}:${spec.port}`, i < 4 ? metadata.resourceVersion : undefined]);
    }
    assert.deepEqual(told, [
      ["DELETED", "a", "h:1", left],
      ["ADDED", "a", "h:2", back],
      ["DELETED", "a", "h:2", again],
      ["ADDED", "b", "h:1", labelled],
      ["DELETED", "b", "h:1", undefined],
    ]);
    await w.close();
  }));

Deno.test("a watch by fields of the request's version goes on after what it does not tell of", () =>
  stage(async ({ t, calls }) => {
    const whole = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const w = await watching(t, at("v2", `?watch=1&fieldSelector=spec.host%3Dh&${whole}`));
    const end = await within(w.next(), "the end of what was there");
    assert.deepEqual([end.type, end.object.metadata.annotations["k8s.io/initial-events-end"]], ["BOOKMARK", "true"]);
    const first = w.next();
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "k:1" }) }), 201);
    const seen: string[] = [];
    while (seen.push(...calls()) === 0) await new Promise((r) => setTimeout(r, 5));
    assert.deepEqual(seen, ["1:v2"], "the event was looked at");
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "b", { address: "h:1" }) }), 201);
    const { type, object } = await within(first, "what it tells of");
    assert.deepEqual([type, object.metadata.name], ["ADDED", "b"]);
    await w.close();
  }));

Deno.test("of a watch by fields that cannot be made nothing stays", () =>
  stage(async ({ t, say }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "h:1" }) }), 201);
    const { cache } = t.server.registries.byId("things.example.com")!, before = cache.stats.watchers;
    say(() => ({ status: 500 }));
    const query = "watch=1&fieldSelector=spec.host%3Dh&sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
    assert.equal((await t.fetch(at("v2", `?${query}`))).status, 500);
    assert.equal(cache.stats.watchers, before);
  }));

Deno.test("a watch by fields of the request's version tells why it ends, though nothing was selected", async () => {
  const error = new WatchEnded("too-slow", "it lags behind"), batches = [{ events: [], error }];
  const inner = { next: () => Promise.resolve(batches.shift()), close: () => {} };
  const served = { kind: {} } as ServedResource;
  const w = await SelectedWatcher.after({} as Scheme, served, inner, () => true, []);
  assert.deepEqual(await w.next(), { events: [], error });
});

Deno.test("objects stored in a version that is no longer the stored one are read, and move when they are written", () =>
  stage(async ({ t, calls }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "a:1" }) }), 201);
    const d = expectOk(await t.fetch(PATH));
    for (const v of d.spec.versions) v.storage = v.name === "v2";
    expectOk(await t.fetch(PATH, { method: "PUT", body: d }));
    calls();
    assert.equal(expectOk(await t.fetch(at("v1", "/a"))).spec.address, "a:1");
    assert.deepEqual(calls(), [], "it still lies there as v1");
    expectOk(await t.fetch(at("v2"), { body: thing("v2", "b", { host: "b", port: "1" }) }), 201);
    const list = expectOk(await t.fetch(at("v1")));
    assert.deepEqual(list.items.map((i: Loose) => [i.apiVersion, i.spec.address]), [
      ["example.com/v1", "a:1"],
      ["example.com/v1", "b:1"],
    ]);
    assert.deepEqual(calls(), ["1:v1"]);
    const now = expectOk(await t.fetch(at("v2", "/a")));
    const put = expectOk(await t.fetch(at("v2", "/a"), { method: "PUT", body: now }));
    assert.notEqual(put.metadata.resourceVersion, now.metadata.resourceVersion);
    calls();
    expectOk(await t.fetch(at("v2", "/a")));
    assert.deepEqual(calls(), [], "it lies there as v2 now");
  }));

Deno.test("calls and conversions are counted, and what calls failed by", () =>
  stage(async ({ t, say }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "a:1" }) }), 201);
    expectOk(await t.fetch(at("v2", "/a")));
    const failing: readonly [change: (r: Loose) => Said | void, failure: string][] = [
      [() => ({ status: 500, text: "oops" }), "call"],
      [() => ({ text: "{}" }), "malformed_response"],
      [(r) => void r.convertedObjects.pop(), "no_objects_returned"],
      [(r) => void (r.convertedObjects[0].kind = "Other"), "invalid_converted_object"],
    ];
    for (const [change] of failing) {
      say(change);
      assert.equal((await t.fetch(at("v2", "/a"))).status, 500);
    }
    const { text } = await t.fetch("/metrics");
    const value = (name: string, ...labels: string[]) =>
      text.split("\n").find((l) => l.startsWith(`${name}{`) && labels.every((label) => l.includes(label)))?.split(
        " ",
      )[1];
    for (const [, failure] of failing) {
      const label = `failure_type="conversion_webhook_${failure}_failure"`;
      assert.equal(value("apiserver_conversion_webhook_request_total", label, `result="failure"`), "1", failure);
    }
    assert(value("apiserver_conversion_webhook_duration_seconds_count", `result="success"`, `failure_type=""`));
    const versions = [`crd_name="things.example.com"`, `from_version="v1"`, `to_version="v2"`];
    const count = "apiserver_crd_conversion_webhook_duration_seconds_count";
    assert.equal(value(count, ...versions, `succeeded="false"`), "4");
    assert(value(count, ...versions, `succeeded="true"`));
  }));

/** Answers that cannot be used, with what is said of them behind `conversion webhook for example.com/v1, Kind=Thing`. */
const BAD: Readonly<Record<string, readonly [(r: Loose) => Said | void, RegExp]>> = {
  "another uid": [(r) => void (r.uid = "other"), /^failed: expected response.uid=".*", got "other"$/],
  "too few": [(r) => void r.convertedObjects.pop(), /^returned 0 objects, expected 1$/],
  "another version": [(r) => void (r.convertedObjects[0].apiVersion = "example.com/v9"), /invalid groupVersion/],
  "another kind": [(r) => void (r.convertedObjects[0].kind = "Other"), /invalid kind/],
  "another name": [(r) => void (r.convertedObjects[0].metadata.name = "z"), /must have the same name: a != z$/],
  "another namespace": [(r) => void (r.convertedObjects[0].metadata.namespace = "z"), /the same namespace/],
  "another uid of the object": [(r) => void (r.convertedObjects[0].metadata.uid = "z"), /the same UID/],
  "no metadata": [(r) => void delete r.convertedObjects[0].metadata, /the same name: a != $/],
  "a bad label": [(r) => void (r.convertedObjects[0].metadata.labels = { "a b": "c" }), /invalid metadata: .*labels/],
  "a label that is no text": [(r) => void (r.convertedObjects[0].metadata.labels = { a: 1 }), /must be a string/],
  "labels that are no map": [(r) => void (r.convertedObjects[0].metadata.labels = ["a"]), /invalid metadata/],
  "no object": [(r) => void (r.convertedObjects[0] = null), /returned invalid object/],
  "objects that are no list": [(r) => void (r.convertedObjects = {}), /^failed: response.convertedObjects is no list$/],
  "an embedded object of which nothing is known": [
    (r) => void (r.convertedObjects[0].spec.inner = { metadata: { name: 5 } }),
    /^returned invalid object at index 0: spec.inner.metadata: /,
  ],
  "a failure": [(r) => void (r.result = { status: "Failure", message: "no way" }), /^failed: no way$/],
  "a failure of an empty word": [
    (r) => void (r.result = { status: "Failure", message: "" }),
    /^failed: response.result.status was 'Failure', not 'Success'$/,
  ],
  "a failure without a word": [(r) => void (r.result = {}), /^failed: response.result.status was ''/],
  "another code": [() => ({ status: 500, text: "oops" }), /^failed: /],
  "another code of a good answer": [
    (response) => {
      const text = JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", response });
      return { status: 400, text };
    },
    /^failed: /,
  ],
  "a redirect": [() => ({ status: 302, headers: { location: "/other" }, text: "" }), /^failed: /],
  "no JSON": [() => ({ text: "hello" }), /^failed: /],
  "another kind of answer": [
    (response) => ({ text: JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind: "Review", response }) }),
    /^failed: expected webhook response of .*, Kind=ConversionReview, got .*\/v1, Kind=Review$/,
  ],
  "no review": [() => ({ text: "{}" }), /^failed: expected webhook response/],
};

Deno.test("answers that cannot be used are failures without a reason", async (test) => {
  await stage(async ({ t, say }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "a:1" }) }), 201);
    for (const [name, [change, message]] of Object.entries(BAD)) {
      await test.step(name, async () => {
        say(change);
        const got = await t.fetch(at("v2", "/a"));
        assert.deepEqual([got.status, got.body.reason, got.body.details], [500, undefined, undefined], got.text);
        const [, rest] = /^conversion webhook for example\.com\/v1, Kind=Thing (.*)$/.exec(got.body.message) ?? [];
        assert.match(rest ?? "", message);
        assert.equal((await t.fetch(at("v2", "/a"), { method: "DELETE" })).status, 500);
        assert.equal((await t.fetch(at("v2"), { method: "DELETE" })).status, 500);
        assert.equal((await t.fetch(at("v1", "/a"))).status, 200, "nothing was deleted");
      });
    }
  });
});

Deno.test("of metadata an answer changes labels and annotations only; what the version does not know is dropped", () =>
  stage(async ({ t, say }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "a:1" }) }), 201);
    say(({ convertedObjects: [o] }) => {
      Object.assign(o.metadata, { finalizers: ["x.io/y"], generation: 99, annotations: { k: "v" } });
      o.other = 1;
    });
    const { metadata, spec, other } = expectOk(await t.fetch(at("v2", "/a")));
    assert.deepEqual([metadata.finalizers, metadata.generation, metadata.annotations], [undefined, 1, { k: "v" }]);
    assert.deepEqual([spec, other], [{ host: "a", port: "1" }, undefined]);
  }));

Deno.test("nulls that may not be are dropped; replicas that are no whole number are a failure without a reason", () =>
  stage(async ({ t, say }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "a:1" }) }), 201);
    const answered = (spec: Loose) => say(({ convertedObjects: [o] }) => void Object.assign(o.spec, spec));
    answered({ host: null, count: null });
    assert.deepEqual(expectOk(await t.fetch(at("v2", "/a"))).spec, { port: "1" });
    answered({ count: 1.5 });
    const got = expectOk(await t.fetch(at("v2", "/a/scale")), 500);
    assert.deepEqual([got.message, got.reason, got.details], [
      ".spec.count is not a whole number",
      undefined,
      undefined,
    ]);
  }));

Deno.test("an object whose conversion fails can be deleted unread, and no other", () =>
  stage(async ({ t, say }) => {
    for (const name of ["a", "b"]) {
      const body = thing("v1", name, { address: "a:1" }, { finalizers: ["example.com/hold"] });
      expectOk(await t.fetch(at("v1"), { body }), 201);
    }
    const unread = { method: "DELETE", body: { ignoreStoreReadErrorWithClusterBreakingPotential: true } };
    expectOk(await t.fetch(at("v2", "/a"), unread), 422);
    say((r) => void (r.result = { status: "Failure" }));
    expectOk(await t.fetch(at("v2", "/a"), unread));
    assert.equal((await t.fetch(at("v1", "/a"))).status, 404);
    expectOk(await t.fetch(at("v1", "/b"), unread), 422);
    say(() => ({ silent: true }));
    expectOk(await t.fetch(at("v2", "/b?timeout=1s"), unread), 504);
    // What nobody waits for any more would be done by then.
    for (let i = 0; i < 30; i++) assert.equal((await t.fetch(at("v1", "/b"))).status, 200);
  }));

Deno.test("the first known version of reviews is spoken; the older one need not name itself", () =>
  stage(async ({ t, hooks, say }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "a:1" }) }), 201);
    say((response) => ({ text: JSON.stringify({ response: { ...response, uid: "whatever" } }) }));
    expectOk(await t.fetch(at("v2", "/a")));
    const [{ body, query }] = hooks.asked as [Asked];
    assert.deepEqual([body.kind, body.apiVersion, query], [
      "ConversionReview",
      "apiextensions.k8s.io/v1beta1",
      "?timeout=30s",
    ]);
  }, { conversionReviewVersions: ["v7", "v1beta1", "v1"] }));

Deno.test("a webhook that is not there fails what needs it, and nothing else", () =>
  stage(async ({ t }) => {
    expectOk(await t.fetch(at("v1"), { body: thing("v1", "a", { address: "a:1" }) }), 201);
    for (const [method, path] of [["GET", "/a"], ["GET", ""], ["DELETE", "/a"], ["DELETE", ""]] as const) {
      const got = await t.fetch(at("v2", path), { method });
      assert.equal(got.status, 500, got.text);
      assert.match(
        got.body.message,
        /^conversion webhook for example.com\/v1, Kind=Thing failed: service "s" not found/,
      );
    }
    const made = await t.fetch(at("v2"), { body: thing("v2", "b", { host: "b", port: "1" }) });
    assert.match(made.body.message, /^conversion webhook for example.com\/v2, Kind=Thing failed: /);
    expectOk(await t.fetch(at("v1", "/a"), { method: "DELETE" }));
    assert.deepEqual(expectOk(await t.fetch(at("v2"))).items, []);
  }, { clientConfig: { service: { namespace: "default", name: "s" } } }));

Deno.test("deletion waits for finalizers in any version", () =>
  stage(async ({ t, patch, calls }) => {
    const held = thing("v2", "a", { host: "a", port: "1" }, { finalizers: ["example.com/hold"] });
    expectOk(await t.fetch(at("v2"), { body: held }), 201);
    const waiting = expectOk(await t.fetch(at("v2", "/a"), { method: "DELETE" }));
    assert.deepEqual([waiting.apiVersion, waiting.spec.host], ["example.com/v2", "a"]);
    calls();
    expectOk(await t.fetch(at("v1", "/a")));
    assert.deepEqual(calls(), [], "it lies in the stored version still");
    expectOk(await patch(at("v2", "/a"), { metadata: { finalizers: null } }));
    assert.equal((await t.fetch(at("v1", "/a"))).status, 404);
  }));

Deno.test("selectors look at fields of the request's version", () =>
  stage(async ({ t, patch }) => {
    const list = async (v: string, query: string) => {
      const body = expectOk(await t.fetch(at(v, `?${query}`)));
      return [body.items.map((o: Loose) => o.metadata.name).join(), body.metadata.continue ?? ""];
    };
    const empty = await watching(t, at("v2", "?watch=1&fieldSelector=spec.host=h"));
    for (const [name, address] of [["a", "h:1"], ["b", "k:1"], ["c", "h:2"], ["d", "h:1"]]) {
      expectOk(await t.fetch(at("v1"), { body: thing("v1", name!, { address }) }), 201);
    }
    const rows: [string, string, string][] = [
      ["v1", "spec.address=h:1", "a,d"],
      ["v1", "spec.address!=h:1,metadata.name!=b", "c"],
      ["v2", "spec.host=h", "a,c,d"],
      ["v2", "spec.host=h,spec.port=1", "a,d"],
      ["v2", "spec.host!=h", "b"],
      ["v2", "spec.host=h,metadata.name=c", "c"],
      ["v2", "spec.host=x", ""],
    ];
    for (const [v, selector, names] of rows) {
      assert.deepEqual(await list(v, `fieldSelector=${selector}`), [names, ""], `${v} ${selector}`);
    }
    for (const [v, field] of [["v1", "spec.host"], ["v2", "spec.address"]]) {
      assert.equal((await t.fetch(at(v!, `?fieldSelector=${field}=h`))).status, 400, `${v} ${field}`);
    }
    // In pages: each holds as many as asked for, wherever they are.
    const [first, more] = await list("v2", "fieldSelector=spec.host=h&limit=2");
    assert.equal(first, "a,c");
    const query = `fieldSelector=spec.host=h&limit=2&continue=${encodeURIComponent(more!)}`;
    assert.deepEqual(await list("v2", query), ["d", ""]);

    const { metadata } = expectOk(await t.fetch(at("v2")));
    const later = await watching(
      t,
      at("v2", `?watch=1&resourceVersion=${metadata.resourceVersion}&fieldSelector=spec.host=h`),
    );
    const told = async (w: typeof later, n: number) => {
      const out: string[] = [];
      for (let i = 0; i < n; i++) {
        const { type, object } = await w.next();
        out.push(`${type} ${object.metadata.name} ${object.spec.host}:${object.spec.port}`);
      }
      return out;
    };
    expectOk(await patch(at("v1", "/a"), { spec: { address: "h:3" } }));
    expectOk(await patch(at("v2", "/b"), { spec: { host: "h" } }));
    expectOk(await patch(at("v1", "/c"), { spec: { address: "k:2" } }));
    const gone = expectOk(await t.fetch(at("v2", "?fieldSelector=spec.host=h,spec.port=1"), { method: "DELETE" }));
    assert.deepEqual(gone.items.map((o: Loose) => o.metadata.name), ["b", "d"]);
    const events = ["MODIFIED a h:3", "ADDED b h:1", "DELETED c h:2", "DELETED b h:1", "DELETED d h:1"];
    assert.deepEqual((await told(later, 5)).toSorted(), events.toSorted());
    assert.deepEqual(
      (await told(empty, 8)).toSorted(),
      ["ADDED a h:1", "ADDED c h:2", "ADDED d h:1", ...events].toSorted(),
    );
    await later.close();
    await empty.close();
  }));
