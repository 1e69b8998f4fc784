import assert from "node:assert/strict";
import { uuid as uuidFaults } from "../../schema/values/names.ts";
import { generateName, pooled, randomLetters, uuid } from "../../schema/values/random.ts";
import { seeded } from "../fixture/random.ts";

const bytes = (seed: number) => {
  const random = seeded(seed);
  return (n: number) => Uint8Array.from({ length: n }, () => Math.floor(random() * 256));
};

Deno.test("random: a generated name is the base, cut to 58, and five letters", () => {
  const name = generateName("web-", bytes(1));
  assert.match(name, /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  assert.equal(generateName("a".repeat(80), bytes(1)).length, 63);
  assert.equal(generateName("web-", bytes(1)), name);
  assert.notEqual(generateName("web-", bytes(2)), name);
});

Deno.test("random: each letter is as likely", () => {
  const counts = new Map<string, number>();
  for (const c of randomLetters(27_000, bytes(3))) counts.set(c, (counts.get(c) ?? 0) + 1);
  assert.equal(counts.size, 27);
  for (const n of counts.values()) assert.ok(n > 850 && n < 1150, String(n));
});

Deno.test("random: ids are version 4, variant 1", () => {
  const random = bytes(4);
  for (let i = 0; i < 100; i++) {
    const id = uuid(random);
    assert.deepEqual(uuidFaults(id), []);
    assert.match(id, /^.{14}4.{4}[89ab]/);
  }
  const given = new Uint8Array(16).fill(255);
  uuid(() => given);
  assert.equal(given[6], 255, "the caller's bytes stay as they are");
});

Deno.test("random: a pool gives each byte of its source once, in order", () => {
  let next = 0, calls = 0;
  const source = (n: number) => (calls++, Uint8Array.from({ length: n }, () => next++ % 251));
  const random = pooled(source);
  const got = [...random(16), ...random(5), ...random(3)];
  assert.deepEqual(got, Array.from({ length: 24 }, (_, i) => i));
  assert.equal(calls, 1);
  assert.equal(random(10_000).length, 10_000);
  for (let i = 0; i < 300; i++) assert.equal(random(16).length, 16);
  assert.equal(calls, 3);
});
