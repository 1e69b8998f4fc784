/** The watch caches of a server whose resources lie in several stores: each store has a log and revisions of its own. */
import type { Backend } from "../storage/backend.ts";
import { Cacher, type CacherOptions } from "./cacher.ts";
import type { CachedResource, ResourceCache } from "./resource_cache.ts";

/** One cacher for each store beside the first, behind the first. What comes at run time lies in the first. */
export class SeveralCachers extends Cacher {
  readonly #others: readonly Cacher[];
  readonly #of = new Map<string, Cacher>();

  /** @param others stores of single resources, by the resources' ids */
  constructor(
    backend: Backend,
    others: ReadonlyMap<string, Backend>,
    resources: readonly CachedResource[],
    options: CacherOptions,
  ) {
    super(backend, resources.filter(({ id }) => !others.has(id)), options);
    const rows = Map.groupBy(resources.filter(({ id }) => others.has(id)), ({ id }) => others.get(id)!);
    this.#others = [...rows].map(([other, own]) => {
      const cacher = new Cacher(other, own, options);
      for (const { id } of own) this.#of.set(id, cacher);
      return cacher;
    });
  }

  override async start(signal: AbortSignal): Promise<void> {
    await Promise.all([super.start(signal), ...this.#others.map((c) => c.start(signal))]);
  }

  override cache(id: string): ResourceCache | undefined {
    return this.#of.get(id)?.cache(id) ?? super.cache(id);
  }

  override ready(): { id: string; ready: boolean }[] {
    return [super.ready(), ...this.#others.map((c) => c.ready())].flat();
  }

  override async whenReady(id?: string): Promise<void> {
    if (id !== undefined) return await (this.#of.get(id)?.whenReady(id) ?? super.whenReady(id));
    await Promise.all([super.whenReady(), ...this.#others.map((c) => c.whenReady())]);
  }

  override memory(): number {
    return this.#others.reduce((sum, c) => sum + c.memory(), super.memory());
  }
}
