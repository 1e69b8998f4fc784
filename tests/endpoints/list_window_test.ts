/** What long lists share. */
import assert from "node:assert/strict";
import type { Entry, Form } from "../../server/cache/mod.ts";
import { ListWindow } from "../../server/endpoints/list_window.ts";

const MB = 1 << 20;
const JSON_FORM = { key: "json" } as Form, OTHER = { key: "protobuf" } as Form;

/** Objects whose forms are filled with their number, and how often one was made. */
function objects(count: number, length: number) {
  const made: number[] = [];
  const entries = Array.from({ length: count }, (_, i) => ({
    made(form: Form) {
      made.push(i);
      return new Uint8Array(length).fill(form === JSON_FORM ? i : 255 - i);
    },
  } as unknown as Entry));
  return { entries, made };
}

const holds = (bytes: Uint8Array, length: number, value: number) =>
  bytes.length === length && bytes.every((b) => b === value);

Deno.test("list window: readers near each other share what one of them had made", () => {
  const window = new ListWindow();
  const { entries, made } = objects(10, MB);
  for (let reader = 0; reader < 3; reader++) {
    entries.forEach((entry, i) => assert.ok(holds(window.take(entry, JSON_FORM), MB, i)));
  }
  assert.equal(made.length, 10);
  assert.ok(holds(window.take(entries[3]!, OTHER), MB, 252), "another form is another's");
  assert.ok(holds(window.take(entries[3]!, JSON_FORM), MB, 3));
  assert.equal(made.length, 12);
});

Deno.test("list window: written round and round, it never gives what was overwritten", () => {
  const window = new ListWindow();
  const length = MB + 12_345, { entries, made } = objects(100, length);
  for (let round = 0; round < 2; round++) {
    // A second reader follows some objects behind; what it was given still stands when it asks for the next.
    let last: { bytes: Uint8Array; i: number } | undefined;
    for (let i = 0; i < 100; i++) {
      window.take(entries[i]!, JSON_FORM);
      const behind = i - 11;
      if (behind < 0) continue;
      const bytes = window.take(entries[behind]!, JSON_FORM);
      if (last) assert.ok(holds(last.bytes, length, last.i), `${last.i} was overwritten by ${behind}`);
      last = { bytes, i: behind };
      assert.ok(holds(bytes, length, behind));
    }
  }
  assert.equal(made.length, 200, "the follower has none made");
});

Deno.test("list window: a follower too far behind has its own made, and what it was given stands for one more", () => {
  const window = new ListWindow();
  const { entries, made } = objects(60, MB);
  for (let i = 0; i < 40; i++) window.take(entries[i]!, JSON_FORM);
  made.length = 0;
  for (let i = 20; i < 39; i++) {
    const one = window.take(entries[i]!, JSON_FORM);
    window.take(entries[i + 1]!, JSON_FORM);
    assert.ok(holds(one, MB, i));
  }
  assert.deepEqual(made, Array.from({ length: 20 }, (_, i) => i + 20));
});

Deno.test("list window: what is longer than two megabytes is made each time", () => {
  const window = new ListWindow();
  const { entries, made } = objects(1, 2 * MB + 1);
  for (let i = 0; i < 2; i++) assert.ok(holds(window.take(entries[0]!, JSON_FORM), 2 * MB + 1, 0));
  assert.equal(made.length, 2);
});

Deno.test("list window: lists at the same time have one", () => {
  const window = ListWindow.shared();
  assert.equal(ListWindow.shared(), window);
});
