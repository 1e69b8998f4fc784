/** Connections that gRPC goes by: to a host or a Unix socket, by TLS or not. */
import { isIP } from "node:net";
import { beginning, CONNECT_MS, plain, UNIX } from "../host/grpc.ts";
import type { Connection, Platform } from "../schema/grpc/http2.ts";
import { connectionOf } from "../schema/grpc/socket.ts";
import type { Target } from "../schema/grpc/target.ts";
import { hostPort } from "../schema/values/host_port.ts";

/** What a client of the target needs. @param unverified by TLS, whoever answers */
export function reach(target: Target, unverified = false): Platform {
  if ("path" in target) return UNIX;
  const { host, port } = target;
  const name = `${unverified ? "https" : "http"}://${hostPort(host, port)}`;
  return { dial: () => (unverified ? anyTls : plain)(host, port), http2: beginning(name) };
}

async function anyTls(host: string, port: number): Promise<Connection> {
  const { connect } = await import("node:tls");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { host, port, servername: isIP(host) ? "" : host, rejectUnauthorized: false, ALPNProtocols: ["h2"] };
  const socket = connect(options, resolve).on("error", reject).on("close", () => reject(new Error("it is closed")));
  const timer = setTimeout(() => socket.destroy(new Error("the connection timed out")), CONNECT_MS);
  await promise.finally(() => clearTimeout(timer));
  return connectionOf(socket);
}
