/** How long tokens of pods are kept, and what is given while none can be had. */
import assert from "node:assert/strict";
import { Tokens } from "../../../agent/volumes/tokens.ts";
import type { Api } from "../../../agent/types.ts";
import { productOf } from "../../../schema/product.ts";
import { StandingClock } from "./_fixture.ts";

const HOUR = 3_600_000;

/** Tokens of a server that numbers them and gives each so many hours. */
function world(hours: number) {
  const clock = new StandingClock(), server = { given: 0, isAway: false };
  const request = () => {
    if (server.isAway) return Promise.reject(new Error("connection refused"));
    const expirationTimestamp = new Date(clock.now() + hours * HOUR).toISOString();
    return Promise.resolve({
      spec: { expirationSeconds: hours * 3600 },
      status: { token: `t${++server.given}`, expirationTimestamp },
    });
  };
  const tokens = new Tokens({ request } as unknown as Api, clock, productOf("kubernetes"), () => 0);
  const of = (uid = "u1", audience = "") =>
    tokens.of({ namespace: "ns", name: "p", uid }, { serviceAccount: "sa", audience, seconds: undefined });
  return { clock, server, tokens, of };
}

Deno.test("a token that cannot be renewed is given on until it has expired", async () => {
  const { clock, server, of } = world(1);
  assert.equal(await of(), "t1");
  server.isAway = true;
  clock.advance(0.9 * HOUR);
  assert.equal(await of(), "t1");
  clock.advance(0.2 * HOUR);
  await assert.rejects(of(), /expired and refresh failed: connection refused/);
  await assert.rejects(of("u2"), /failed to fetch token: connection refused/);
});

Deno.test("tokens are renewed each day, however long they live, and are each pod's and wish's own", async () => {
  const { clock, tokens, of } = world(24 * 30);
  assert.deepEqual([await of(), await of("u2"), await of("u1", "vault"), await of()], ["t1", "t2", "t3", "t1"]);
  clock.advance(23.9 * HOUR);
  assert.equal(await of(), "t1");
  clock.advance(0.2 * HOUR);
  assert.equal(await of(), "t4");
  tokens.release("u1");
  assert.deepEqual([await of(), await of("u2")], ["t5", "t6"]);
});
