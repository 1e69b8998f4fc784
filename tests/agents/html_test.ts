import assert from "node:assert/strict";
import { concat } from "../../schema/values/bytes.ts";
import { rewriteHtml } from "../../server/proxy/html.ts";
import { Random } from "../fixture/random.ts";

const PARTS = [
  "<a href=",
  '"/x"',
  "'/y z'",
  "/z",
  ">",
  "<",
  "</a>",
  "<!--",
  "-->",
  "<script src='/s'>",
  "</script>",
  "<title>",
  "</TITLE >",
  "text & more",
  '"',
  "'",
  " ",
  "<p/>",
  "<!doctype html>",
  "é",
  "=",
];

/** Bytes through the rewriting, cut where chance will. */
async function through(bytes: Uint8Array, random: Random, relink: (url: string) => string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + random.below(12);
    chunks.push(bytes.subarray(at, at += size));
  }
  const out: Uint8Array[] = [];
  for await (const chunk of rewriteHtml(ReadableStream.from(chunks), relink)) out.push(chunk);
  return new TextDecoder().decode(concat(out));
}

Deno.test("Pages keep all that is no link, and are the same however they are cut", async () => {
  const random = new Random(7);
  for (let round = 0; round < 300; round++) {
    const page = Array.from({ length: random.below(30) }, () => random.pick(PARTS)).join("");
    const bytes = new TextEncoder().encode(page);
    assert.equal(await through(bytes, random, (url) => url), page);
    const links: string[][] = [[], []];
    const moved = await Promise.all(links.map((seen) =>
      through(bytes, random, (url) => {
        seen.push(url);
        return `/below${url}`;
      })
    ));
    assert.deepEqual([moved[0], links[0]], [moved[1], links[1]], page);
  }
});

Deno.test("What never ends is passed on, without being kept", async () => {
  const random = new Random(3);
  const long = `<a href="/x" title="${"x".repeat(100_000)}`, bytes = new TextEncoder().encode(long);
  assert.equal(await through(bytes, random, () => "/no"), long);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(), writer = writable.getWriter();
  const reader = rewriteHtml(readable, () => "/no").getReader();
  void writer.write(bytes);
  assert.equal((await reader.read()).value!.length, bytes.length, "before its end");
  await writer.close();
  assert.equal((await reader.read()).done, true);
});

Deno.test("Links are those of elements that have some, however they are written, and none in what is text", async () => {
  const page =
    `<A HREF="/1"><script src="/2">let a = '<a href="/no">'</script ><!-- <a href="/no"> > <a href="/no"> -->` +
    `<title><a href="/no"></titles><a href="/no"></TITLE><p href="/no"><constructor href="/no"><a href="/3">`;
  const moved = await through(new TextEncoder().encode(page), new Random(2), (url) => `/p${url}`);
  assert.equal(moved, page.replace(/\/([1-3])/g, "/p/$1"));
});

Deno.test("Tags that never end, or hold very long names, cost no more than their length", async () => {
  const K = 1024, pages = [`<${"a".repeat(60 * K)}`, `<a ${"b".repeat(60 * K)}>`, `<a ${"<".repeat(60 * K)}`];
  const text = pages.join("").repeat(20);
  const pieces = Array.from(
    { length: text.length / K },
    (_, i) => new TextEncoder().encode(text.slice(i * K, (i + 1) * K)),
  );
  let size = 0;
  // By going back and forth over them this took minutes, in which nothing else was done.
  for await (const chunk of rewriteHtml(ReadableStream.from(pieces), () => "/no")) size += chunk.length;
  assert.equal(size, pieces.length * K);
});

Deno.test("Links are found among attributes without values, quotes and odd characters", async () => {
  const seen: string[] = [];
  const page =
    `<a b c = "d>" href = '/1'/><a"b href=/0><a x href=/2 y><img alt=a=b src="/3" =/no "href=/no" usemap=/4>`;
  const moved = await through(new TextEncoder().encode(page), new Random(1), (url) => {
    seen.push(url);
    return `/p${url}`;
  });
  assert.deepEqual(seen, ["/1", "/2", "/3", "/4"]);
  assert.equal(moved, page.replace(/\/([1-4])/g, "/p/$1"));
});
