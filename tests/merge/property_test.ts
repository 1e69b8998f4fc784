/** Laws of merging and ownership, over seeded random objects; the seed is printed where one fails. */
import assert from "node:assert/strict";
import { jsonEqual } from "../../schema/merge/equal.ts";
import { FieldSet } from "../../schema/merge/fieldset.ts";
import { applyManaged, updateManaged } from "../../schema/merge/managed.ts";
import { decodeOwners } from "../../schema/merge/owners.ts";
import { compare, merge, removeItems, toFieldSet, validateTyped } from "./_typed.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { StatusError } from "../../schema/status.ts";
import { randomJson } from "./_random.ts";
import { randomSpec } from "./_random_widget.ts";
import { stored, timeOf } from "./_story.ts";
import { KIND, SPEC, WIDGET } from "./_widget.ts";
import { Random } from "../fixture/random.ts";

const SEEDS = 800;
const OWN = FieldSet.ofFields(["apiVersion"], ["kind"], ["metadata"], ["metadata", "name"]);

function each(name: string, law: (r: Random, hint: string) => void): void {
  Deno.test(`law: ${name}, ${SEEDS} seeds`, () => {
    for (let seed = 1; seed <= SEEDS; seed++) law(new Random(seed), `seed ${seed}`);
  });
}

const object = (spec: JsonMap): JsonMap => ({ apiVersion: "test/v1", kind: "Widget", metadata: { name: "w" }, spec });
const ownersOf = (o: JsonMap) => [...decodeOwners((o.metadata as JsonMap).managedFields).values()];

/** An object after some writes by three managers. */
function lived(r: Random, spec: (r: Random) => JsonMap = randomSpec): JsonMap {
  let live = stored(applyManaged(KIND, request(undefined, "m0", spec(r), 0)).object);
  for (let i = 1, n = 1 + r.below(4); i < n; i++) live = write(r, live, i, spec);
  return live;
}

/** A spec without empty values, which a decoder or a removal may leave out, and without open ones, whose shape may change. */
function plainSpec(r: Random): JsonMap {
  const { any: _any, raw: _raw, child: _child, ...rest } = randomSpec(r);
  return (filled(rest as JsonMap) ?? { size: 1 }) as JsonMap;
}

function filled(v: Json): Json | undefined {
  if (Array.isArray(v)) return v.length ? v.map((x) => filled(x)!) : undefined;
  if (typeof v !== "object" || v === null) return v;
  const kept = Object.entries(v).map(([k, x]) => [k, filled(x)] as const).filter(([, x]) => x !== undefined);
  return kept.length ? Object.fromEntries(kept) as JsonMap : undefined;
}

const request = (live: JsonMap | undefined, manager: string, spec: JsonMap, i: number) => ({
  live,
  applied: object(spec),
  manager,
  force: true,
  time: timeOf(i),
});

function write(r: Random, live: JsonMap, i: number, spec: (r: Random) => JsonMap): JsonMap {
  const manager = `m${r.below(3)}`;
  if (r.once(2)) return stored(applyManaged(KIND, request(live, manager, spec(r), i)).object);
  const next = { ...live, spec: { ...live.spec as JsonMap, ...spec(r) } };
  return stored(updateManaged(KIND, { live, object: next, manager, time: timeOf(i) }));
}

each("applied, then read back, a manager owns what it sent", (r, hint) => {
  const live = lived(r);
  const spec = randomSpec(r);
  const next = applyManaged(KIND, request(live, "m1", spec, 9)).object;
  const own = ownersOf(next).find((o) => o.manager === "m1" && o.operation === "Apply");
  const sent = toFieldSet(WIDGET, object(spec)).difference(OWN);
  assert.ok((own?.set ?? FieldSet.EMPTY).equals(sent), hint);
});

each("what was applied is in the object", (r, hint) => {
  const live = lived(r);
  const spec = plainSpec(r);
  const next = applyManaged(KIND, request(live, "m1", spec, 9)).object;
  assert.ok(jsonEqual(merge(SPEC, next.spec!, spec), next.spec), hint);
});

each("the same apply again changes nothing, not even a time", (r, hint) => {
  const live = lived(r);
  const spec = plainSpec(r);
  const next = stored(applyManaged(KIND, request(live, "m1", spec, 9)).object);
  const again = applyManaged(KIND, request(next, "m1", spec, 10));
  assert.deepEqual(again.object, next, hint);
  assert.equal(again.changed, false, hint);
});

each("an apply of nothing gives up all, and takes nothing of others", (r, hint) => {
  const live = lived(r);
  const next = stored(applyManaged(KIND, request(live, "m1", {}, 9)).object);
  const mine = (o: JsonMap) => ownersOf(o).filter((x) => x.manager === "m1" && x.operation === "Apply");
  assert.ok(mine(next).every((o) => o.set.equals(FieldSet.ofFields(["spec"]))), hint);
  for (const other of ownersOf(live)) {
    if (other.operation !== "Apply" || other.manager === "m1") continue;
    const kept = ownersOf(next).find((o) => o.operation === "Apply" && o.manager === other.manager);
    assert.ok(kept?.set.equals(other.set), `${hint}: ${other.manager}`);
  }
});

each("all that is owned of the object is in it", (r, hint) => {
  const live = lived(r, plainSpec);
  const there = toFieldSet(WIDGET, live).union(compare(WIDGET, {}, live).added);
  for (const o of ownersOf(live)) {
    const lost = o.set.leaves().difference(there);
    assert.ok(
      lost.empty,
      `${hint}: ${o.manager} ${o.operation} ${JSON.stringify(lost.paths())} ${JSON.stringify(live.spec)}`,
    );
  }
});

each("no apply leaves two appliers owning different values", (r, hint) => {
  const live = lived(r);
  const [a, b] = [randomSpec(r), randomSpec(r)];
  const first = stored(applyManaged(KIND, request(live, "m1", a, 8)).object);
  const second = stored(applyManaged(KIND, request(first, "m2", b, 9)).object);
  const one = ownersOf(second).find((o) => o.manager === "m1" && o.operation === "Apply");
  if (!one) return;
  const moved = compare(WIDGET, first, second);
  assert.ok(one.set.intersection(moved.modified).empty, hint);
});

each("merging is idempotent, and keeps what is not mentioned", (r, hint) => {
  const [live, applied] = [plainSpec(r), plainSpec(r)];
  const merged = merge(SPEC, live, applied);
  assert.ok(jsonEqual(merge(SPEC, merged, applied), merged), hint);
  assert.deepEqual(validateTyped(SPEC, merged), [], hint);
  assert.ok(compare(SPEC, live, merged).removed.empty, hint);
});

each("a comparison is the same the other way round", (r, hint) => {
  const [a, b] = [randomSpec(r), randomSpec(r)];
  const there = compare(SPEC, a, b);
  const back = compare(SPEC, b, a);
  assert.ok(there.added.equals(back.removed) && there.removed.equals(back.added), hint);
  assert.ok(there.modified.equals(back.modified), hint);
  const same = compare(SPEC, a, JSON.parse(JSON.stringify(a)));
  assert.ok(same.added.empty && same.removed.empty && same.modified.empty, hint);
});

each("what is removed is no longer mentioned", (r, hint) => {
  const [a, b] = [randomSpec(r), randomSpec(r)];
  const fields = toFieldSet(SPEC, b);
  const left = removeItems(SPEC, a, fields);
  const mentioned = left === null ? FieldSet.EMPTY : toFieldSet(SPEC, left);
  assert.ok(mentioned.leaves().intersection(fields.leaves()).difference(nulls(left)).empty, hint);
});

/** What removal emptied stands as null, which is a mention. */
function nulls(v: Json): FieldSet {
  const paths: string[][] = [];
  const walk = (x: Json, path: string[]) => {
    if (x === null) paths.push(path);
    else if (typeof x === "object" && !Array.isArray(x)) {
      for (const k of Object.keys(x)) walk(x[k]!, [...path, "f:" + k]);
    }
  };
  walk(v, []);
  return FieldSet.of(...paths);
}

Deno.test("fuzz: JSON of all sorts is applied or refused with a status, 4,000 seeds", () => {
  const live = stored(applyManaged(KIND, request(undefined, "m0", { size: 1, items: [{ name: "a" }] }, 0)).object);
  for (let seed = 1; seed <= 4000; seed++) {
    const r = new Random(seed);
    const spec = randomSpec(r);
    for (const key of Object.keys(spec)) if (r.once(2)) spec[key] = randomJson(r, 3, { nulls: true });
    if (r.once(3)) spec[r.pick(["__proto__x", "constructor", "toString"])] = 1;
    const applied = r.once(10) ? randomJson(r, 4, { nulls: true }) : object(spec);
    if (typeof applied !== "object" || applied === null || Array.isArray(applied)) continue;
    try {
      const { object: next } = applyManaged(KIND, { live, applied, manager: "m", force: r.once(2), time: timeOf(1) });
      JSON.stringify(next, (_k, v) => (typeof v === "bigint" ? String(v) : v));
    } catch (e) {
      assert.ok(e instanceof StatusError, `seed ${seed}: ${e}`);
    }
  }
});

Deno.test("fuzz: JSON of all sorts is updated without failing, 4,000 seeds", () => {
  const live = stored(applyManaged(KIND, request(undefined, "m0", { size: 1, items: [{ name: "a" }] }, 0)).object);
  for (let seed = 1; seed <= 4000; seed++) {
    const r = new Random(seed);
    const next: JsonMap = { ...live, spec: randomJson(r, 4, { nulls: true }) };
    if (r.once(2)) next.metadata = { name: "w", managedFields: randomJson(r, 4, { nulls: true }) };
    updateManaged(KIND, { live: r.once(2) ? live : undefined, object: next, manager: "m", time: timeOf(1) });
  }
});
