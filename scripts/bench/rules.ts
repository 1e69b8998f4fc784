/**
 * What the rules of kinds cost: validation of a typical pod and of a Deployment.
 *
 *     deno run -A scripts/bench/rules.ts
 *
 * Times are of this process, in one run, in turns; the least of many short rounds is what the code takes, the middle what it got.
 */
import type { Obj } from "../../schema/model/types.ts";
import { validateCreate } from "../../schema/rules/mod.ts";
import { TYPICAL } from "./typical.ts";
import { startTestServer, type TestServer } from "../../tests/fixture/server.ts";

const PATHS: Readonly<Record<string, string>> = {
  "pods": "/api/v1/namespaces/default/pods",
  "deployments.apps": "/apis/apps/v1/namespaces/default/deployments",
};
const ROUNDS = 60;

/** µs of one, of each round in ascending order. */
function rounds(one: () => void, times: number): number[] {
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let i = 0; i < times; i++) one();
    all.push((performance.now() - start) * 1000 / times);
  }
  return all.sort((a, b) => a - b);
}

/** Validation alone, of the object as it is stored: defaulted. */
async function validation(s: TestServer, id: string): Promise<void> {
  const { body } = await s.fetch(PATHS[id]!, { body: TYPICAL[id]!("typical") });
  const { ruled, ctx } = s.server.registries.byId(id)!;
  const context = { ...ctx.rules, verb: "create", subresource: "", version: "v1" } as const;
  const errors = validateCreate(ruled, body as Obj, context);
  if (!errors.empty) throw new Error(JSON.stringify(errors.causes));
  const us = rounds(() => void validateCreate(ruled, body as Obj, context), 500);
  console.log(`validation, ${id}: ${us[0]!.toFixed(1)} µs (middle ${us[ROUNDS >> 1]!.toFixed(1)})`);
}

const server = await startTestServer();
await server.fetch("/api/v1/namespaces/default/serviceaccounts", {
  body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } },
});
for (const id of ["pods", "deployments.apps"]) await validation(server, id);
await server.stop();
