/**
 * Seeds and lengths of the properties. `PROPERTY_SEED=n` repeats one seed, `PROPERTY_RUNS=n` runs n times as many seeds,
 * `PROPERTY_SEEDS=n` runs the seeds 1 to n of each property.
 */
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { Random } from "../fixture/random.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

export { Random } from "../fixture/random.ts";

/** Stores that properties are shown on. */
export const STORES = ["memory", "denokv"] as const;
export type Store = typeof STORES[number];

/** The seeds of a run: `count` of them unless the environment says otherwise. */
export function seeds(count: number): number[] {
  const one = Deno.env.get("PROPERTY_SEED");
  if (one) return [Number(one)];
  const all = Number(Deno.env.get("PROPERTY_SEEDS") ?? 0);
  const many = all || Math.ceil(count * Number(Deno.env.get("PROPERTY_RUNS") ?? 1));
  return Array.from({ length: many }, (_, i) => i + 1);
}

/** Runs a property for each seed. @throws Error that names the seed, with what failed */
export async function forSeeds(
  count: number,
  property: (random: Random, seed: number) => Promise<void>,
): Promise<void> {
  for (const seed of seeds(count)) await forSeed(seed, property);
}

async function forSeed(seed: number, property: (random: Random, seed: number) => Promise<void>): Promise<void> {
  try {
    await property(new Random(seed), seed);
  } catch (e) {
    throw new Error(`PROPERTY_SEED=${seed}: ${e instanceof Error ? e.message : e}`, { cause: e });
  }
}

/** Seeds that share one store: enough that starting it costs little, few enough that it stays small. */
const SEEDS_A_STORE = 250;

/** {@linkcode forSeeds} on servers, a new one with an empty store for each 250 seeds. */
export async function forServers(
  store: Store,
  count: number,
  property: (server: TestServer, random: Random, seed: number) => Promise<void>,
): Promise<void> {
  const all = seeds(count);
  for (let i = 0; i < all.length; i += SEEDS_A_STORE) {
    await withServer(store, async (server) => {
      for (const seed of all.slice(i, i + SEEDS_A_STORE)) {
        await forSeed(seed, (random) => property(server, random, seed));
      }
    });
  }
}

/** Runs with a server on a new, empty store. */
export async function withServer(store: Store, run: (server: TestServer) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "orch-properties-" });
  const backend: Backend = store === "memory" ? memoryBackend() : await openDenoKv(`${dir}/store.db`);
  const server = await startTestServer([], { backend });
  try {
    await run(server);
  } finally {
    await server.stop();
    await backend.close();
    await Deno.remove(dir, { recursive: true });
  }
}

/** A namespace of its own for each seed. */
export async function namespaceOf(server: TestServer, name: string): Promise<string> {
  const { status, text } = await server.fetch("/api/v1/namespaces", { body: { metadata: { name } } });
  if (status !== 201) throw new Error(text);
  return name;
}

/** A server call whose status has to be below 400. */
export async function ok(
  server: TestServer,
  method: string,
  path: string,
  body?: unknown,
  type?: string,
): Promise<Loose> {
  const headers = type ? { "content-type": type } : {};
  const answer = await server.fetch(path, body === undefined ? { method } : { method, body, headers });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}\nbody: ${JSON.stringify(body)}`);
  return answer.body;
}

export const MERGE = "application/merge-patch+json";
export const JSON_PATCH = "application/json-patch+json";
export const STRATEGIC = "application/strategic-merge-patch+json";
export const APPLY = "application/apply-patch+yaml";
