/** Group versions for which peers are not asked: those that objects in the store define, which every server reads by itself. */
import type { Obj } from "../../schema/model/types.ts";
import { apiVersionOf } from "../../schema/scheme.ts";
import type { Lister } from "../admission/types.ts";

const DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";
const API_SERVICES = "apiservices.apiregistration.k8s.io";
/** So long after a definition is gone peers may still serve it (ms). */
const GRACE_MS = 5 * 60_000;

/** See the top of the file. */
export class ExcludedVersions {
  readonly #lister: Lister;
  readonly #now: () => number;
  #seen = "";
  #defined: ReadonlySet<string> = new Set();
  readonly #gone = new Map<string, number>();

  constructor(lister: Lister, now: () => number) {
    this.#lister = lister;
    this.#now = now;
  }

  /** Moves when what is excluded may have changed. */
  generation(): number {
    this.#refresh();
    return this.#generation;
  }
  #generation = 0;

  /** Whether peers are not asked for it. */
  has(group: string, version: string): boolean {
    this.#refresh();
    const name = apiVersionOf(group, version);
    return this.#defined.has(name) || this.#gone.has(name);
  }

  #refresh(): void {
    const now = this.#now();
    for (const [name, since] of this.#gone) {
      if (now - since <= GRACE_MS) continue;
      this.#gone.delete(name);
      this.#generation++;
    }
    const seen = `${this.#lister.changes?.(DEFINITIONS)} ${this.#lister.changes?.(API_SERVICES)}`;
    if (seen === this.#seen) return;
    const defined = new Set([
      ...this.#lister.list(DEFINITIONS).flatMap(ofDefinition),
      ...this.#lister.list(API_SERVICES).flatMap(ofApiService),
    ]);
    // Not before: a cache that is not ready yet is asked again.
    this.#seen = seen;
    for (const name of this.#defined) if (!defined.has(name)) this.#gone.set(name, now);
    this.#defined = defined;
    this.#generation++;
  }
}

function ofDefinition({ spec }: Obj): string[] {
  const { group = "", versions = [] } = (spec ?? {}) as { group?: string; versions?: readonly { name: string }[] };
  return versions.map((v) => apiVersionOf(group, v.name));
}

/** Those without a service are served by the servers themselves. */
function ofApiService({ spec }: Obj): string[] {
  const { group = "", version = "", service } = (spec ?? {}) as { group?: string; version?: string; service?: unknown };
  return service ? [apiVersionOf(group, version)] : [];
}
