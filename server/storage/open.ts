/** The store that the options name (specification, "API server serving options": `--storage-backend`, `--store-*`). */
import type { Product } from "../../schema/product.ts";
import { egressOf } from "../options/egress_of.ts";
import type { Options } from "../options/mod.ts";
import { storeFiles } from "../options/store_files.ts";
import { type Backend, StorageError } from "./backend.ts";
import { mustBeThere } from "./denokv/kv.ts";
import { openDenoKv } from "./denokv/open.ts";
import { mustBeWhole } from "./filling.ts";
import { memoryBackend } from "./memory.ts";
import { overridesOf } from "./overrides.ts";

/** Fact of a store: in which dialect its objects are. */
const DIALECT = "dialect";

/** Fact of a store: what its servers seal continue tokens with, so that each goes on where another began. */
const SECRET = "continue-secret";

/**
 * Opens the store and makes sure that it speaks the product's dialect.
 * @throws StorageError when it cannot be opened, is damaged, of a newer format, of the other dialect, or was never filled whole
 */
export async function openStore(options: Options): Promise<Backend> {
  return await checked(await open(options), options.product);
}

/** @param empty what is wrong with a store that is not there yet; without, it begins with this */
async function checked(backend: Backend, product: Product, empty?: string): Promise<Backend> {
  try {
    if (empty !== undefined && !await hasSomething(backend)) throw new StorageError("unavailable", empty);
    await mustBeWhole(backend);
    await checkDialect(backend, product);
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

/** A store of a server that is not open yet. */
export interface StorePlan {
  /** In messages. */
  readonly name: string;
  /** Public ids of the resources that lie there; none for the main store, which has all others. */
  readonly resources: readonly string[];
  /** The file or URL, of Deno KV alone. */
  readonly path?: string;
  /**
   * @param doing what the store has to be there for, in messages; without, one that is not there is made
   * @throws StorageError
   */
  readonly open: (doing?: string) => Promise<Backend>;
}

/** Every store that the options name, the main one first. @throws Error for a wrong option */
export function storePlans(options: Options): StorePlan[] {
  const overrides = overridesOf(options);
  const main: StorePlan = {
    name: overrides.length > 0 ? "the main store" : "the store",
    resources: [],
    ...(options.backend === "denokv" ? { path: denoKvPath(options) } : {}),
    open: (doing) =>
      options.backend === "etcd3" ? onEtcd(options, options.storeServers, doing) : onDenoKv(options, doing),
  };
  return [
    main,
    ...overrides.map(({ servers, resources }) => ({
      name: `the store of ${resources.join(", ")} (${servers.join(", ")})`,
      resources,
      open: (doing?: string) => onEtcd(options, servers, doing),
    })),
  ];
}

/** {@linkcode openStore}, and the stores of single resources. @throws StorageError, and Error for a wrong option */
export async function openStores(options: Options): Promise<Stores> {
  const plans = storePlans(options);
  const [main, ...others] = await openAll(plans);
  const byResource = new Map(
    plans.slice(1).flatMap(({ resources }, i) => resources.map((id) => [id, others[i]!] as const)),
  );
  return { main: main!, others, byResource };
}

/** All of them, or none. @param doing what they have to be there for @throws what the first that failed threw */
export async function openAll(plans: readonly StorePlan[], doing?: string): Promise<Backend[]> {
  const opened = await Promise.allSettled(plans.map(({ open }) => open(doing)));
  const backends = opened.flatMap((o) => o.status === "fulfilled" ? [o.value] : []);
  const failed = opened.find((o) => o.status === "rejected");
  if (!failed) return backends;
  await Promise.all(backends.map((backend) => backend.close()));
  throw failed.reason;
}

async function onDenoKv(options: Options, doing: string | undefined): Promise<Backend> {
  if (doing !== undefined && options.backend === "denokv") await mustBeThere(denoKvPath(options), doing);
  return await openStore(options);
}

async function onEtcd(options: Options, servers: readonly string[], doing: string | undefined): Promise<Backend> {
  const empty = doing && `${doing}: nothing lies under ${options.storePrefix} on ${servers.join(", ")}`;
  return await checked(await etcd(options, servers), options.product, empty);
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

async function checkDialect(backend: Backend, product: Product): Promise<void> {
  const text = new TextDecoder().decode(await fact(backend, DIALECT, () => new TextEncoder().encode(product.dialect)));
  if (text !== product.dialect) {
    throw new StorageError(
      "unavailable",
      `the store holds objects in the dialect "${text}", not "${product.dialect}": start with --api-dialect=${text}, or ` +
        "name another store",
    );
  }
}

/** The secret that all servers of a store share; 32 bytes, made by the first one. @throws StorageError */
export async function storeSecret(backend: Backend, random: (bytes: number) => Uint8Array): Promise<Uint8Array> {
  return await fact(backend, SECRET, () => random(32));
}

/** A fact that the first server makes; of several that start at once all get the same. */
async function fact(backend: Backend, name: string, make: () => Uint8Array): Promise<Uint8Array> {
  const kept = await backend.readMeta(name);
  if (kept) return kept;
  await backend.writeMeta(name, make(), { first: true });
  return (await backend.readMeta(name))!;
}
