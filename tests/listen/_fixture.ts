/** Certificates in memory, listeners that end with their test, and clients that speak as rudely as a test needs. */
import http2 from "node:http2";
import type net from "node:net";
import tls from "node:tls";
import type { Buffer } from "node:buffer";
import { type AppHandler, listen, type Listening, type ListenOptions } from "../../server/listen/mod.ts";
import { generateKey, issueAuthority, issueLeaf, type LeafOptions } from "../../pki/mod.ts";

const now = Date.now();

/** An authority and a way to have it sign. */
export function authority(name: string) {
  const key = generateKey();
  const cert = issueAuthority(name, key, now);
  const leaf = (options: Omit<LeafOptions, "key">) => {
    const leafKey = generateKey();
    return { cert: issueLeaf({ cert, key }, { ...options, key: leafKey }, now), key: leafKey };
  };
  return { cert, key, leaf };
}

export const ca = authority("test-ca");

/** A serving pair for DNS names and 127.0.0.1. */
export const servingPair = (commonName: string, ...dnsNames: string[]) =>
  ca.leaf({ subject: { commonName }, usage: "server", dnsNames, ips: ["127.0.0.1"] });

export const serving = servingPair("server", "localhost");
export const client = ca.leaf({
  subject: { commonName: "jane", organizations: ["system:masters", "dev"] },
  usage: "client",
});

/** Listens with TLS unless `tls` is given otherwise, runs `body`, closes. */
export async function withListener(
  handler: AppHandler,
  options: Partial<ListenOptions> & { plain?: boolean },
  body: (listener: Listening) => Promise<void>,
): Promise<void> {
  const { plain, ...rest } = options;
  const listener = await listen(handler, {
    hostname: "127.0.0.1",
    port: 0,
    ...(plain ? {} : { tls: serving }),
    ...rest,
  });
  try {
    await body(listener);
  } finally {
    await listener.close(0);
  }
}

/** Waits for something that must happen; fails instead of hanging when it does not. The bound says nothing of speed. */
export async function soon<T>(promise: Promise<T>, what: string, seconds = 60): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what} did not happen in ${seconds} s`)), seconds * 1000);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks until the answer is true. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 6000; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${what} did not come to hold`);
}

/** Whether nobody listens on a port any more. */
export async function isRefused(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ port })).close();
    return false;
  } catch {
    return true;
  }
}

/** A TLS client socket, connected. */
export function connectTls(port: number, options: tls.ConnectionOptions = {}): Promise<tls.TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<tls.TLSSocket>();
  const socket = tls.connect({ host: "127.0.0.1", port, ca: ca.cert, ALPNProtocols: ["http/1.1"], ...options });
  socket.once("secureConnect", () => resolve(socket));
  socket.once("error", reject);
  socket.on("error", () => {});
  return soon(promise, "the TLS handshake");
}

/** Reads text from a socket until `holds`, or its end. */
export function readUntil(socket: net.Socket, holds: (text: string) => boolean): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  const onData = (chunk: Buffer) => {
    text += chunk.toString("latin1");
    if (holds(text)) done();
  };
  const done = () => {
    socket.off("data", onData);
    resolve(text);
  };
  socket.on("data", onData);
  socket.once("close", done);
  return soon(promise, "the expected text");
}

/** Resolves when the socket is closed, at once where it has closed before. Of a session that is not asked to close yet. */
export function closed(
  socket: { readonly closed?: boolean; once(event: "close", f: () => void): unknown; resume?(): unknown },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (socket.closed) resolve();
  else socket.once("close", () => resolve());
  socket.resume?.();
  return soon(promise, "the close of the socket");
}

/** An HTTP/2 session to the listener. */
export function session(port: number, options: http2.SecureClientSessionOptions = {}): http2.ClientHttp2Session {
  const made = http2.connect(`https://127.0.0.1:${port}`, { ca: ca.cert, ...options });
  made.on("error", () => {});
  return made;
}

/** An answer of HTTP/2. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One exchange on a session. */
export async function exchange(
  on: http2.ClientHttp2Session,
  headers: http2.OutgoingHttpHeaders,
  body?: Uint8Array,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const stream = on.request(headers, { endStream: body === undefined });
  let status = 0;
  let text = "";
  stream.on("response", (h) => status = Number(h[":status"]));
  stream.on("data", (chunk: Buffer) => text += chunk.toString("latin1"));
  stream.on("end", () => resolve({ status, body: text }));
  stream.on("error", reject);
  if (body !== undefined) stream.end(body);
  return await soon(promise, "the answer");
}
