/**
 * Resources of extension servers by kind and path, as their servers say that they serve them. What a server said last
 * holds as long as it is registered: one that does not answer for a while has not lost its objects.
 */
import type { JsonMap } from "../../../schema/model/types.ts";
import type { VersionDocument } from "../../aggregation/documents.ts";
import type { Registration } from "../../aggregation/registrations.ts";
import type { ControllerContext } from "../types.ts";
import { type Asking, ExtensionObjects } from "./extension_objects.ts";

/** See the top of the file. */
export class ExtensionResources {
  readonly #documents = new Map<string, VersionDocument>();
  #byKind = new Map<string, ExtensionObjects>();
  #byId = new Map<string, ExtensionObjects>();

  constructor(readonly extensions: NonNullable<ControllerContext["extensions"]>, readonly asking: Asking) {}

  /** Reads anew what the servers say. Of a resource in several versions the first one counts. */
  refresh(): void {
    const { registrations, discovery } = this.extensions;
    for (const name of [...this.#documents.keys()]) if (!registrations.named(name)) this.#documents.delete(name);
    this.#byKind = new Map();
    this.#byId = new Map();
    for (const { group, versions } of discovery.groups(true)) {
      for (const version of versions) {
        const registration = registrations.find(group, version);
        if (registration) this.#take(registration);
      }
    }
  }

  /** A resource by the group and kind of its objects. */
  byKind(group: string, kind: string): ExtensionObjects | undefined {
    return this.#byKind.get(`${group}/${kind}`);
  }

  /** A resource by {@linkcode ExtensionObjects.resourceId}. */
  byId(id: string): ExtensionObjects | undefined {
    return this.#byId.get(id);
  }

  /** All of them. */
  all(): Iterable<ExtensionObjects> {
    return this.#byId.values();
  }

  #take(registration: Registration): void {
    const { name, group } = registration;
    const document = this.extensions.discovery.document(name) ?? this.#documents.get(name);
    if (!document) return;
    this.#documents.set(name, document);
    for (const { resource, responseKind, scope, verbs } of document.resources ?? []) {
      const kind = String((responseKind as JsonMap | undefined)?.["kind"] ?? "");
      if (kind === "" || this.#byKind.has(`${group}/${kind}`)) continue;
      const objects = new ExtensionObjects({
        registration,
        resource: String(resource),
        kind,
        namespaced: scope === "Namespaced",
        verbs: (verbs ?? []) as string[],
      }, this.asking);
      this.#byKind.set(`${group}/${kind}`, objects);
      this.#byId.set(objects.resourceId, objects);
    }
  }
}
