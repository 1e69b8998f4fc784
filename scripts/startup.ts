/**
 * How long a server takes from the start of its process to `/readyz`, on a store on Deno KV that holds many objects.
 *
 *     deno run -A scripts/startup.ts [--objects=100000] [--bytes=1000] [--times=3]
 *
 * Config maps of that size in 100 namespaces, stored as Protobuf. Prints each start, the processor time that
 * it took (which says more on a busy machine), and the memory after it.
 */
import { productOf } from "../schema/product.ts";
import { openDenoKv } from "../server/storage/denokv/mod.ts";
import { Filling } from "../server/storage/filling.ts";
import { Whole } from "../server/storage/whole.ts";
import { Places } from "../server/storage/objects/places.ts";
import { OwnServer } from "./bench/own.ts";
import { processorMs, resident } from "./bench/process.ts";
import { numberOption } from "./option.ts";

const NAMESPACES = 100;

function configMap(i: number, pad: string) {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: `name-${String(i).padStart(9, "0")}`,
      namespace: `ns-${i % NAMESPACES}`,
      uid: crypto.randomUUID(),
      creationTimestamp: "2026-01-01T00:00:00Z",
    },
    data: { i: String(i), pad },
  };
}

/** Fills a new store as a server would have. */
async function fill(path: string, objects: number, bytes: number): Promise<void> {
  const backend = await openDenoKv(path);
  await backend.writeMeta("dialect", new TextEncoder().encode("kubernetes"));
  const places = new Places(productOf("kubernetes"), "/registry");
  const filling = await Filling.of(Whole.of(backend), "fill");
  const pad = "x".repeat(bytes);
  for (let i = 0; i < objects; i++) {
    const object = configMap(i, pad);
    const place = places.placeOf(object);
    await filling.put({ key: place.key, value: places.encode(object, place, "protobuf") });
  }
  await filling.end();
  await backend.close();
}

if (import.meta.main) {
  const objects = numberOption("objects", 100_000),
    bytes = numberOption("bytes", 1_000),
    times = numberOption("times", 3);
  const dir = await Deno.makeTempDir({ prefix: "startup-" });
  try {
    const begun = performance.now();
    await fill(`${dir}/store.kv`, objects, bytes);
    const seconds = (ms: number) => (ms / 1000).toFixed(2);
    console.log(`${objects} objects of ${bytes} B written in ${seconds(performance.now() - begun)} s`);
    for (let i = 0; i < times; i++) {
      const server = await OwnServer.start(dir, { within: 600_000 });
      const mib = Math.round(resident(server.pids) / 2 ** 20);
      const processor = seconds(processorMs(server.pids));
      console.log(
        `start ${i + 1}: ready after ${seconds(server.readyMs)} s, ${processor} s of processor, ${mib} MiB resident`,
      );
      await server.stop();
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}
