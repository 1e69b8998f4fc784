/** Small steps that several verbs share. */
import type { Obj } from "../../schema/model/types.ts";
import { qualifiedName } from "../../schema/rules/checks/formats.ts";
import { badRequest, methodNotAllowed, qualified, StatusError } from "../../schema/status.ts";
import { type Accepted, negotiate, type Representation, wantsPretty } from "../negotiation/accept.ts";
import type { Caller } from "../registry/context.ts";
import type { RequestInfo, RequestScope, User } from "../request.ts";
import { passedOn, type TraceHeaders } from "../../schema/tracing/context.ts";
import type { Span } from "../../schema/tracing/span.ts";
import type { Resource, ServedResource } from "../catalog/types.ts";
import type { Api, Call } from "./api.ts";
import type { WriteOptions } from "./query.ts";

/** Metadata of an answer; whether of an object or of a list is seen by what there is to answer. */
export const METADATA: readonly Representation[] = ["PartialObjectMetadata", "PartialObjectMetadataList"];
/** Representations of what is stored. */
export const SHOWN: readonly Representation[] = ["Table", ...METADATA];

/** Subresources that the public server prints no Table of. */
const NO_TABLE = new Set([
  "namespaces/finalize",
  "pods/ephemeralcontainers",
  "pods/resize",
  "apiservices.apiregistration.k8s.io/status",
  "certificatesigningrequests.certificates.k8s.io/approval",
  "customresourcedefinitions.apiextensions.k8s.io/status",
  "devicetaintrules.resource.k8s.io/status",
  "podgroups.scheduling.k8s.io/status",
  "resourceclaims.resource.k8s.io/status",
  "resourcepoolstatusrequests.resource.k8s.io/status",
]);

/** Representations of what the request names. */
export function shownOf({ info, served }: RequestScope): readonly Representation[] {
  return info.subresource !== "" && NO_TABLE.has(`${served!.resource.id}/${info.subresource}`) ? METADATA : SHOWN;
}

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
export function callerOf(scope: RequestScope, options: Asked): Caller {
  return new RequestCaller(scope, options);
}

/** What a registry must know of a request's options. */
type Asked = Pick<WriteOptions, "dryRun" | "object"> & Pick<Caller, "applies">;

/** The caller of a request: its signal is made on first use. */
class RequestCaller implements Caller {
  readonly user: User;
  readonly dryRun: boolean;
  readonly applies: boolean | undefined;
  readonly options: WriteOptions["object"];
  readonly version: string;
  readonly verb: string;
  readonly #scope: RequestScope;

  constructor(scope: RequestScope, options: Asked) {
    this.#scope = scope;
    this.user = scope.user;
    this.dryRun = options.dryRun;
    this.applies = options.applies;
    this.options = options.object;
    this.version = scope.served?.version ?? "";
    this.verb = scope.info.verb;
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  get endsAt(): number | undefined {
    const { startedAt, limitMs } = this.#scope;
    return limitMs === undefined ? undefined : startedAt + limitMs;
  }

  get span(): Span | undefined {
    return this.#scope.span;
  }

  traceHeaders(): TraceHeaders {
    return passedOn(this.#scope.headers);
  }

  waited(ms: number): void {
    this.#scope.waitedMs = (this.#scope.waitedMs ?? 0) + ms;
  }

  readonly warn = (text: string): void => void this.#scope.warnings.add(text);
  /** A note stands as it was first made: webhooks choose the names of theirs, and what is none is dropped. */
  readonly annotate = (key: string, value: string): void => {
    const { auditAnnotations } = this.#scope;
    if (!auditAnnotations.has(key) && isNoteKey(key)) auditAnnotations.set(key, value);
  };
}

/** Whether notes for the audit may have a key: a domain, `/` and a name. */
const isNoteKey = (key: string): boolean => key.includes("/") && qualifiedName(key).length === 0;

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
  // A watch comes by the path of the list: it is the kind that refuses it.
  const named = served.kind.custom || (verb === "watch" && served.verbs.includes("list"));
  throw named ? unsupportedVerb({ group, resource: name, verb }) : methodNotAllowed();
}

/**
 * Of namespaced objects, what writes many or a new one has a namespace in its path, though it may be an empty one.
 * @throws StatusError 405
 */
export function mustNameNamespace({ namespaced }: Resource, { namespace, path }: RequestInfo): void {
  if (namespaced && namespace === "" && !path.includes("//")) throw methodNotAllowed();
}

/** 405 that names the kind: of a custom resource, and of a list that cannot be watched. */
export function unsupportedVerb(
  { group, resource, verb }: Pick<RequestInfo, "group" | "resource" | "verb">,
): StatusError {
  const text = `${verb} is not supported on resources of kind "${qualified({ group, resource })}"`;
  return new StatusError(405, "MethodNotAllowed", text, { ...(group ? { group } : {}), kind: resource });
}

/** Metadata always exists on a decoded object that has it in its kind. */
export function withMetadata(obj: Obj): Obj {
  obj.metadata ??= {};
  return obj;
}
