/** What is counted of requests takes no more memory than there are kinds of them. */
import assert from "node:assert/strict";
import { requestInfo } from "../../server/filters/request_info.ts";
import { RequestTally } from "../../server/metrics/requests.ts";
import type { RequestScope } from "../../server/request.ts";
import { heap } from "../fixture/heap.ts";

const REQUESTS = 20_000, CHARACTERS = 1000;

Deno.test("paths that are not served leave nothing behind, whatever clients make up", () => {
  const tally = new RequestTally(() => undefined), query = new URLSearchParams(), request = { method: "GET" };
  const rest = "x".repeat(CHARACTERS);
  const before = heap();
  for (let i = 0; i < REQUESTS; i++) {
    const info = requestInfo("GET", `/api/v1/namespaces/a/none/b/${i}${rest}`, query);
    const scope = { info, query, request } as RequestScope;
    tally.begin(scope);
    tally.end(scope, 404, 1);
  }
  assert.ok(heap() - before < REQUESTS * CHARACTERS / 10);
  assert.deepEqual(tally.totals("m").map(({ labels, value }) => [labels.subresource, value]), [["", REQUESTS]]);
});
