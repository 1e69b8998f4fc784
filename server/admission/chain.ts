/** The chain of plugins: first all that mutate, then all that validate (specification, "Request processing options"). */
import type { Resource } from "../catalog/types.ts";
import type { Attributes, Operation, Plugin } from "./types.ts";

/** Plugins that look at one operation on one resource. */
interface Lane {
  readonly admit: readonly Plugin[];
  readonly validate: readonly Plugin[];
}

/** Plugins at work, compiled to a table by operation and resource. */
export class AdmissionChain {
  readonly #plugins: readonly Plugin[];
  readonly #lanes = new Map<string, Lane>();

  /** Plugins in their fixed order. */
  constructor(plugins: readonly Plugin[]) {
    this.#plugins = plugins;
  }

  #lane(operation: Operation, resource: Resource, subresource: string): Lane {
    const key = `${operation} ${resource.id}/${subresource}`;
    let lane = this.#lanes.get(key);
    if (!lane) {
      const mine = this.#plugins.filter((p) => p.handles(operation, resource, subresource));
      lane = { admit: mine.filter((p) => p.admit), validate: mine.filter((p) => p.validate) };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  /** The mutating phase. @throws StatusError of the plugin that refuses */
  async admit(a: Attributes): Promise<void> {
    for (const plugin of this.#lane(a.operation, a.resource, a.subresource).admit) {
      const done = plugin.admit!(a);
      if (done) await done;
    }
  }

  /** The validating phase. @throws StatusError of the plugin that refuses */
  async validate(a: Attributes): Promise<void> {
    for (const plugin of this.#lane(a.operation, a.resource, a.subresource).validate) {
      const done = plugin.validate!(a);
      if (done) await done;
    }
  }
}
