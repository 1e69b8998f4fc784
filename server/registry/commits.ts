/** Writes of one resource: what lies in the store of an object, and what the cache is told beside. */
import { encodeObject } from "../../schema/codec/mod.ts";
import type { Obj } from "../../schema/model/types.ts";
import type { RuledResource } from "../../schema/rules/mod.ts";
import type { Span } from "../../schema/tracing/span.ts";
import type { Entry, WriteNote } from "../cache/mod.ts";
import { fullName } from "../catalog/full_name.ts";
import type { Resource } from "../catalog/types.ts";
import { type Change, type CommitResult, StorageError } from "../storage/backend.ts";
import { operationOf, timed } from "../storage/timing.ts";
import { encodeAtRest, sameAtRest, withoutOwnersAtRest } from "./at_rest.ts";
import type { RegistryContext } from "./context.ts";
import { encodeForm } from "./entry_codec.ts";
import { fitting, type Writer } from "./fitting.ts";
import { formOf } from "./forms.ts";
import { storageStatus } from "./storage_status.ts";
import type { Side, Strategy } from "./strategy.ts";
import { fillSystemFields } from "./system_fields.ts";
import { versioned } from "./versioned.ts";

/** See the top of the file. Objects have the shape of the storage version. */
export class Commits {
  constructor(
    readonly resource: Resource,
    readonly ruled: RuledResource,
    readonly ctx: RegistryContext,
    readonly strategy: Strategy,
  ) {}

  /** Key below the store. */
  key(namespace: string, name: string): string {
    return this.resource.prefix + (this.resource.namespaced ? `${namespace}/${name}` : name);
  }

  /** The change that creates an object of the server's own beside another write, if its name is free. */
  creation(obj: Obj): Change {
    fillSystemFields(obj, this.ctx);
    const key = this.key(obj.metadata.namespace ?? "", obj.metadata.name!);
    return { key, value: this.#encode(obj), expect: 0, note: this.#note(obj) };
  }

  /**
   * What is at rest holds the object as it is. If not, an update writes it even if it changes nothing: by another key or
   * provider, in another version, or with the defaults that only reads have filled in so far.
   */
  async restsAs(obj: Obj, entry: Entry): Promise<boolean> {
    const { namespace = "", name } = obj.metadata;
    if (await this.ctx.backend.stale?.(this.key(namespace, name!))) return false;
    const { resourceVersion: _, ...metadata } = obj.metadata;
    const bytes = this.#encode({ ...obj, metadata });
    return sameAtRest(this.ctx.scheme, this.resource.storageKind, bytes, entry.stored);
  }

  /** Commits the object under its name against a revision (0: it must be absent). @throws StatusError for what the store fails with */
  async commit(obj: Obj, expect: number, side: Side | undefined, caller: Writer): Promise<CommitResult> {
    const m = obj.metadata;
    delete m.resourceVersion;
    const expiresAt = this.strategy.expiresAt?.(obj, this.ctx.rules.now());
    const value = this.#encode(obj);
    if (expect === 0) this.ruled.rules.fillCreated?.(obj, this.ctx.rules);
    this.strategy.fill?.(obj);
    const send = (value: Uint8Array) => {
      const own: Change = { key: this.key(m.namespace ?? "", m.name!), value, expect, note: this.#note(obj) };
      const change = expiresAt === undefined ? own : { ...own, expiresAt };
      return this.send([change, ...(side?.changes ?? [])], caller.span);
    };
    const withoutOwners = () => withoutOwnersAtRest(this.ctx.scheme, this.resource.storageKind, value);
    return await fitting({ obj, value, withoutOwners }, caller, send);
  }

  /** Spares the cache a decoding, and leaves it the JSON that most clients ask for. */
  #note(obj: Obj): WriteNote {
    const form = formOf(this.resource.storageKind.apiVersion, "json");
    return {
      object: obj,
      json: { form, make: (revision) => encodeForm(this.ctx.scheme, versioned(obj, revision), form) },
    };
  }

  /** Bytes at rest. */
  #encode(obj: Obj): Uint8Array {
    const kind = this.resource.storageKind;
    // Objects of custom kinds are JSON whatever the option says, as the public server's are.
    if (kind.custom) return encodeObject(obj, kind, this.ctx.customAtRest ?? "json");
    return encodeAtRest(this.ctx.scheme, obj, kind, this.ctx.atRest ?? "protobuf");
  }

  /** Sends changes to the store. @throws StatusError for what it fails with */
  async send(changes: readonly Change[], span?: Span): Promise<CommitResult> {
    const { backend, timing, rules } = this.ctx, { key } = changes[0]!, operation = operationOf(changes[0]!);
    const resource = span && fullName(this.resource);
    const within = span?.child("Commit", { key, resource, changes: changes.length });
    try {
      return await timed(timing, rules.now, this.resource.id, operation, () => backend.commit(changes));
    } catch (e) {
      within?.failed((e as Error).message);
      throw e instanceof StorageError ? storageStatus(e) : e;
    } finally {
      within?.end();
    }
  }
}
