/** What long lists share. */
import assert from "node:assert/strict";
import type { Entry, Form } from "../../server/cache/mod.ts";
import { ListWindow } from "../../server/endpoints/list_window.ts";
import { pieces } from "../../server/endpoints/pieces.ts";
import { ListForms } from "../../server/endpoints/sources.ts";
import type { Scheme } from "../../schema/scheme.ts";
import { seeded } from "../fixture/random.ts";

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
  } as Entry));
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
      const behind = i - 9;
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

/** Lists of the same objects, whose forms have these lengths and are filled with their number, read in turns that a seed decides. */
async function readBeside(lengths: readonly number[], readers: number, random: () => number): Promise<void> {
  const sources = lengths.map((length, i) => ({
    revision: 1,
    size: length,
    made: (_: Form) => new Uint8Array(length).fill(i),
  } as Entry));
  const forms = () => new ListForms({} as Scheme, JSON_FORM, sources);
  const open = Array.from({ length: readers }, () => {
    const list = forms();
    return { reader: new Response(pieces(sources.values().map((s) => list.of(s)))).body!.getReader(), at: 0, i: 0 };
  });
  while (open.length > 0) {
    const k = Math.floor(random() * open.length), one = open[k]!;
    const { value } = await one.reader.read();
    if (!value) {
      assert.equal(one.i + (one.at === lengths[one.i] ? 1 : 0), lengths.length);
      open.splice(k, 1);
      continue;
    }
    for (let from = 0; from < value.length;) {
      if (one.at === lengths[one.i]) one.i++, one.at = 0;
      const part = value.subarray(from, from + lengths[one.i]! - one.at);
      assert.ok(part.every((b) => b === one.i), `object ${one.i} from ${one.at} on`);
      from += part.length;
      one.at += part.length;
    }
  }
}

Deno.test("list window: few long objects are whole, though they are more than it holds", async () => {
  await readBeside(Array.from({ length: 12 }, () => 3 * MB / 2), 2, seeded(1));
});

Deno.test("list window: what was given stands while a piece of an answer is gathered, with a long object at its end", () => {
  const { entries: short } = objects(200, 100 << 10), { entries: [long] } = objects(1, 2 * MB);
  for (let before = 100; before < 160; before++) {
    const window = new ListWindow();
    for (let i = 0; i < before; i++) window.take(short[i]!, JSON_FORM);
    const one = window.take(short[0]!, JSON_FORM), next = window.take(short[199]!, JSON_FORM);
    window.take(long!, OTHER);
    assert.ok(holds(one, 100 << 10, 0), `after ${before} objects the first was overwritten`);
    assert.ok(holds(next, 100 << 10, 199));
  }
});
