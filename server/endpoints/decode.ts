/** From a request's bytes to an object of the storage version: decode, field validation, defaults, conversion. */
import { decodeBody, DecodeError, type MediaKind } from "../../schema/codec/mod.ts";
import type { Kind, Obj } from "../../schema/model/types.ts";
import { defaultsFor } from "../../schema/rules/mod.ts";
import { badRequest, StatusError } from "../../schema/status.ts";
import type { RequestScope } from "../request.ts";
import type { Api } from "./api.ts";
import type { WriteOptions } from "./query.ts";

/**
 * Decodes a body as an object of `kind`, with defaults.
 * @throws StatusError 400 for what cannot be decoded, another kind or version, or unknown fields at level Strict
 */
export function decodeAs(
  api: Api,
  scope: RequestScope,
  bytes: Uint8Array,
  media: MediaKind,
  kind: Kind,
  level: WriteOptions["fieldValidation"],
): Obj {
  const { object, kind: found, strictErrors } = decode(api, bytes, media, kind, level !== "Ignore");
  reportStrict(scope, strictErrors, level);
  if (found.kind !== kind.kind && found.apiVersion === kind.apiVersion) {
    throw badRequest(`${found.kind} in version "${found.version}" cannot be handled as a ${kind.kind}`);
  }
  if (found !== kind && isPartOfElsewhere(scope, kind, found)) {
    return withDefaults(api, kind, api.scheme.convert(object, kind));
  }
  if (found !== kind) {
    throw badRequest(
      `the API version in the data (${found.apiVersion}) does not match the expected API version (${kind.apiVersion})`,
    );
  }
  return withDefaults(api, kind, object);
}

/** A subresource whose kind is of another group (an Eviction of a pod) is taken in every version of that group. */
function isPartOfElsewhere(scope: RequestScope, kind: Kind, found: Kind): boolean {
  return found.kind === kind.kind && found.group === kind.group && kind.group !== scope.info.group;
}

function decode(api: Api, bytes: Uint8Array, media: MediaKind, kind: Kind, strict: boolean) {
  try {
    return decodeBody(api.scheme, bytes, media, { defaultKind: kind, strict });
  } catch (e) {
    if (e instanceof DecodeError) throw badRequest(e.message);
    throw e;
  }
}

/** Most bytes of one warning, and of all. */
const MAX_WARNINGS = 64;

/**
 * Unknown and duplicate fields, as the level says (specification, "Field validation").
 * @throws StatusError 400 at level Strict
 */
export function reportStrict(
  scope: RequestScope,
  errors: readonly string[],
  level: WriteOptions["fieldValidation"],
): void {
  if (errors.length === 0 || level === "Ignore") return;
  if (level === "Warn") {
    for (const e of errors.slice(0, MAX_WARNINGS)) scope.warnings.add(e);
    return;
  }
  throw new StatusError(400, "BadRequest", `strict decoding error: ${errors.join(", ")}`);
}

/** Applies the defaults of the kind's version, in place. */
export function withDefaults(api: Api, kind: Kind, obj: Obj): Obj {
  if (kind.custom) kind.custom.defaults(obj);
  else defaultsFor(kind.publicGroup, kind.version, kind.kind)?.(obj, api.rules);
  return obj;
}
