/** What a resource does beyond the generic registry. Rows of `strategies.ts`; most resources have none. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { ErrorList } from "../../schema/rules/errors.ts";
import type { KindRules } from "../../schema/rules/types.ts";
import type { GroupResource } from "../../schema/status.ts";
import type { Change } from "../storage/backend.ts";
import type { Caller } from "./context.ts";

/** Undoes what a hook took, when the write does not happen. */
export type Undo = () => void;

/** What a hook adds to a write. */
export interface Side {
  /** Changes that are committed together with the object's own. */
  readonly changes?: readonly Change[];
  /** Called once when the write failed; it also takes back what the hook wrote into the object. */
  readonly undo?: Undo;
  /** Called once when the write is over and was made, or was a dry run. A removal is answered when this is done. */
  readonly done?: () => void | Promise<void>;
}

/** Delete options as clients send them. */
export interface DeleteOptions extends JsonMap {
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
}

/** Between versions of a resource that somebody else converts. Both give the argument itself where nothing is to be done. */
export interface Conversions {
  /** An object in a version; the empty one: as it is stored. @throws StatusError 500 */
  view(obj: Obj, version: string, signal: AbortSignal): Promise<Obj>;
  /** A valid object as it is stored: converted and pruned. @throws StatusError 500 */
  rest(obj: Obj, signal: AbortSignal): Promise<Obj>;
}

/** A resource's own behaviour. All members are optional. */
export interface Strategy {
  /** Rules of a resource that is not built in. */
  readonly rules?: KindRules;
  /** Makes of a valid object what is stored, in place (custom objects lose what only other versions know). */
  settle?(obj: Obj): void;
  /** Fills in what readers see of a stored object though nobody has written it, in place: defaults of the version that is stored. */
  fill?(obj: Obj): void;
  /**
   * Conversions that take a call. Where there are any, writes go in the version of their request, and become the one that is
   * stored at the very end.
   */
  readonly conversions?: Conversions;
  /**
   * Grace of a deletion in seconds; undefined: the resource is removed at once. May fill defaults into the options
   * (specification, "Object deletion").
   */
  grace?(obj: Obj, options: DeleteOptions): number | undefined;
  /** Answer a deletion with the object rather than with a Status; a list: in these versions of the request. */
  readonly returnsDeleted?: boolean | readonly string[];
  /** Warning of a deletion that says nothing about dependants. */
  readonly deleteWarning?: string;
  /** Orphan dependants unless asked otherwise; `none`: propagation does not apply (events). */
  readonly garbage?: "background" | "orphan" | "none";
  /** Who asks not to orphan dependants waits for them. */
  readonly waits?: boolean;
  /** Runs after the object was prepared and before it is validated: allocations. @throws StatusError */
  beforeCreate?(obj: Obj, caller: Caller): Side | undefined | Promise<Side | undefined>;
  /** Looks at a new object right before it is stored, however long others took until then. @throws StatusError */
  beforeNew?(obj: Obj): void;
  /** The same for updates through the object itself. */
  beforeUpdate?(obj: Obj, old: Obj, caller: Caller): Side | undefined | Promise<Side | undefined>;
  /** Whether an object may be deleted by its name. @throws StatusError */
  authorizeDelete?(gr: GroupResource, name: string): void;
  /** Runs before an object is removed from the store. */
  beforeRemove?(obj: Obj): Side | undefined;
  /** Whether an object that is being deleted and has no finalizers left may go (namespaces wait for `spec.finalizers`). */
  mayRemove?(obj: Obj): boolean;
  /** Whether a deletion of the object is under way of which another one changes nothing, whatever it asks for. */
  underway?(obj: Obj): boolean;
  /** Replaces how a delete is marked (namespaces set their phase). `old`: before it. */
  onMarkDeleted?(obj: Obj, old: Obj): void;
  /** When the object expires, ms since the epoch. */
  expiresAt?(obj: Obj, now: number): number | undefined;
  /**
   * Checks before anything else on create and update (RBAC escalation). What is given back is told among what validation finds.
   * @throws StatusError
   */
  authorize?(
    obj: Obj,
    old: Obj | undefined,
    caller: Caller,
    subresource: string,
  ): void | Promise<void> | Promise<ErrorList | undefined>;
}

/** Whether a deletion in a version is answered with the object. */
export function returnsDeleted({ returnsDeleted }: Strategy, version: string): boolean {
  return typeof returnsDeleted === "object" ? returnsDeleted.includes(version) : returnsDeleted === true;
}
