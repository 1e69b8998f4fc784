/** Status codes of gRPC, and those that stand for what HTTP/2 says. */
const NAMES = [
  "OK",
  "Canceled",
  "Unknown",
  "InvalidArgument",
  "DeadlineExceeded",
  "NotFound",
  "AlreadyExists",
  "PermissionDenied",
  "ResourceExhausted",
  "FailedPrecondition",
  "Aborted",
  "OutOfRange",
  "Unimplemented",
  "Internal",
  "Unavailable",
  "DataLoss",
  "Unauthenticated",
] as const;

/** Name of a code as the public components write it. */
export type StatusName = (typeof NAMES)[number];

/** `DeadlineExceeded`; of a number that is no code `Unknown`. */
export const statusName = (code: number): StatusName => NAMES[code] ?? "Unknown";

/** Number of a code. */
export const statusCode = (name: StatusName): number => NAMES.indexOf(name);

/** A call that failed. */
export class GrpcError extends Error {
  override readonly name = "GrpcError";

  constructor(readonly status: StatusName, readonly details: string, options?: ErrorOptions) {
    super(`${status}: ${details}`, options);
  }
}

/** Of answers without a status of gRPC, by their HTTP status. */
const BY_HTTP: Readonly<Record<number, StatusName>> = {
  400: "Internal",
  401: "Unauthenticated",
  403: "PermissionDenied",
  404: "Unimplemented",
  429: "Unavailable",
  502: "Unavailable",
  503: "Unavailable",
  504: "Unavailable",
};

/** See {@linkcode BY_HTTP}. */
export const statusOfHttp = (status: number): StatusName => BY_HTTP[status] ?? "Unknown";

/** Of streams that were reset, by the code of HTTP/2; `Internal` where there is none. */
const BY_RESET: Readonly<Record<number, StatusName>> = {
  5: "Unknown",
  7: "Unavailable",
  8: "Canceled",
  11: "ResourceExhausted",
  12: "PermissionDenied",
  13: "Unknown",
};

/** See {@linkcode BY_RESET}. */
export const statusOfReset = (code: number): StatusName => BY_RESET[code] ?? "Internal";
