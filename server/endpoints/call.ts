/** Small steps that several verbs share. */
import type { Obj } from "../../schema/model/types.ts";
import { badRequest, methodNotAllowed, StatusError } from "../../schema/status.ts";
import { type Accepted, negotiate, type Representation, wantsPretty } from "../negotiation/accept.ts";
import type { Caller } from "../registry/context.ts";
import type { RequestInfo, RequestScope, User } from "../request.ts";
import type { Resource, ServedResource } from "../catalog/types.ts";
import type { Api, Call } from "./api.ts";
import type { WriteOptions } from "./query.ts";

/** Representations of single objects. */
export const ONE: readonly Representation[] = ["Table", "PartialObjectMetadata"];
/** Representations of lists. */
export const MANY: readonly Representation[] = ["Table", "PartialObjectMetadataList"];

/** What the request accepts. @throws StatusError 406 */
export function acceptedBy(
  api: Api,
  scope: RequestScope,
  as: readonly Representation[],
  stream = false,
): Accepted {
  const { headers } = scope;
  const pretty = wantsPretty(scope.query, headers.get("user-agent"));
  const resource = scope.served?.resource, unrouted = scope.served?.kind.custom !== undefined;
  return negotiate(headers.get("accept"), { media: api.media(resource), as, stream, unrouted }, pretty);
}

/** The caller of a write, for registries and admission. */
export function callerOf(scope: RequestScope, options: Pick<WriteOptions, "dryRun" | "object">): Caller {
  return new RequestCaller(scope, options);
}

/** The caller of a request: its signal is made on first use. */
class RequestCaller implements Caller {
  readonly user: User;
  readonly dryRun: boolean;
  readonly options: WriteOptions["object"];
  readonly version: string;
  readonly #scope: RequestScope;

  constructor(scope: RequestScope, options: Pick<WriteOptions, "dryRun" | "object">) {
    this.#scope = scope;
    this.user = scope.user;
    this.dryRun = options.dryRun;
    this.options = options.object;
    this.version = scope.served?.version ?? "";
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  readonly warn = (text: string): void => void this.#scope.warnings.add(text);
  readonly annotate = (key: string, value: string): void => void this.#scope.auditAnnotations.set(key, value);
}

/** The call of a subresource or virtual resource. */
export function callOf(api: Api, scope: RequestScope, caller: Caller): Call {
  const served = scope.served!;
  const { namespace, name, subresource } = scope.info;
  return {
    api,
    scope,
    served,
    subresource: served.subresources.get(subresource),
    namespace: objectNamespace(served.resource, namespace),
    name,
    caller,
  };
}

/** Namespace of objects: none for a cluster-scoped resource, whatever the path says. */
export function objectNamespace(resource: Resource, namespace: string): string {
  return resource.namespaced ? namespace : "";
}

/**
 * Gives an object the namespace of the request.
 * @throws StatusError 400 when it names another one
 */
export function settleNamespace(obj: Obj, resource: Resource, namespace: string): void {
  const own = obj.metadata.namespace ?? "";
  const want = objectNamespace(resource, namespace);
  if (own === want) return;
  if (want === "") delete obj.metadata.namespace;
  else if (own === "") obj.metadata.namespace = want;
  else throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

/** @throws StatusError 400 when the object has another name than the path */
export function checkName(obj: Obj, name: string): void {
  const own = obj.metadata.name ?? "";
  if (own === name) return;
  if (own === "") {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
}

/** @throws StatusError 405 when the row does not have the verb */
export function mustServe(served: ServedResource, subresource: string, verb: string): void {
  const verbs = subresource === "" ? served.verbs : served.subresources.get(subresource)?.verbs;
  if (verbs?.includes(verb)) return;
  const { group, name } = served.resource;
  throw served.kind.custom ? unsupportedVerb({ group, resource: name, verb }) : methodNotAllowed();
}

/** 405 of a custom resource. */
export function unsupportedVerb(
  { group, resource, verb }: Pick<RequestInfo, "group" | "resource" | "verb">,
): StatusError {
  const text = `${verb} is not supported on resources of kind "${resource}.${group}"`;
  return new StatusError(405, "MethodNotAllowed", text, { group, kind: resource });
}

/** Metadata always exists on a decoded object that has it in its kind. */
export function withMetadata(obj: Obj): Obj {
  obj.metadata ??= {};
  return obj;
}
