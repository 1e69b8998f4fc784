/** How a signer is reached; given by the process. */
import type { Call } from "../../../schema/grpc/call.ts";
import type { CallLimits } from "../../grpc/socket.ts";

/** See the top of the file. */
export interface SignerCaller {
  /** @throws Error, of a failed call with the name of its gRPC status as `status` */
  call<Q, R>(call: Call<Q, R>, request: Q, limits: CallLimits): Promise<R>;
  close(): void;
}

/** The code of a failure, for metrics. */
export function codeOf(e: unknown): string {
  for (let at = e; at instanceof Error; at = at.cause) {
    if ("status" in at && typeof at.status === "string") return at.status;
  }
  return "unknown-non-grpc";
}
