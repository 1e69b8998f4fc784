/** What gRPC clients need of this process. Connections are the runtime's own: those of `node:net` are closed twice (docs/limits.md). */
import { Duplex } from "node:stream";
import type { BeginSession, Connection, Platform } from "../schema/grpc/http2.ts";

/** How long a connection may take, ms. */
export const CONNECT_MS = 20_000;

/** Begins HTTP/2 for servers of that name, `http://localhost`. It loads it, which not all hosts have. */
export const beginning = (name: string) => async (): Promise<BeginSession> => {
  const { connect } = await import("node:http2");
  return (stream) => connect(name, { createConnection: () => new Duplex(stream), settings: { enablePush: false } });
};

/** Of Unix sockets. Servers there may look at the name by which public clients call them. */
export const UNIX: Platform = {
  authority: "localhost",
  dial: (path) => Deno.connect({ transport: "unix", path }),
  http2: beginning("http://localhost"),
};

/** A connection to a host without TLS. @throws Error when there is none within {@linkcode CONNECT_MS} */
export async function plain(hostname: string, port: number): Promise<Connection> {
  const connection = await Deno.connect({ hostname, port, signal: AbortSignal.timeout(CONNECT_MS) });
  connection.setNoDelay(true);
  return connection;
}
