import assert from "node:assert/strict";
import { parseUrl, webhookUrlMistakes } from "../../schema/values/uri.ts";

Deno.test("url: parts", () => {
  assert.deepEqual(parseUrl("HTTPS://u:p@example.com:8443/a?b#c"), {
    scheme: "https",
    host: "example.com:8443",
    user: "u:p",
    query: "b",
    fragment: "c",
  });
  assert.equal(parseUrl("https://[::1]:80/")?.host, "[::1]:80");
  assert.equal(parseUrl("/a/b")?.host, "");
  assert.equal(parseUrl("fe80::1%x")?.host, "");
  for (const text of ["https://a b/", "https://a:b/", "https://[::1", "http://a/%zz", "a\nb", "1http://x", ":x"]) {
    assert.equal(parseUrl(text), undefined, text);
  }
});

Deno.test("url: of a webhook", () => {
  const details = (text: string) => webhookUrlMistakes(text).map((m) => m.detail.split(";")[0]);
  assert.deepEqual(details("https://example.com/path"), []);
  assert.deepEqual(details("http://example.com"), ["'https' is the only allowed URL scheme"]);
  assert.deepEqual(details("https:///path"), ["host must be specified"]);
  assert.deepEqual(details("https://u@h/?q#f"), [
    "user information is not permitted in the URL",
    "fragments are not permitted in the URL",
    "query parameters are not permitted in the URL",
  ]);
  assert.deepEqual(webhookUrlMistakes("http://h", { anyScheme: true }), []);
  assert.equal(webhookUrlMistakes("https://%zz")[0]?.value, undefined);
});
