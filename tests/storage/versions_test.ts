/** The index of keys' versions against a model that keeps every version there ever was. */
import assert from "node:assert/strict";
import { VersionIndex } from "../../server/storage/versions.ts";
import { heap } from "../fixture/heap.ts";
import { Random } from "../fixture/random.ts";

/** A place where values lie; where one has been moved to is another. */
interface Place {
  readonly at: number;
}

interface Version {
  readonly revision: number;
  where: Place | null;
  told: number;
}

Deno.test("versions: what compaction drops is told of once, and nothing that a read may still ask for", () => {
  const random = new Random(3), keys = Array.from({ length: 12 }, (_, i) => `${"ab"[i % 2]}/${i}`);
  const model = new Map<string, Version[]>(keys.map((key) => [key, []])), byPlace = new Map<Place, Version>();
  const index = new VersionIndex<Place>((where) => byPlace.get(where)!.told++);
  let revision = 0, compacted = 0;
  const place = (version: Version): Place => {
    const where = { at: byPlace.size };
    byPlace.set(where, version);
    return where;
  };
  /** Needed: no version after it was there at the compacted revision already. */
  const needed = (all: readonly Version[]) =>
    all.filter((_, i) => i + 1 === all.length || all[i + 1]!.revision > compacted);
  const at = (all: readonly Version[], then: number) => {
    const version = all.findLast((v) => v.revision <= then);
    return version?.where ? version : undefined;
  };
  const set = (key: string, deleted: boolean) => {
    const version: Version = { revision: ++revision, where: null, told: 0 };
    if (!deleted) version.where = place(version);
    model.get(key)!.push(version);
    index.set(key, revision, version.where);
  };
  const compact = (below: number) => {
    compacted = below;
    while (!index.compact(below, 1 + random.below(5)));
  };
  const check = (key: string) => {
    const all = model.get(key)!, kept = needed(all);
    const newest = all.at(-1);
    const forgotten = newest?.where === null && newest.revision <= compacted;
    assert.equal(index.newest(key)?.revision, forgotten ? undefined : newest?.revision);
    for (const version of all) {
      const there = version.where !== null && kept.includes(version);
      assert.equal(version.told, version.where !== null && !there ? 1 : 0, `${key}@${version.revision}`);
      const later = kept.filter((v) => v.revision > version.revision);
      const since = later.some((v) => v.where === null);
      const expected = !there ? "no" : since ? "deleted since" : "yes";
      assert.equal(index.standing(key, version.revision, (where) => where === version.where), expected);
      assert.equal(index.standing(key, version.revision, () => false), there ? "elsewhere" : "no");
    }
    assert.equal(index.standing(key, revision + 1, () => true), "no");
  };
  for (let step = 0; step < 6_000; step++) {
    const key = random.pick(keys), all = model.get(key)!;
    const dice = random.below(10);
    if (dice < 6) set(key, random.below(3) === 0);
    else if (dice < 8 && all.length > 0) {
      const version = all[Math.max(0, all.length - 1 - random.below(4))]!;
      const there = needed(all).includes(version) && version.where !== null;
      if (version.where !== null) {
        const moved = place(version);
        assert.equal(index.move(key, version.revision, moved), there);
        if (there) version.where = moved;
      }
    } else if (dice === 8 && random.once(4)) {
      compact(random.once(2) ? revision : compacted + random.below(revision - compacted + 1));
    }
    const then = compacted + random.below(revision - compacted + 1), prefix = random.pick(["", "a/", "b/1"]);
    const found = keys.filter((k) => k.startsWith(prefix)).sort().flatMap((k) => {
      const version = at(model.get(k)!, then);
      return version ? [{ key: k, revision: version.revision, where: version.where }] : [];
    });
    assert.deepEqual(index.range(prefix, then).found, found);
    check(key);
  }
  for (const key of keys) set(key, true);
  compact(revision);
  for (const key of keys) check(key);
  assert.deepEqual(keys.filter((key) => index.newest(key)), []);
});

Deno.test("versions: a key that comes back between two steps of the compaction that it was deleted before stays", () => {
  const index = new VersionIndex<Place>();
  index.set("k", 5, { at: 5 });
  index.set("k", 6, { at: 6 });
  index.set("k", 7, null);
  for (let steps = 1;; steps++) {
    assert(steps < 9);
    if (index.compact(7, 1)) break;
    if (index.newest("k") === undefined) index.set("k", 9, { at: 9 });
  }
  assert.equal(index.newest("k")?.revision, 9);
});

Deno.test("versions: what is compacted takes no memory", () => {
  const index = new VersionIndex<Place>(), before = heap();
  for (let revision = 1; revision <= 200_000; revision++) {
    index.set(`k/${revision % 10}`, revision, revision % 30 < 10 ? null : { at: revision });
    if (revision % 1_000 === 0) assert(index.compact(revision));
  }
  assert(heap() - before < 3 << 20);
  assert.equal(index.newest("k/1")?.revision, 199_991);
});

Deno.test("versions: a key of many versions costs compaction and cleaning as much as many keys of one", () => {
  const index = new VersionIndex<Place>(), many = 2_000;
  for (let revision = 1; revision <= 2 * many; revision++) index.set("hot", revision, { at: revision });
  let looks = 0;
  const counted = (revision: number) => ({ valueOf: () => (looks++, revision) }) as number;
  const below = counted(many);
  while (!index.compact(below, 10));
  for (let revision = 1; revision < many; revision++) {
    assert.equal(index.standing("hot", counted(revision), () => true), "no");
  }
  assert.equal(index.standing("hot", many, () => true), "yes");
  assert(looks < 10 * many, `${looks} looks at revisions`);
});
