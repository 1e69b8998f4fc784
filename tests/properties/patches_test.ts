/** A patch that was made as the difference of two objects makes the second of the first. */
import assert from "node:assert/strict";
import { createStrategicMerge } from "../merge/_strategic_diff.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import { builtin } from "../merge/_schema.ts";
import type { TestServer } from "../fixture/server.ts";
import { jsonPatch, mergePatch } from "./_diff.ts";
import { type Kind, KINDS } from "./_objects.ts";
import { forSeeds, JSON_PATCH, MERGE, namespaceOf, ok, type Random, STRATEGIC, withServer } from "./_runs.ts";
import type { Loose } from "../fixture/loose.ts";

const SEEDS = 15;

const MESSAGES: Readonly<Record<string, string>> = {
  ConfigMap: "core.v1.ConfigMap",
  Deployment: "apps.v1.Deployment",
  Service: "core.v1.Service",
};

for (const [name, kind] of Object.entries(KINDS)) {
  const message = builtin(MESSAGES[name]!);
  const ways: readonly [type: string, diff: (random: Random, a: Loose, b: Loose) => Loose][] = [
    [JSON_PATCH, jsonPatch],
    [MERGE, (_, a, b) => mergePatch(a, b)],
    [STRATEGIC, (_, a, b) => createStrategicMerge(message, a as JsonMap, b as JsonMap)],
  ];
  Deno.test(`properties: the difference of two, patched to the first, is the second, ${name}`, async () => {
    await withServer("memory", async (server) => {
      const path = kind.path.replace("{ns}", await namespaceOf(server, "patches"));
      await forSeeds(SEEDS, async (random, seed) => {
        for (const [i, [type, diff]] of ways.entries()) {
          await patched(server, path, kind, random, `x${seed}-${i}`, type, diff);
        }
      });
    });
  });
}

async function patched(
  server: TestServer,
  path: string,
  kind: Kind,
  random: Random,
  name: string,
  type: string,
  diff: (random: Random, a: Loose, b: Loose) => Loose,
): Promise<void> {
  // Both go through the server once, so that they have its defaults; the second is then what the patch has to reach.
  const first = await ok(server, "POST", path, kind.make(random, name));
  const wanted = await ok(server, "PUT", `${path}/${name}`, kind.make(random, name));
  const back = await ok(server, "PUT", `${path}/${name}`, own(first));
  const patch = diff(random, own(back), own(wanted));
  const answer = await ok(server, "PATCH", `${path}/${name}`, patch, type);
  assert.deepEqual(own(answer), own(wanted), `${type}: ${JSON.stringify(patch)} of ${JSON.stringify(own(back))}`);
  assert.deepEqual(await ok(server, "GET", `${path}/${name}`), answer);
  const again = await ok(server, "PATCH", `${path}/${name}`, type === JSON_PATCH ? [] : {}, type);
  assert.equal(again.metadata.resourceVersion, answer.metadata.resourceVersion, "a patch of nothing changes nothing");
}

/** What the user sets: without what the server writes. */
function own(object: Loose): Loose {
  const { status: _, ...rest } = structuredClone(object);
  for (const key of ["managedFields", "resourceVersion", "generation", "uid", "creationTimestamp"]) {
    delete rest.metadata[key];
  }
  return rest;
}
