/** TLS of gRPC clients. */
import type { Duplex } from "node:stream";
import { isIP } from "node:net";
import { checkServerIdentity, connect, type ConnectionOptions, type TLSSocket } from "node:tls";

/** PEM texts of a client. */
export interface Material {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** How long it may take, ms. */
const WITHIN = 20_000;

/** TLS names no server by its address: the certificate is checked for it all the same. */
export function nameOptions(name: string): ConnectionOptions {
  if (isIP(name) === 0) return { servername: name };
  return { checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate) };
}

/** Begins TLS with a host, on a stream that leads there where one is given. @throws Error when it is not trusted, or does not speak HTTP/2 */
export function secured(host: string, port: number, { ca, cert, key }: Material, below?: Duplex): Promise<TLSSocket> {
  const options: ConnectionOptions = {
    ...(below ? { socket: below } : { host, port }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...nameOptions(host),
    ALPNProtocols: ["h2"],
  };
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    const fail = (e: Error) => {
      clearTimeout(timer);
      socket.destroy();
      below?.destroy();
      reject(e);
    };
    const timer = setTimeout(() => fail(new Error("the connection timed out")), WITHIN);
    socket.setNoDelay(true);
    socket.on("error", fail).on("close", () => fail(new Error("the connection is closed")));
    socket.once("secureConnect", () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}
