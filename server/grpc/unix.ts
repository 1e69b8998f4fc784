/** What gRPC clients need of this process. Connections are the runtime's own: those of `node:net` are closed twice (docs/limits.md). */
import { Duplex } from "node:stream";
import type { BeginSession, Platform } from "../../schema/grpc/http2.ts";

/** Begins HTTP/2 for servers of that name, `http://localhost`. It loads it, which not all hosts have. */
export const beginning = (name: string) => async (): Promise<BeginSession> => {
  const { connect } = await import("node:http2");
  return (stream) => connect(name, { createConnection: () => new Duplex(stream), settings: { enablePush: false } });
};

/** Of Unix sockets. */
export const UNIX: Platform = {
  dial: (path) => Deno.connect({ transport: "unix", path }),
  http2: beginning("http://localhost"),
};
