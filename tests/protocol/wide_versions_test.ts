/** The widest version that can be asked for, and those that are none. */
import assert from "node:assert/strict";
import { maps, namespace, sharedServer } from "../spec/_spec.ts";

const server = sharedServer([]);
const WIDEST = "18446744073709551615", WIDER = "18446744073709551616";

const ROWS: readonly [query: string, status: number][] = [
  [`resourceVersion=${WIDEST}&resourceVersionMatch=Exact`, 504],
  [`resourceVersion=00${WIDEST}&limit=1`, 504],
  [`resourceVersion=${WIDER}&resourceVersionMatch=Exact`, 400],
  [`resourceVersion=${WIDER}&limit=1`, 400],
  [`resourceVersion=${WIDER}`, 400],
  [`resourceVersion=${WIDER}&watch=1`, 400],
];
for (const [query, status] of ROWS) {
  Deno.test({
    name: `wide versions: ${query}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const t = await server();
      assert.equal((await t.fetch(`${maps(await namespace(t))}?${query}`)).status, status);
    },
  });
}
