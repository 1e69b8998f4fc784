/** What the endpoints of one server work with. */
import type { Kind, Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource, ServedResource, Subresource } from "../catalog/types.ts";
import type { MediaType } from "../negotiation/media.ts";
import type { Printer } from "../printing/types.ts";
import type { Admission, Caller } from "../registry/context.ts";
import type { FieldManager } from "../registry/field_manager.ts";
import type { Store } from "../registry/store.ts";
import type { Cancellable, RequestScope } from "../request.ts";
import type { PassOn } from "../app_types.ts";
import type { Authorizer } from "../authorization/types.ts";
import type { ContinueTokens } from "./continue.ts";

/** Dependencies of the endpoints, built once. */
export interface Api {
  readonly scheme: Scheme;
  readonly catalog: Catalog;
  readonly admission: Admission;
  readonly authorizer: Authorizer;
  readonly fields: FieldManager;
  readonly rules: RuleContext;
  readonly tokens: ContinueTokens;
  /** Encodings offered for a resource's objects; custom ones have no Protobuf. */
  media(resource: Resource | undefined): readonly MediaType[];
  /** The registry of a resource that stores objects. */
  store(resource: Resource): Store;
  /** How a resource is printed in a version. */
  printer(resource: Resource, version: string): Printer;
  /** Waits until a custom resource that was just changed can be read. */
  loaded(resource: Resource, asking: Cancellable): Promise<void>;
  /** What a subresource does that is not an update of its parent's own kind. */
  subresource(resource: Resource, name: string): SubresourceHandler | undefined;
  /** What a resource does that stores nothing (reviews, bindings, component statuses). */
  virtual(resource: Resource): VirtualHandler | undefined;
  /** Passes on what this server does not serve and another on its store does. Absent: there are no others. */
  readonly peers?: PassOn | undefined;
  /** `--min-request-timeout`, seconds. */
  readonly minRequestTimeout: number;
  /** `--delete-collection-workers`. */
  readonly deleteWorkers: number;
  /** A number in [0, 1). */
  random(): number;
}

/** An answer that is not in a cache. */
export interface Answer {
  readonly object: Obj;
  readonly kind: Kind;
  /** HTTP status; by default that of the verb. */
  readonly code?: number;
}

/** One call of a subresource or virtual resource. */
export interface Call {
  readonly api: Api;
  readonly scope: RequestScope;
  readonly served: ServedResource;
  readonly subresource: Subresource | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly caller: Caller;
}

/** A subresource with a kind, or a way, of its own. Absent verbs are 405. */
export interface SubresourceHandler {
  get?(call: Call): Promise<Answer | Response>;
  /** POST; the body has the subresource's kind, defaults applied. */
  create?(call: Call, body: Obj): Promise<Answer>;
  /** PUT and PATCH: `next` makes the subresource's object from the current one. */
  update?(call: Call, next: (current: Obj) => Promise<Obj>): Promise<Answer>;
  /** Any method, for those that stream (`proxy`, `exec`, `log`). */
  connect?(call: Call): Promise<Response>;
}

/** A resource that stores nothing. */
export interface VirtualHandler {
  create?(call: Call, body: Obj): Promise<Answer>;
  get?(call: Call): Promise<Answer>;
  list?(call: Call): Promise<Obj[]>;
}
