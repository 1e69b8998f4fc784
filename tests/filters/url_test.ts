/** Addresses split as a URL does it, but for segments of dots. */
import assert from "node:assert/strict";
import { splitUrl } from "../../server/filters/url.ts";

const ROWS: readonly [address: string, path: string, query: string][] = [
  ["/api/v1/pods", "/api/v1/pods", ""],
  ["/api/v1/pods?a=1&b=../c", "/api/v1/pods", "a=1&b=../c"],
  ["/api/v1/./pods?a", "/api/v1/./pods", "a"],
  ["/api/v1/../v1/pods", "/api/v1/../v1/pods", ""],
  ["/api/v1/%2E%2e/pods", "/api/v1/%2E%2e/pods", ""],
  ["/..", "/..", ""],
  ["/api/v1/.a/a..b/...", "/api/v1/.a/a..b/...", ""],
  ["//api//v1/", "//api//v1/", ""],
  ["/a%20b/%zz", "/a%20b/%zz", ""],
  ["/api/v1\\pods?a=\\", "/api/v1%5Cpods", "a=\\"],
  ["/a\\..\\b/{}", "/a%5C..%5Cb/%7B%7D", ""],
  ["?a=/api/v1/secrets", "/", "a=/api/v1/secrets"],
  ["", "/", ""],
];

Deno.test("addresses: dot segments stay where they are, backslashes are no slashes, and no path is taken from a query", () => {
  const split = ROWS.map(([address]) => splitUrl(`https://h:1${address}`));
  assert.deepEqual(split, ROWS.map(([, path, query]) => ({ path, query })));
});
