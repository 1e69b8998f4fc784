/** One set of TLS options as a server of handshakes. It never listens: the front hands it accepted sockets. */
import tls from "node:tls";
import { Buffer } from "node:buffer";
import { isIP, Socket } from "node:net";
import { createPrivateKey, X509Certificate } from "node:crypto";
import type { KeyPair } from "../../pki/pair.ts";
import type { TlsOptions } from "./types.ts";
import { chooser, pairsByName } from "./sni.ts";
import { tlsSuites, tlsVersion } from "../../schema/tls_names.ts";

/** What becomes of a handshake. */
export interface HandshakeEvents {
  secure(socket: tls.TLSSocket): void;
  failed(error: Error, socket: tls.TLSSocket): void;
}

/**
 * The runtime loads a pair at the first handshake only, where nobody is told that it is wrong.
 * @param from where it comes from, for the text
 * @throws Error when it is no PEM, or the key is another one's
 */
export function checkPair({ cert, key }: KeyPair, from = ""): void {
  let fits: boolean;
  try {
    fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (cause) {
    throw new Error(`Cannot use a TLS pair${from}: its certificate or key is no PEM that can be read`, { cause });
  }
  if (!fits) throw new Error(`Cannot use a TLS pair${from}: the key is not that of the certificate`);
}

/** A server of handshakes for connections that came to an address of this host. */
export type Handshakes = (localAddress: string) => tls.Server;

/** @throws Error when a pair does not load, or an option has a value that is not known */
export function handshakes(options: TlsOptions, events: HandshakeEvents): Handshakes {
  const { sni = [] } = options, all = [options, ...sni];
  for (const pair of all) checkPair(pair);
  const minVersion = tlsVersion(options.minVersion ?? "VersionTLS12");
  const contexts = new Map<KeyPair, tls.SecureContext>(
    all.map((pair) => [pair, tls.createSecureContext({ minVersion, cert: pair.cert, key: pair.key })]),
  );
  const pairs = pairsByName(sni), choose = chooser(options, sni, pairs);
  const named = (name: string) => contexts.get(choose(name))!;
  /** Addresses are no names in handshakes: who names nothing, which the runtime gives as an empty name, gets `pair`. */
  const serve = (pair: KeyPair) => {
    const context = (name: string) => name === "" ? contexts.get(pair)! : named(name);
    return serverOf({ ...options, cert: pair.cert, key: pair.key }, context, events);
  };
  const byAddress = new Map([...pairs].filter(([name]) => isIP(name) !== 0).map(([name, pair]) => [name, serve(pair)]));
  const usual = serve(options);
  return (localAddress) => byAddress.get(localAddress) ?? usual;
}

function serverOf(options: TlsOptions, choose: (name: string) => tls.SecureContext, events: HandshakeEvents) {
  const limited = (options.cipherSuites ?? []).length > 0;
  const suites = tlsSuites(options.cipherSuites ?? []);
  const server = tls.createServer({
    minVersion: tlsVersion(options.minVersion ?? "VersionTLS12"),
    cert: options.cert,
    key: options.key,
    ...(options.clientCa === undefined ? {} : { ca: options.clientCa }),
    requestCert: options.requestCert ?? true,
    rejectUnauthorized: false,
    ALPNProtocols: options.disableHttp2 ? ["http/1.1"] : ["h2", "http/1.1"],
    SNICallback: (name, done) => done(null, choose(name)),
  });
  server.on("secureConnection", (socket) => {
    // The runtime has no way to offer fewer suites: one that is not allowed is refused once it is known.
    if (limited && !allowed(socket, suites)) {
      return events.failed(new Error(`Cipher suite ${socket.getCipher().standardName} is not allowed`), socket);
    }
    events.secure(socket);
  });
  server.on("tlsClientError", (error, socket) => events.failed(error, socket));
  return server;
}

/** Suites are chosen for TLS 1.2 only; those of 1.3 are all sound, and the public server does not limit them either. */
function allowed(socket: tls.TLSSocket, suites: ReadonlySet<string>): boolean {
  return socket.getProtocol() === "TLSv1.3" || suites.has(socket.getCipher().name);
}

/** The accepted socket under a TLS socket, which itself has no address once its handshake has failed. */
export function acceptedUnder(socket: tls.TLSSocket): Socket | undefined {
  const { _parent: accepted } = socket as { readonly _parent?: unknown };
  return accepted instanceof Socket ? accepted : undefined;
}

/** What the client sent of certificates, as DER, leaf first. The chain is as far as the runtime could follow it by issuer. */
export function peerCertificates(socket: tls.TLSSocket): Uint8Array[] {
  const chain: Uint8Array[] = [];
  let next: tls.DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (next?.raw !== undefined && chain.length < 10) {
    const raw = next.raw;
    if (chain.some((der) => Buffer.compare(der, raw) === 0)) break;
    chain.push(new Uint8Array(raw));
    next = next.issuerCertificate;
  }
  return chain;
}
