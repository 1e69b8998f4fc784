/** A custom resource, for what the specification says of such. */
import type { TestServer } from "../fixture/server.ts";
import { definition, DEFINITIONS, thing, THINGS, until, version } from "../customresources/_crd.ts";
import { ok } from "./_spec.ts";
export { thing, THINGS };

/** Serves things, with one named `a`; what is left is gone after. */
export async function withThings(t: TestServer, run: () => Promise<void>): Promise<void> {
  await ok(t, DEFINITIONS, { body: definition([version({ size: { type: "integer" } })]) });
  await until(() => t.fetch(THINGS), (a) => a.status === 200);
  await ok(t, THINGS, { body: thing("a", { size: 1 }) });
  try {
    await run();
  } finally {
    await t.fetch(`${DEFINITIONS}/things.example.com`, { method: "DELETE" });
  }
}
