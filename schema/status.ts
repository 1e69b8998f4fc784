/** The one API error, and the `Status` body it becomes (specification, "Errors"). */
import { aggregateText } from "./values/aggregate_text.ts";

/** Reasons that clients branch on. */
export type Reason =
  | "BadRequest"
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Expired"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "Invalid"
  | "TooManyRequests"
  | "InternalError"
  | "ServiceUnavailable"
  | "Timeout"
  | "ServerTimeout"
  | "StoreReadError"
  | "";

/** One cause in a status's details. */
export interface Cause {
  reason?: string;
  message?: string;
  field?: string;
}

/** `details` of a Status. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: Cause[];
  retryAfterSeconds?: number;
}

/** The body of every failure, and of some successes. */
export interface Status {
  kind: "Status";
  apiVersion: "v1";
  metadata: { continue?: string };
  status: "Success" | "Failure";
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** An error that a client is told. Everything else thrown is a 500 that says nothing internal. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly code: number;
  readonly reason: Reason;
  readonly details: StatusDetails | undefined;
  /** List metadata of the Status (`continue` of a list that was cut by expiry). */
  readonly listMeta: { readonly continue?: string } | undefined;

  constructor(
    code: number,
    reason: Reason,
    message: string,
    details?: StatusDetails,
    options?: { cause?: unknown; listMeta?: { readonly continue?: string } },
  ) {
    super(message, options);
    this.listMeta = options?.listMeta;
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  /** The `Status` object, keys in declared order. */
  toStatus(): Status {
    const out: Status = { kind: "Status", apiVersion: "v1", metadata: { ...this.listMeta }, status: "Failure" };
    if (this.message) out.message = this.message;
    if (this.reason) out.reason = this.reason;
    if (this.details) out.details = this.details;
    out.code = this.code;
    return out;
  }
}

/** Whether it is the API error of that reason. */
export const hasReason = (e: unknown, reason: Reason): e is StatusError =>
  e instanceof StatusError && e.reason === reason;

/** Whether an error says that the object is not there. */
export const isNotFound = (e: unknown): e is StatusError => hasReason(e, "NotFound");

/** A group and resource as error texts name it: `deployments.apps`, `pods`. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `resource.group`, or the resource alone for the core group. */
export function qualified(gr: GroupResource): string {
  return gr.group ? `${gr.resource}.${gr.group}` : gr.resource;
}

const details = (gr: GroupResource, name: string): StatusDetails => ({
  ...(name ? { name } : {}),
  ...(gr.group ? { group: gr.group } : {}),
  kind: gr.resource,
});

/** 400: the request is malformed. */
export const badRequest = (message: string): StatusError => new StatusError(400, "BadRequest", message);
/** 404: no such object. */
export const notFound = (gr: GroupResource, name: string): StatusError =>
  new StatusError(404, "NotFound", `${qualified(gr)} "${name}" not found`, details(gr, name));
/** 404 of a path or resource that is not served. */
export const notServed = (): StatusError =>
  new StatusError(404, "NotFound", "the server could not find the requested resource", {});
/** 409: the name is taken. */
export const alreadyExists = (gr: GroupResource, name: string): StatusError =>
  new StatusError(409, "AlreadyExists", `${qualified(gr)} "${name}" already exists`, details(gr, name));
/** 409: the same of what has a prefix to make names of, whoever gave it this one; clients know it by these words. */
export const notGenerated = (gr: GroupResource, name: string): StatusError => {
  const { code, reason, message } = alreadyExists(gr, name);
  const why = `${message}, the server was not able to generate a unique name for the object`;
  return new StatusError(code, reason, why, { ...details(gr, name), retryAfterSeconds: 1 });
};
/** 409: the object has changed, or a precondition fails. */
export const conflict = (gr: GroupResource, name: string, why: string): StatusError =>
  new StatusError(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${qualified(gr)} "${name}": ${why}`,
    details(gr, name),
  );
/** 403: who may not do what. */
export const forbidden = (gr: GroupResource, name: string, why: string): StatusError =>
  new StatusError(
    403,
    "Forbidden",
    `${qualified(gr)}${name ? ` "${name}"` : ""} is forbidden: ${why}`,
    details(gr, name),
  );
/** 405: the resource exists, the verb does not apply. */
export const methodNotAllowed = (): StatusError =>
  new StatusError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
/** 410: the version asked for is no longer held. */
export const expired = (message: string): StatusError => new StatusError(410, "Expired", message);
/** 413: the body or the object is too large. */
export const tooLarge = (message: string): StatusError => new StatusError(413, "RequestEntityTooLarge", message);
/** Stands for a cause past those that an answer holds. */
export const LEFT_OUT: Cause = Object.freeze({ message: "left out" });
/** 422: validation failed; `kind` is the qualified kind (`Deployment.apps`). {@linkcode LEFT_OUT} ones are counted only. */
export function invalid(group: string, kind: string, name: string, found: readonly Cause[]): StatusError {
  const causes = found.filter((c) => c !== LEFT_OUT);
  const more = found.length > causes.length ? `, and ${found.length - causes.length} more` : "";
  return new StatusError(
    422,
    "Invalid",
    `${group ? `${kind}.${group}` : kind} "${name}" is invalid: ${aggregate(causes)}${more}`,
    { ...(name ? { name } : {}), ...(group ? { group } : {}), kind, causes },
  );
}
/** 429: come back later. */
export const tooManyRequests = (message: string, retryAfterSeconds: number): StatusError =>
  new StatusError(429, "TooManyRequests", message, { retryAfterSeconds });
/** 500: what went wrong inside, in words that tell nothing internal. */
export const internal = (message: string, cause?: unknown): StatusError =>
  new StatusError(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] }, { cause });

/** The same of any error; of one that a client is told already, itself. */
export const internalOf = (e: Error): StatusError => e instanceof StatusError ? e : internal(e.message, e);

/** Causes as {@linkcode aggregateText}, each with its field. */
export function aggregate(causes: readonly Cause[]): string {
  return aggregateText(causes.map((c) => (c.field ? `${c.field}: ${c.message ?? ""}` : c.message ?? "")));
}
