/** The store that the options name (specification, "API server serving options": `--storage-backend`, `--store-*`). */
import { egressOf } from "../options/egress_of.ts";
import type { Options } from "../options/mod.ts";
import { storeFiles } from "../options/store_files.ts";
import { type Backend, StorageError } from "./backend.ts";
import { mustBeThere } from "./denokv/kv.ts";
import { openDenoKv } from "./denokv/open.ts";
import { checkDialect, DIALECT, settleDialect } from "./facts.ts";
import { mustBeWhole } from "./filling.ts";
import { memoryBackend } from "./memory.ts";
import { overridesOf } from "./overrides.ts";

/**
 * Opens the store and makes sure that it speaks the product's dialect.
 * @throws StorageError when it cannot be opened, is damaged, of a newer format, of the other dialect, or was never filled whole
 */
export async function openStore(options: Options): Promise<Backend> {
  return await checked(await open(options), options, SERVE);
}

async function checked(backend: Backend, { product, storePrefix }: Options, purpose: Purpose): Promise<Backend> {
  try {
    if (backend.name === "etcd3" && purpose.kind === "look" && !await hasSomething(backend)) {
      throw new StorageError("unavailable", `${purpose.doing}: nothing lies under ${storePrefix} on etcd`);
    }
    await mustBeWhole(backend);
    if (purpose.kind === "serve") await settleDialect(backend, product, storePrefix);
    if (purpose.kind === "look") await checkDialect(backend, product, storePrefix);
    return backend;
  } catch (e) {
    await backend.close();
    throw e;
  }
}

/** The stores of a server. */
export interface Stores {
  readonly main: Backend;
  /** Those of `--store-servers-overrides`, in its order. */
  readonly others: readonly Backend[];
  /** Which of those a resource lies in, by its public id; all others lie in the main one. */
  readonly byResource: ReadonlyMap<string, Backend>;
}

/**
 * What a store is opened for. `serve`: one that is not there is begun. `look`: it has to be there, and
 * nothing is written by opening it; `doing` is for messages.
 * `fill`: it should be empty, and gets its dialect from whoever fills it.
 */
export type Purpose = { readonly kind: "serve" | "fill" } | { readonly kind: "look"; readonly doing: string };

const SERVE: Purpose = { kind: "serve" };

/** A store of a server that is not open yet. */
export interface StorePlan {
  /** In messages. */
  readonly name: string;
  /** Public ids of the resources that lie there; none for the main store, which has all others. */
  readonly resources: readonly string[];
  /** The file or URL, of Deno KV alone. */
  readonly path?: string;
  /** @throws StorageError */
  readonly open: (purpose: Purpose) => Promise<Backend>;
}

/** Every store that the options name, the main one first. @throws Error for a wrong option */
export function storePlans(options: Options): StorePlan[] {
  const overrides = overridesOf(options);
  const main: StorePlan = {
    name: overrides.length > 0 ? "the main store" : "the store",
    resources: [],
    ...(options.backend === "denokv" ? { path: denoKvPath(options) } : {}),
    open: async (purpose) => {
      if (options.backend === "denokv" && purpose.kind === "look") {
        await mustBeThere(denoKvPath(options), purpose.doing);
      }
      return await checked(await open(options), options, purpose);
    },
  };
  return [
    main,
    ...overrides.map(({ servers, resources }) => ({
      name: `the store of ${resources.join(", ")} (${servers.join(", ")})`,
      resources,
      open: async (purpose: Purpose) => await checked(await etcd(options, servers), options, purpose),
    })),
  ];
}

/** {@linkcode openStore}, and the stores of single resources. @throws StorageError, and Error for a wrong option */
export async function openStores(options: Options): Promise<Stores> {
  const plans = storePlans(options);
  const [main, ...others] = await openAll(plans, SERVE);
  const byResource = new Map(
    plans.slice(1).flatMap(({ resources }, i) => resources.map((id) => [id, others[i]!] as const)),
  );
  return { main: main!, others, byResource };
}

/** All of them, or none. @throws what the first that failed threw */
export async function openAll(plans: readonly StorePlan[], purpose: Purpose): Promise<Backend[]> {
  const opened = await Promise.allSettled(plans.map(({ open }) => open(purpose)));
  const backends = opened.flatMap((o) => o.status === "fulfilled" ? [o.value] : []);
  const failed = opened.find((o) => o.status === "rejected");
  if (!failed) return backends;
  await Promise.all(backends.map((backend) => backend.close()));
  throw failed.reason;
}

/** A store that a server has begun has facts, one of a public server has keys. */
async function hasSomething(backend: Backend): Promise<boolean> {
  return await backend.readMeta(DIALECT) !== undefined || (await backend.range("", { limit: 1 })).items.length > 0;
}

const denoKvPath = (options: Options): string => options.storagePath || `${options.dataDir}/store.kv`;

async function open(options: Options): Promise<Backend> {
  if (options.backend === "memory") return memoryBackend();
  if (options.backend === "denokv") return await openDenoKv(denoKvPath(options));
  return await etcd(options, options.storeServers);
}

async function etcd(options: Options, endpoints: readonly string[]): Promise<Backend> {
  // Read again with every connection made: the files may be replaced.
  const tls = storeFiles(options);
  const dial = (await egressOf(options))?.to("etcd");
  // Only who asks for etcd loads it.
  const { openEtcd } = await import("./etcd/mod.ts");
  return await openEtcd({
    endpoints,
    prefix: options.storePrefix,
    root: options.storePrefix,
    openWithin: options.storageInitializationTimeout,
    leases: { reuseSeconds: options.leaseReuseDurationSeconds },
    ...(tls ? { tls } : {}),
    ...(dial ? { dial } : {}),
  });
}
