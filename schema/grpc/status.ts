/** Status codes of gRPC by number, as the public components write them. */
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

/** `DeadlineExceeded`; of a number that is no code `Unknown`. */
export const statusName = (code: number): string => NAMES[code] ?? "Unknown";
