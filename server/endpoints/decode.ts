/** From a request's bytes to an object of the storage version: decode, field validation, defaults, conversion. */
import { decodeBody, DecodeError, type MediaKind } from "../../schema/codec/mod.ts";
import { settleType } from "../../schema/codec/claimed.ts";
import type { Kind, Obj } from "../../schema/model/types.ts";
import { setDefaults } from "../../schema/rules/mod.ts";
import { badRequest } from "../../schema/status.ts";
import type { RequestScope } from "../request.ts";
import type { Api } from "./api.ts";
import type { WriteOptions } from "./query.ts";

/** A body as it was sent. */
export interface Decoded {
  /** Of the endpoint's kind, with defaults. */
  readonly object: Obj;
  /** The endpoint's kind, or that one by the name that the other dialect has for it. */
  readonly named: Kind;
}

/** {@linkcode decodeNamed}, however the kind was named. @throws StatusError 400 */
export function decodeAs(...args: Parameters<typeof decodeNamed>): Obj {
  return decodeNamed(...args).object;
}

/**
 * Decodes a body as an object of `kind`, with defaults. Kinds that are never stored may go by their name in the other dialect.
 * @throws StatusError 400 for what cannot be decoded, another kind or version, or unknown fields at level Strict
 */
export function decodeNamed(
  api: Api,
  scope: RequestScope,
  bytes: Uint8Array,
  media: MediaKind,
  kind: Kind,
  level: WriteOptions["fieldValidation"],
): Decoded {
  const { object, kind: found, strictErrors } = decode(api, bytes, media, kind, level !== "Ignore");
  const said = kind.custom ? object.kind : found.kind, what = `${said} in version "${found.version}" cannot be handled`;
  // What cannot become the endpoint's kind is not looked at any closer.
  if (!kind.custom && (found.custom || found.kind !== kind.kind)) throw badRequest(`${what} as a ${kind.kind}`);
  reportStrict(scope, strictErrors, level, `${what} as a ${said}: `);
  if (found.custom && found === kind) settleType(object, kind, object);
  if (found !== kind && isPartOfElsewhere(scope, kind, found)) {
    return { object: recorded(scope, kind, withDefaults(api, kind, api.scheme.convert(object, kind))), named: kind };
  }
  if (found !== kind && !isTwin(kind, found)) {
    throw badRequest(
      `the API version in the data (${found.apiVersion}) does not match the expected API version (${kind.apiVersion})`,
    );
  }
  if (found !== kind) object.apiVersion = kind.apiVersion;
  return { object: recorded(scope, kind, withDefaults(api, kind, object)), named: found };
}

/** Whether a kind is the other one by its name in the other dialect, which only those have that are never stored. */
const isTwin = (kind: Kind, found: Kind): boolean =>
  !kind.custom && !found.custom && found.message === kind.message && found.version === kind.version;

function recorded(scope: RequestScope, kind: Kind, obj: Obj): Obj {
  scope.audit?.sent(kind, obj);
  return obj;
}

/** A subresource whose kind is of another group (an Eviction of a pod) is taken in every version of that group. */
function isPartOfElsewhere(scope: RequestScope, kind: Kind, found: Kind): boolean {
  return found.kind === kind.kind && found.group === kind.group && kind.group !== scope.info.group;
}

function decode(api: Api, bytes: Uint8Array, media: MediaKind, kind: Kind, strict: boolean) {
  try {
    return decodeBody(api.scheme, bytes, media, { defaultKind: kind, strict, sent: true });
  } catch (e) {
    if (e instanceof DecodeError) throw badRequest(e.message);
    throw e;
  }
}

/**
 * Unknown and duplicate fields, as the level says (specification, "Field validation"). `what`: before the error's text.
 * @throws StatusError 400 at level Strict
 */
export function reportStrict(
  scope: RequestScope,
  errors: readonly string[],
  level: WriteOptions["fieldValidation"],
  what = "",
): void {
  if (errors.length === 0 || level === "Ignore") return;
  if (level === "Warn") {
    for (const e of errors) scope.warnings.add(e);
    return;
  }
  throw badRequest(`${what}strict decoding error: ${strictText(errors)}`);
}

/** What the reader of YAML says of keys that stand twice. */
const IN_YAML = /^line \d+: key ".*" already set in map$/s;

/** Unknown and duplicate fields as one text: what YAML says twice is one error, a line each. */
export function strictText(errors: readonly string[]): string {
  const twice = errors.filter((e) => IN_YAML.test(e)), rest = errors.filter((e) => !IN_YAML.test(e));
  const yaml = twice.length ? [["yaml: unmarshal errors:", ...twice.map((line) => `  ${line}`)].join("\n")] : [];
  return [...yaml, ...rest].join(", ");
}

/** Applies the defaults of the kind's version, in place; `keepNulls` leaves nulls of custom objects to validation. */
export function withDefaults(api: Api, kind: Kind, obj: Obj, keepNulls = false): Obj {
  setDefaults(obj, kind, api.rules, keepNulls);
  return obj;
}
