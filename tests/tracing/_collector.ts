/** A collector of spans in this process: a gRPC server that speaks OTLP. */
import { Buffer } from "node:buffer";
import * as grpc from "../libraries/grpc.ts";
import { decode, encode } from "../../schema/grpc/wire.ts";
import { EXPORT_PATH, EXPORT_REQUEST } from "../../schema/tracing/otlp.ts";
import type { Loose } from "../fixture/loose.ts";

/** A span as a collector sees it. */
export interface Seen {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  readonly flags: number;
  /** Nanoseconds. */
  readonly took: number;
  readonly start: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly string[];
  /** Undefined: it is not said. */
  readonly status: number | undefined;
}

/** See the top of the file. */
export class Collector {
  readonly spans: Seen[] = [];
  /** Attributes of the resource that sent last. */
  resource: Readonly<Record<string, unknown>> = {};
  calls = 0;
  /** Calls fail with it while it is set. */
  failure: grpc.status | undefined;
  /** Calls are not answered while it is set. */
  silent = false;
  /** So many spans of each call are said not to be taken. */
  refuses = 0;
  readonly #server = new grpc.Server();
  #waiting: (() => void)[] = [];

  /** Starts it on a free port, or on a socket; its endpoint. */
  async start(address = "127.0.0.1:0"): Promise<string> {
    const method: grpc.MethodDefinition<Loose, Uint8Array> = {
      path: EXPORT_PATH,
      requestStream: false,
      responseStream: false,
      requestSerialize: () => Buffer.alloc(0),
      requestDeserialize: (b) => decode<Loose>(EXPORT_REQUEST, Uint8Array.from(b)),
      responseSerialize: (b) => Buffer.from(b),
      responseDeserialize: (b) => b,
    };
    const handle: grpc.handleUnaryCall<Loose, Uint8Array> = (call, reply) => {
      this.calls++;
      if (this.failure !== undefined) reply({ code: this.failure, details: "told to fail" });
      else if (!this.silent) {
        this.#take(call.request);
        reply(null, encode([[1, "partial", [[1, "rejected", "int"]]]], { partial: { rejected: this.refuses } }));
      }
      for (const wake of this.#waiting.splice(0)) wake();
    };
    this.#server.addService({ Export: method }, { Export: handle });
    const port = await new Promise<number>((resolve, reject) =>
      this.#server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (e, p) => e ? reject(e) : resolve(p))
    );
    return address.startsWith("unix:") ? address : `127.0.0.1:${port}`;
  }

  /** Resolves after the next call. */
  called(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The one span of a name. @throws Error when there is none, or several */
  one(name: string): Seen {
    const found = this.spans.filter((s) => s.name === name);
    if (found.length === 1) return found[0]!;
    throw new Error(`${found.length} spans ${JSON.stringify(name)} among ${this.spans.map((s) => s.name).join(", ")}`);
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  #take(request: Loose): void {
    for (const { resource, scopeSpans } of request.resourceSpans) {
      this.resource = values(resource.attributes);
      for (const { spans } of scopeSpans) this.spans.push(...spans.map(seen));
    }
  }
}

const hex = (b: Uint8Array | undefined): string => b?.toHex() ?? "";

const seen = (s: Loose): Seen => ({
  traceId: hex(s.traceId),
  spanId: hex(s.spanId),
  parentId: hex(s.parentId),
  name: s.name,
  kind: s.kind,
  flags: s.flags,
  start: s.start,
  took: Number(s.end - s.start),
  attributes: values(s.attributes),
  links: s.links.map((l: Loose) => hex(l.traceId)),
  status: s.status?.code,
});

function values(all: readonly Loose[]): Record<string, unknown> {
  return Object.fromEntries(
    all.map(({ key, value }) => [key, value.string ?? value.int ?? value.bool ?? value.double]),
  );
}
