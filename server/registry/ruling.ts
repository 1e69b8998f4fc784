/**
 * Objects that other writes go by: webhooks, policies, quotas, limits. One that cannot be read any more rules on as it was read
 * last; one that came so rules nothing, as nobody knew it before. Of one that stood so when the server began nobody knows what it
 * asks for: what it may rule is refused until it is gone.
 */
import type { Obj } from "../../schema/model/types.ts";
import { internal } from "../../schema/status.ts";
import type { Entry, ResourceCache } from "../cache/mod.ts";

const GROUP = "admissionregistration.k8s.io";

/** Public ids of such resources. */
export const RULING: readonly string[] = [
  "limitranges",
  "resourcequotas",
  `mutatingadmissionpolicies.${GROUP}`,
  `mutatingadmissionpolicybindings.${GROUP}`,
  `mutatingwebhookconfigurations.${GROUP}`,
  `validatingadmissionpolicies.${GROUP}`,
  `validatingadmissionpolicybindings.${GROUP}`,
  `validatingwebhookconfigurations.${GROUP}`,
];

/** The objects of one such resource. */
export class Ruling {
  /** By key: what stood before one that cannot be read; undefined where nothing did. */
  readonly #before = new Map<string, Obj | undefined>();

  /** `name`: of the resource, as clients know it. */
  constructor(readonly cache: ResourceCache, readonly name: string) {
    cache.listen({ changed: (entry, previous, deleted) => this.#changed(entry, previous, deleted), reset: () => {} });
  }

  /** @throws StatusError 500 for one that nobody has read */
  read(entry: Entry): Obj | undefined {
    const object = entry.readable();
    if (object || this.#before.has(entry.key)) return object ?? this.#before.get(entry.key);
    // What is stored is not for everybody who writes: lists and logs tell more.
    throw internal(`${this.name} ${JSON.stringify(entry.key)} cannot be read: nobody knows whether it allows this`);
  }

  #changed(entry: Entry, previous: Entry | undefined, deleted: boolean): void {
    if (deleted || entry.readable()) return void this.#before.delete(entry.key);
    const before = this.#before.get(entry.key) ?? previous?.readable();
    // While the cache is being loaded, changes tell what stood so all the same.
    if (before || this.cache.ready) this.#before.set(entry.key, before);
  }
}
