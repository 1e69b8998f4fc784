/** Calls to plugins of the node. */
import { GrpcClient } from "../../schema/grpc/client.ts";
import { UNIX } from "../../host/grpc.ts";

/** Bytes of an answer at most; the same of a request. */
const MOST = 4 * 1024 * 1024;

/** A client of the service at a path. Nothing is asked yet; calls while nobody listens there fail. */
export function openPlugin(socket: string): GrpcClient {
  return new GrpcClient(socket, UNIX, {
    backOff: { first: 100, most: 3_000 },
    waits: false,
    limits: { received: MOST, sent: MOST },
  });
}
