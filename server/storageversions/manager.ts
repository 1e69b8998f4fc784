/** Tells by `StorageVersion` objects in what version this server keeps each resource; until it has, their writes wait. */
import type { Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { hasReason } from "../../schema/status.ts";
import type { Registries } from "../registry/registries.ts";
import type { VersionEntry } from "./entries.ts";
import { withServer } from "./status.ts";

/** Public id of the objects. */
export const STORAGE_VERSIONS = "storageversions.internal.apiserver.k8s.io";
/** What somebody else changed or deleted is written again after so long; what failed, after so long (ms). */
const AGAIN_MS = 10 * 60_000;
const RETRY_MS = 1000;

/** What the manager is made of. */
export interface ManagerParts {
  readonly product: Product;
  readonly registries: Registries;
  /** Name of this server's identity lease. */
  readonly server: string;
  readonly entries: readonly VersionEntry[];
  now(): number;
  log(level: "warn", text: string, detail?: unknown): void;
}

/** See the top of the file. */
export class StorageVersions {
  readonly #parts: ManagerParts;
  /** Entries not written yet, by public id, with what went wrong last. */
  readonly #pending: Map<string, string>;
  readonly #completed = Promise.withResolvers<void>();

  constructor(parts: ManagerParts) {
    this.#parts = parts;
    this.#pending = new Map(parts.entries.flatMap((e) => e.ids.map((id) => [id, "none"] as const)));
  }

  /** Whether every entry has been written once. */
  get complete(): boolean {
    return this.#pending.size === 0;
  }

  /** What went wrong last with the entry of a resource that is not written yet; undefined: it is, or there is none. */
  pending(id: string): string | undefined {
    return this.#pending.get(id);
  }

  /** Writes all entries now and again until the signal aborts. Resolves when all have been written once. */
  start(signal: AbortSignal): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const round = async () => {
      const whole = await this.write(signal);
      if (!signal.aborted) timer = setTimeout(round, whole ? AGAIN_MS : RETRY_MS);
    };
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      this.#completed.resolve();
    }, { once: true });
    void round();
    return this.#completed.promise;
  }

  /** Writes all entries once. Gives whether that went well. */
  async write(signal: AbortSignal): Promise<boolean> {
    const all = await Promise.all(this.#parts.entries.map((entry) => this.#tryWrite(entry, signal)));
    if (this.complete) this.#completed.resolve();
    return all.every(Boolean);
  }

  async #tryWrite(entry: VersionEntry, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#write(entry);
      for (const id of entry.ids) this.#pending.delete(id);
      return true;
    } catch (e) {
      for (const id of entry.ids) if (this.#pending.has(id)) this.#pending.set(id, String(e));
      if (!signal.aborted) this.#parts.log("warn", `the storage version ${entry.name} is written later`, e);
      return false;
    }
  }

  async #write(entry: VersionEntry): Promise<void> {
    const { product, registries: { live, lister }, server, now } = this.#parts;
    if (!lister.get(STORAGE_VERSIONS, "", entry.name)) {
      const apiVersion = `${product.local("internal.apiserver.k8s.io")}/v1alpha1`;
      const made = { apiVersion, kind: "StorageVersion", metadata: { name: entry.name }, spec: {} } as Obj;
      await live.create(STORAGE_VERSIONS, made).catch((e) => {
        if (!hasReason(e, "AlreadyExists")) throw e;
      });
    }
    const change = (obj: Obj) => withServer(obj, server, entry, now());
    await live.update(STORAGE_VERSIONS, "", entry.name, change, { subresource: "status" });
  }
}
