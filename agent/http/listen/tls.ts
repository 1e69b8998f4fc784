/** Handshakes by the pair and the authorities of clients as they are at the time. */
import type { Socket } from "node:net";
import tls from "node:tls";
import type { KeyPair } from "../../../pki/pair.ts";
import { tlsSuites, tlsVersion } from "../../../schema/tls_names.ts";

/** How handshakes are made. */
export interface TlsSettings {
  pair(): KeyPair;
  /** Authorities of clients, PEM; empty: certificates are not asked for. */
  clientCa(): string;
  /** `VersionTLS12`, `VersionTLS13`; older ones and the empty text mean 1.2: the runtime speaks no other. */
  readonly minVersion: string;
  /** IANA names of suites of TLS 1.2; empty: all. Those of 1.3 are always all. */
  readonly cipherSuites: readonly string[];
  secure(socket: tls.TLSSocket, raw: Socket): void;
  failed(error: Error): void;
}

/** See the top of the file. It never listens: it is handed accepted sockets. */
export class Handshakes {
  readonly #settings: TlsSettings;
  readonly #suites: ReadonlySet<string>;
  readonly #minVersion: tls.SecureVersion;
  #server: tls.Server | undefined;
  /** What the server was made of. */
  #pair: KeyPair | undefined;
  #clientCa = "";
  /** Accepted sockets by their clients' address and port. */
  readonly #raw = new Map<string, Socket>();

  /** @throws Error for a version or a suite that is none */
  constructor(settings: TlsSettings) {
    this.#settings = settings;
    this.#suites = tlsSuites(settings.cipherSuites);
    this.#minVersion = tlsVersion(settings.minVersion || "VersionTLS12");
  }

  /** Begins a handshake. */
  begin(raw: Socket): void {
    const source = sourceOf(raw);
    this.#raw.set(source, raw);
    // Its client may have come again by then.
    raw.once("close", () => this.#raw.get(source) === raw && this.#raw.delete(source));
    try {
      this.#current().emit("connection", raw);
    } catch (e) {
      this.#settings.failed(e as Error);
      raw.destroy();
    }
  }

  /** @throws Error for a pair that cannot be used */
  #current(): tls.Server {
    const pair = this.#settings.pair(), clientCa = this.#settings.clientCa();
    const same = pair.cert === this.#pair?.cert && pair.key === this.#pair.key && clientCa === this.#clientCa;
    if (this.#server && same) return this.#server;
    const server = this.#make(pair, clientCa);
    this.#pair = pair;
    this.#clientCa = clientCa;
    return this.#server = server;
  }

  #make({ cert, key }: KeyPair, clientCa: string): tls.Server {
    const { failed, secure } = this.#settings;
    const server = tls.createServer({
      cert,
      key,
      ...(clientCa === "" ? {} : { ca: clientCa }),
      requestCert: clientCa !== "",
      rejectUnauthorized: false,
      minVersion: this.#minVersion,
      ALPNProtocols: ["http/1.1"],
    });
    server.on("secureConnection", (socket) => {
      socket.on("error", () => {});
      const raw = this.#taken(socket);
      if (!raw || socket.destroyed) return void socket.destroy();
      socket.once("close", () => raw.destroy());
      if (this.#allowed(socket)) return secure(socket, raw);
      failed(new Error(`the cipher suite ${socket.getCipher().standardName} is not allowed`));
      socket.destroy();
    });
    server.on("tlsClientError", (error, socket) => {
      failed(error);
      const raw = this.#taken(socket);
      socket.destroy();
      raw?.destroy();
    });
    return server;
  }

  #taken(socket: tls.TLSSocket): Socket | undefined {
    const source = sourceOf(socket), raw = this.#raw.get(source);
    this.#raw.delete(source);
    return raw;
  }

  /** The runtime has no way to offer fewer suites: one that is not allowed is refused once it is known. */
  #allowed(socket: tls.TLSSocket): boolean {
    return this.#settings.cipherSuites.length === 0 || socket.getProtocol() === "TLSv1.3" ||
      this.#suites.has(socket.getCipher().name);
  }
}

const sourceOf = (socket: Socket): string => `${socket.remoteAddress}|${socket.remotePort}`;
