/** Custom kinds: how soon after its definition a kind is served, and what two hundred of them take. */
import { pause } from "../../server/pause.ts";
import type { Client } from "./client.ts";
import type { Context, Group } from "./context.ts";
import { resident } from "./process.ts";
import type { Result } from "./result.ts";

/** How long a server is left alone before its memory counts, ms. */
const SETTLE_MS = 15_000;
const KB = 1024;

/** Definitions one after the other; memory when all are served. Definitions stay on a server that is not ours until its end. */
export const CUSTOM: Group = {
  name: "custom-kinds",
  async *run(context: Context): AsyncGenerator<Result> {
    const count = context.quick ? 20 : 200, { pids } = context.server;
    const client = context.client({ http: 2, connections: 1 });
    const group = `g${crypto.randomUUID().slice(0, 8)}.bench.example.com`;
    // The first one pays for all that custom kinds have in common.
    await served(client, group, "firsts");
    await pause(SETTLE_MS);
    const before = resident(pids), times: number[] = [];
    for (let i = 0; i < count; i++) times.push(await served(client, group, `kind${i}s`));
    times.sort((a, b) => a - b);
    const p50 = times[count >> 1]!, p99 = times[Math.ceil(count * 0.99) - 1]!;
    yield {
      name: `${count} custom kinds: served after, p99`,
      value: p99,
      unit: "ms",
      note: `p50 ${p50.toFixed(1)} ms`,
    };
    if (pids.length > 0) {
      await pause(SETTLE_MS);
      const each = (resident(pids) - before) / count / KB;
      yield { name: `${count} custom kinds: memory each`, value: each, unit: "KB" };
    }
    const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    for (const plural of ["firsts", ...Array.from({ length: count }, (_, i) => `kind${i}s`)]) {
      await client.bytes({ method: "DELETE", path: `${definitions}/${plural}.${group}` });
    }
    client.close();
  },
};

/** Defines a kind; milliseconds from the request until a list of it is answered. */
async function served(client: Client, group: string, plural: string): Promise<number> {
  const singular = plural.slice(0, -1), kind = singular[0]!.toUpperCase() + singular.slice(1);
  const text = { type: "string", maxLength: 100 };
  const schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        required: ["size"],
        properties: { size: { type: "integer", minimum: 1 }, name: text, tags: { type: "array", items: text } },
      },
      status: { type: "object", properties: { phase: text } },
    },
  };
  const body = JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular, kind, listKind: `${kind}List` },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {} },
      }],
    },
  });
  const start = performance.now();
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await client.bytes({ method: "POST", path, body, expect: 201 });
  while (!await isServed(client, `/apis/${group}/v1/namespaces/default/${plural}`)) await pause(1);
  return performance.now() - start;
}

async function isServed(client: Client, path: string): Promise<boolean> {
  const answer = await client.any({ path });
  await answer.read(() => {});
  return answer.status === 200;
}
