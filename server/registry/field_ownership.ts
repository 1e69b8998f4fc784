/** Field ownership over the scheme's kinds: the field manager, told what a request is about. */
import { resetFieldsOf } from "../../schema/merge/reset_fields.ts";
import { FieldSetError } from "../../schema/merge/fieldpath.ts";
import { type Applied, applyManaged, type ManagedKind, updatedEntries } from "../../schema/merge/managed.ts";
import { managerName } from "../../schema/merge/manager_name.ts";
import { TypedError } from "../../schema/merge/walk.ts";
import type { JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import { type Scheme, splitApiVersion } from "../../schema/scheme.ts";
import { badRequest, StatusError } from "../../schema/status.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { ServedResource } from "../catalog/types.ts";
import type { FieldManager, FieldWrite } from "./field_manager.ts";

/** See {@linkcode FieldManager}. */
export class FieldOwnership implements FieldManager {
  readonly #scheme: Scheme;
  readonly #now: () => number;
  /** By served row: rows of custom resources come and go. */
  readonly #kinds = new WeakMap<ServedResource, Map<string, ManagedKind>>();

  /** `now`: milliseconds since the epoch. */
  constructor(scheme: Scheme, now: () => number) {
    this.#scheme = scheme;
    this.#now = now;
  }

  update(live: Obj | undefined, next: Obj, write: FieldWrite): Obj {
    const { kind } = write.served;
    const own = this.#kind(write);
    const to = (o: Obj, how: "convert" | "shown"): Obj =>
      o.apiVersion === own.apiVersion ? o : this.#scheme[how](o, kind);
    const entries = updatedEntries(own, {
      live: live && to(live, "shown"),
      object: to(next, "convert"),
      sent: next.metadata.managedFields as never,
      manager: managerName(write.manager, write.userAgent),
      time: nowTime(this.#now()),
    });
    const metadata = { ...next.metadata };
    if (entries) metadata.managedFields = entries;
    else delete metadata.managedFields;
    return { ...next, metadata };
  }

  apply(live: Obj | undefined, applied: JsonMap, force: boolean, write: FieldWrite): Applied {
    try {
      return applyManaged(this.#kind(write), {
        live,
        applied,
        manager: write.manager,
        force,
        time: nowTime(this.#now()),
      });
    } catch (e) {
      if (e instanceof FieldSetError) throw badRequest(e.message);
      if (e instanceof TypedError) {
        // As of a configuration that does not fit: clients know it without a reason.
        throw new StatusError(500, "", `the object does not fit its kind, nothing can be applied to it: ${e.message}`);
      }
      throw e;
    }
  }

  #kind({ served, subresource }: FieldWrite): ManagedKind {
    let kinds = this.#kinds.get(served);
    if (!kinds) this.#kinds.set(served, kinds = new Map());
    let kind = kinds.get(subresource);
    if (!kind) kinds.set(subresource, kind = this.#make(served, subresource));
    return kind;
  }

  #make(served: ServedResource, subresource: string): ManagedKind {
    const kind = served.subresources.get(subresource)?.kind ?? served.kind;
    // A kind that two groups serve (Event) is another in each: what is owned there is not known here.
    const other = (apiVersion: string): Kind | undefined =>
      splitApiVersion(apiVersion).group === kind.group ? this.#scheme.kind(apiVersion, kind.kind) : undefined;
    const { resource } = served;
    const hasStatus = served.subresources.has("status");
    const custom = served.kind.custom !== undefined;
    const reset = resetFieldsOf({
      group: resource.publicGroup,
      kind: served.kind.kind,
      subresource,
      hasStatus,
      custom,
    });
    return {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      message: kind.message,
      // What does not fit is refused, but where it is not taken: a status with an odd spec beside it, and the reverse.
      untyped: custom && (subresource !== "" || (hasStatus && "status")),
      subresource,
      messageOf: (apiVersion) => other(apiVersion)?.message,
      convert: (object, apiVersion) => {
        const to = other(apiVersion);
        if (!to) throw new FieldSetError(`no version ${apiVersion} of ${kind.kind}`);
        const from = object as Obj;
        return to.custom ? to.custom.convert(from) : this.#scheme.convert(from, to);
      },
      ...(reset ? { resetFields: reset } : {}),
    };
  }
}
