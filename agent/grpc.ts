/** What gRPC clients need of this process. Connections are the runtime's own: those of `node:net` are closed twice (docs/limits.md). */
import { isIP } from "node:net";
import { Duplex } from "node:stream";
import type { BeginSession, Connection, Platform } from "../schema/grpc/http2.ts";
import { connectionOf } from "../schema/grpc/socket.ts";
import type { Target } from "../schema/grpc/target.ts";
import { hostPort } from "../schema/values/host_port.ts";

/** Begins HTTP/2 for servers of that name, `http://localhost`. */
const beginning = (name: string) => async (): Promise<BeginSession> => {
  const { connect } = await import("node:http2");
  return (stream) => connect(name, { createConnection: () => new Duplex(stream), settings: { enablePush: false } });
};

/** Of Unix sockets. */
export const UNIX: Platform = {
  dial: (path) => Deno.connect({ transport: "unix", path }),
  http2: beginning("http://localhost"),
};

/** How long a connection may take, ms. */
const WITHIN = 20_000;

/** What a client of the target needs. @param unverified by TLS, whoever answers */
export function reach(target: Target, unverified = false): Platform {
  if ("path" in target) return UNIX;
  const { host, port } = target;
  const name = `${unverified ? "https" : "http"}://${hostPort(host, port)}`;
  return { dial: () => (unverified ? anyTls : plain)(host, port), http2: beginning(name) };
}

async function plain(hostname: string, port: number): Promise<Connection> {
  const connection = await Deno.connect({ hostname, port, signal: AbortSignal.timeout(WITHIN) });
  connection.setNoDelay(true);
  return connection;
}

async function anyTls(host: string, port: number): Promise<Connection> {
  const { connect } = await import("node:tls");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { host, port, servername: isIP(host) ? "" : host, rejectUnauthorized: false, ALPNProtocols: ["h2"] };
  const socket = connect(options, resolve).on("error", reject).on("close", () => reject(new Error("it is closed")));
  const timer = setTimeout(() => socket.destroy(new Error("the connection timed out")), WITHIN);
  await promise.finally(() => clearTimeout(timer));
  return connectionOf(socket);
}
