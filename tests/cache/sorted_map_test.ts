import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { SortedMap } from "../../server/cache/sorted_map.ts";
import { Random } from "../fixture/random.ts";

interface Item {
  readonly key: string;
  readonly value: number;
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function keys(map: SortedMap<Item>, from?: string, until?: string): string[] {
  return [...map.range(from, until)].map(({ key }) => key);
}

/** The twin: a plain map, sorted when asked. */
function expected(model: ReadonlyMap<string, number>, from = "", until?: string): string[] {
  return [...model.keys()].filter((key) => byBytes(key, from) >= 0 && (until === undefined || byBytes(key, until) < 0))
    .sort(byBytes);
}

function check(map: SortedMap<Item>, model: ReadonlyMap<string, number>, random: Random): void {
  assert.equal(map.size, model.size);
  assert.deepEqual(keys(map), expected(model));
  for (let i = 0; i < 5; i++) {
    const [from, until] = [anyKey(random), anyKey(random)].sort(byBytes) as [string, string];
    assert.deepEqual(keys(map, from, until), expected(model, from, until));
    assert.equal(map.rank(from), expected(model, "", from).length);
    assert.equal(map.get(from)?.value, model.get(from));
  }
}

function anyKey(random: Random): string {
  const odd = random.below(50) === 0 ? random.pick(["\u{1f600}", "\uff5e", "\ue000", "é"]) : "";
  return `${random.pick(["a", "a-b", "b"])}/${odd}${random.below(400)}`;
}

for (const seed of [1, 2, 3, 4, 5]) {
  Deno.test(`a sorted map does what a plain map does, clones untouched (seed ${seed})`, () => {
    const random = new Random(seed);
    const map = new SortedMap<Item>();
    const model = new Map<string, number>();
    const clones: { map: SortedMap<Item>; model: Map<string, number> }[] = [];
    for (let step = 0; step < 6000; step++) {
      const key = anyKey(random);
      // Grows, then shrinks to nothing, then grows again.
      const deleting = random.below(10) < (step % 3000 < 1500 ? 3 : 8);
      if (deleting) {
        assert.equal(map.delete(key)?.value, model.get(key));
        model.delete(key);
      } else {
        assert.equal(map.set({ key, value: step })?.value, model.get(key));
        model.set(key, step);
      }
      if (step % 500 === 0) clones.push({ map: map.clone(), model: new Map(model) });
      if (step % 100 === 0) check(map, model, random);
    }
    for (const clone of clones) check(clone.map, clone.model, random);
    for (const key of [...model.keys()]) map.delete(key);
    assert.equal(map.size, 0);
    assert.deepEqual(keys(map), []);
  });
}

Deno.test("a sorted map of many thousand items keeps them in order while whole stretches of keys go and come back", () => {
  const random = new Random(11);
  const all = Array.from({ length: 6000 }, (_, i) => `k${String(i).padStart(5, "0")}`);
  const map = new SortedMap<Item>();
  const there = new Set<string>();
  const put = (key: string) => void (map.set({ key, value: 1 }), there.add(key));
  const take = (key: string) => void (map.delete(key), there.delete(key));
  const agrees = () => {
    const sorted = [...there].sort();
    assert.equal(map.size, sorted.length);
    assert.deepEqual(keys(map), sorted);
    for (let i = 0; i < 200; i++) {
      const key = random.pick(all), at = sorted.findIndex((k) => k >= key), before = at < 0 ? sorted.length : at;
      assert.equal(map.rank(key), before);
      assert.equal(map.get(key) !== undefined, there.has(key));
      assert.deepEqual(keys(map, key).slice(0, 60), sorted.slice(before, before + 60));
    }
  };
  // In an order that has nothing to do with the keys'.
  for (let i = 0; i < all.length; i++) put(all[(i * 2741) % all.length]!);
  agrees();
  for (const length of [5, 40, 300, 2500]) {
    const clone = map.clone(), stood = keys(map);
    for (let left = 5000; left > 0; left -= length) {
      const from = random.below(all.length), stretch = all.slice(from, from + length);
      (random.below(2) === 0 ? stretch : stretch.reverse()).forEach(take);
    }
    agrees();
    assert.deepEqual(keys(clone), stood);
    for (const key of random.below(2) === 0 ? all : all.toReversed()) if (random.below(3) > 0) put(key);
    agrees();
  }
  for (const key of all) take(key);
  agrees();
});

Deno.test("a key that comes back where all around it have gone is found when what is left is joined", () => {
  const all = Array.from({ length: 6100 }, (_, i) => ({ key: `k${String(i).padStart(5, "0")}`, value: i }));
  for (let gap = 0; gap + 90 < all.length; gap += 45) {
    const map = new SortedMap<Item>();
    for (const item of all) map.set(item);
    for (let i = gap; i < gap + 90; i++) map.delete(all[i]!.key);
    const back = all[gap + 40]!;
    map.set(back);
    for (const { key } of [...all.slice(0, Math.max(0, gap - 450)), ...all.slice(gap + 90).reverse()]) {
      map.delete(key);
      if (map.get(back.key) !== back) assert.fail(`${back.key} is lost with ${key}`);
    }
  }
});

Deno.test("writing to a clone leaves the original as it was", () => {
  const map = new SortedMap<{ key: string; value: number }>();
  map.set({ key: "a", value: 1 });
  map.set({ key: "b", value: 2 });
  const clone = map.clone();
  clone.set({ key: "a", value: 9 });
  clone.delete("b");
  map.set({ key: "c", value: 3 });
  assert.deepEqual([...map.range()].map(({ value }) => value), [1, 2, 3]);
  assert.deepEqual([...clone.range()].map(({ value }) => value), [9]);
});

Deno.test("a range visits no more items than it gives", () => {
  let visited = 0;
  const map = new SortedMap<Item>();
  for (let i = 0; i < 10_000; i++) {
    const key = `k${String(i).padStart(6, "0")}`;
    map.set({
      get key() {
        visited++;
        return key;
      },
      value: i,
    });
  }
  visited = 0;
  assert.equal([...map.range("k005000", "k005020")].length, 20);
  // Two searches in a leaf of 48, and the last key of a leaf or two.
  assert.ok(visited < 30, `${visited} keys looked at`);
});
