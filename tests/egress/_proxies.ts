/** Proxies in this process: CONNECT over TCP, TLS and Unix sockets, and konnectivity. */
import { Buffer } from "node:buffer";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import * as grpc from "../libraries/grpc.ts";
import { PACKET, type Packet } from "../../server/options/konnectivity.ts";
import { decode, encode } from "../../schema/grpc/wire.ts";
import { authority } from "../listen/_fixture.ts";

const ca = authority("proxies");

/** The authority of proxies' certificates, a certificate of theirs, and one for their clients; PEM. */
export const PROXY_CA: string = ca.cert;
const PROXY_PAIR = ca.leaf({
  subject: { commonName: "proxy" },
  usage: "server",
  dnsNames: ["proxy.test"],
  ips: ["127.0.0.1"],
});
/** The client certificate that TLS proxies ask for. */
export const PROXY_CLIENT: { readonly cert: string; readonly key: string } = ca.leaf({
  subject: { commonName: "the-server" },
  usage: "client",
});

/** What a proxy answers in place of a connection. */
export type Mischief = (socket: Socket) => void;

/** A proxy that takes CONNECT. */
export class ConnectProxy {
  /** Addresses asked for, in order. */
  readonly asked: string[] = [];
  /** First heads of clients, whole. */
  readonly heads: string[] = [];
  /** Common names of clients' certificates. */
  readonly clients: string[] = [];
  /** Addresses that stand for others. */
  readonly hosts = new Map<string, string>();
  mischief: Mischief | undefined;
  readonly #open = new Set<Socket>();
  readonly #server: Server;

  constructor(readonly secure = false) {
    const taken = (socket: Socket) => this.#take(socket);
    this.#server = secure
      ? createTlsServer({ ...PROXY_PAIR, ca: ca.cert, requestCert: true, rejectUnauthorized: true }, (socket) => {
        this.clients.push((socket as TLSSocket).getPeerCertificate()?.subject?.CN as string);
        taken(socket);
      })
      : createServer(taken);
    this.#server.on("tlsClientError", () => {});
  }

  /** Starts on a free port, or on a socket. */
  async start(path?: string): Promise<this> {
    await new Promise<void>((done) =>
      path ? this.#server.listen(path, done) : this.#server.listen(0, "127.0.0.1", done)
    );
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.secure ? "https" : "http"}://127.0.0.1:${this.port}`;
  }

  /** Ends all connections. */
  drop(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async stop(): Promise<void> {
    this.drop();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  #take(socket: Socket): void {
    this.#hold(socket);
    let head = "";
    const read = (chunk: Uint8Array) => {
      head += new TextDecoder("latin1").decode(chunk);
      if (!head.includes("\r\n\r\n")) return;
      socket.off("data", read);
      this.heads.push(head);
      const address = /^CONNECT (\S+) /.exec(head)?.[1] ?? "";
      this.asked.push(address);
      if (this.mischief) return this.mischief(socket);
      const far = dialled(this.hosts.get(address) ?? address);
      this.#hold(far);
      far.once("connect", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        socket.pipe(far);
        far.pipe(socket);
      });
      far.once("close", () => socket.destroy());
      socket.once("close", () => far.destroy());
    };
    socket.on("data", read);
  }

  #hold(socket: Socket): void {
    this.#open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#open.delete(socket));
  }
}

function dialled(address: string): Socket {
  const [, host, port] = /^(.*):(\d+)$/.exec(address)!;
  return connect(Number(port), host!.replace(/^\[|\]$/g, ""));
}

/** A proxy that speaks konnectivity. */
export class Konnectivity {
  readonly asked: string[] = [];
  /** Dials are answered with it while it is set. */
  refusal: string | undefined;
  /** Connections that clients have closed. */
  closed = 0;
  readonly #server = new grpc.Server();

  constructor(readonly path: string) {
    const method: grpc.MethodDefinition<Packet, Packet> = {
      path: "/ProxyService/Proxy",
      requestStream: true,
      responseStream: true,
      requestSerialize: (p) => Buffer.from(encode(PACKET, p)),
      requestDeserialize: (b) => decode<Packet>(PACKET, Uint8Array.from(b)),
      responseSerialize: (p) => Buffer.from(encode(PACKET, p)),
      responseDeserialize: (b) => decode<Packet>(PACKET, Uint8Array.from(b)),
    };
    const handle: grpc.handleBidiStreamingCall<Packet, Packet> = (call) => this.#serve(call);
    this.#server.addService({ Proxy: method }, { Proxy: handle });
  }

  async start(): Promise<this> {
    const insecure = grpc.ServerCredentials.createInsecure();
    await new Promise<void>((resolve, reject) =>
      this.#server.bindAsync(`unix:${this.path}`, insecure, (e) => e ? reject(e) : resolve())
    );
    return this;
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  #serve(call: grpc.ServerDuplexStream<Packet, Packet>): void {
    const id = 7n;
    let far: Socket | undefined;
    call.on("error", () => far?.destroy());
    call.on("end", () => call.end());
    call.on("cancelled", () => far?.destroy());
    call.on("data", ({ type, dial, data }: Packet) => {
      if (dial) {
        this.asked.push(dial.address);
        const { random } = dial;
        if (this.refusal) return void call.write({ type: 1, dialed: { error: this.refusal, random } });
        far = dialled(dial.address);
        far.on("connect", () => call.write({ type: 1, dialed: { id, random } }));
        far.on("data", (bytes: Uint8Array) => {
          if (!call.write({ type: 4, data: { id, bytes: new Uint8Array(bytes) } })) far?.pause();
        });
        call.on("drain", () => far?.resume());
        far.on("error", () => far?.destroy());
        far.on("close", () => call.writable && call.write({ type: 3, closed: { id } }));
      } else if (data?.bytes) far?.write(data.bytes);
      else if (type === 2) {
        this.closed++;
        far?.destroy();
      }
    });
  }
}
