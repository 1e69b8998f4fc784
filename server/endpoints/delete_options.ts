/** Options of a DELETE, from its body or its query (specification, "Delete options"). */
import { decodeBody, DecodeError, notRegistered } from "../../schema/codec/mod.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { badRequest, invalid } from "../../schema/status.ts";
import { ValueError } from "../../schema/values/error.ts";
import type { RequestScope } from "../request.ts";
import type { DeleteOptions } from "../registry/strategy.ts";
import { queryFlag } from "../filters/request_info.ts";
import type { Api } from "./api.ts";
import { bodyBytes, bodyMedia } from "./body.ts";
import { checkDryRun, integer } from "./query.ts";

const POLICIES = ["Foreground", "Background", "Orphan"];
/** The option that deletes although the object cannot be read. */
export const UNSAFE = "ignoreStoreReadErrorWithClusterBreakingPotential";

/** What a DELETE asks for. */
export interface DeleteRequest {
  readonly options: DeleteOptions;
  readonly dryRun: boolean;
  /** Delete although the object cannot be read. */
  readonly unsafe: boolean;
}

/** @throws StatusError 400, 415, 422 */
export async function deleteRequest(api: Api, scope: RequestScope): Promise<DeleteRequest> {
  const bytes = await bodyBytes(scope);
  const options = bytes.length > 0 ? fromBody(api, scope, bytes) : fromQuery(scope.query);
  // Whatever else the body says: who asks for a dry run must not find the object gone.
  if (bytes.length > 0 && scope.query.has("dryRun")) {
    options.dryRun = [...new Set([...options.dryRun ?? [], ...scope.query.getAll("dryRun")])];
  }
  if (!api.rules.gate("AllowUnsafeMalformedObjectDeletion")) delete options[UNSAFE];
  return { options, ...checkDeleteOptions(api, options) };
}

/** What holds of the options of any deletion. @throws StatusError 422 */
export function checkDeleteOptions(api: Api, options: DeleteOptions): Omit<DeleteRequest, "options"> {
  const errors = new ErrorList();
  const { orphanDependents, propagationPolicy } = options;
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    errors.invalid(
      "propagationPolicy",
      propagationPolicy,
      "orphanDependents and deletionPropagation cannot be both set",
    );
  }
  if (propagationPolicy !== undefined && !POLICIES.includes(propagationPolicy)) {
    errors.notSupported("propagationPolicy", propagationPolicy, [...POLICIES, "nil"]);
  }
  const dryRun = checkDryRun(errors, options.dryRun ?? []);
  const unsafe = options[UNSAFE] === true;
  if (unsafe) checkAlone(errors, options);
  if (!errors.empty) throw invalid(api.scheme.product.local("meta.k8s.io"), "DeleteOptions", "", errors.causes);
  return { dryRun, unsafe };
}

const EXCLUDED = ["dryRun", "propagationPolicy", "orphanDependents", "gracePeriodSeconds", "preconditions"];

function checkAlone(errors: ErrorList, options: DeleteOptions): void {
  for (const name of EXCLUDED) {
    if (options[name] !== undefined) errors.invalid(UNSAFE, true, `cannot be set together with .${name}`);
  }
}

function fromBody(api: Api, scope: RequestScope, bytes: Uint8Array): DeleteOptions {
  const media = bodyMedia(scope.headers.get("content-type"), api.media(undefined)).kind;
  const kind = api.scheme.kind(`${api.scheme.product.local("meta.k8s.io")}/v1`, "DeleteOptions")!;
  try {
    const { object, kind: found } = decodeBody(api.scheme, bytes, media, {
      defaultKind: kind,
      strict: false,
      anyVersion: true,
    });
    if (found.kind !== "DeleteOptions") throw badRequest(notRegistered(found.kind, found.apiVersion).message);
    scope.audit?.sent(found, object);
    return object as DeleteOptions;
  } catch (e) {
    if (e instanceof DecodeError) throw badRequest(e.cause instanceof ValueError ? e.cause.message : e.message);
    throw e;
  }
}

function fromQuery(query: URLSearchParams): DeleteOptions {
  const out: DeleteOptions = {};
  const grace = integer(query, "gracePeriodSeconds");
  if (grace !== undefined) out.gracePeriodSeconds = grace;
  if (query.has("orphanDependents")) out.orphanDependents = queryFlag(query, "orphanDependents");
  if (query.has("propagationPolicy")) out.propagationPolicy = query.get("propagationPolicy")!;
  if (query.has("dryRun")) out.dryRun = query.getAll("dryRun");
  if (query.has(UNSAFE)) (out as JsonMap)[UNSAFE] = queryFlag(query, UNSAFE);
  const uid = query.get("uid") ?? "", resourceVersion = query.get("resourceVersion") ?? "";
  if (uid !== "" || resourceVersion !== "") {
    out.preconditions = { ...(uid !== "" && { uid }), ...(resourceVersion !== "" && { resourceVersion }) };
  }
  return out;
}
