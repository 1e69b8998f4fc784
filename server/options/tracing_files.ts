/** What requests are traced by: the configuration, and the connection to the collector (`--tracing-config-file`). */
import { EXPORT_PATH, exportRequest, rejectedOf } from "../tracing/otlp.ts";
import { ExportError, type SendSpans } from "../tracing/queue.ts";
import { type Tracing, tracing, type TracingParts } from "../tracing/mod.ts";
import type { SpanRecord } from "../tracing/span.ts";
import { GrpcTransport } from "../storage/etcd/grpc.ts";
import type { Rpc } from "../storage/etcd/messages.ts";
import { CODE, type RpcError } from "../storage/etcd/transport.ts";
import { readText } from "./files.ts";
import type { Relay } from "./egress_relay.ts";
import type { Options } from "./parse.ts";
import { readTracingConfig } from "./tracing_config.ts";

/** What the process gives. */
export interface TracingDeps extends Pick<TracingParts, "random" | "now" | "told"> {
  /** This server's name among those of the cluster. */
  readonly server: string;
  /** Leads to a collector that is reached through a proxy. */
  readonly lead?: (host: string, port: number) => Promise<Relay>;
}

/** A collector's host and port. */
const ADDRESS = /^(?:dns:(?:\/\/[^/]*\/)?)?([^/]+):(\d+)$/;

/** Codes of the protocol after which a call is to be made again. */
const AGAIN: ReadonlySet<number> = new Set([
  CODE.cancelled,
  CODE.deadline,
  CODE.aborted,
  CODE.outOfRange,
  CODE.unavailable,
  CODE.dataLoss,
]);

/** Opens it; no connection is made before there are spans. @throws Error for a file that cannot be used */
export async function openTracing(options: Options, { server, lead, ...deps }: TracingDeps): Promise<Tracing> {
  const text = readText("tracing-config-file", options.tracingConfigFile);
  const { endpoint, perMillion } = readTracingConfig(text, options.product);
  const [, host, port] = ADDRESS.exec(endpoint) ?? [];
  const relay = host && port ? await lead?.(host.replace(/^\[|\]$/g, ""), Number(port)) : undefined;
  const collector = new GrpcTransport(relay ? `${host}:${port}` : targetOf(endpoint), false, {}, relay?.path);
  const send = sending(collector, { "service.name": "apiserver", "service.instance.id": server });
  const made = tracing({ ...deps, perMillion, send, elapsed: () => performance.now() });
  const close = async (ms: number) => {
    await made.close(ms);
    collector.close();
    relay?.close();
  };
  return { ...made, close };
}

/** Sockets without a file have a name of their own in this gRPC. */
const targetOf = (endpoint: string): string => endpoint.replace(/^unix-abstract:(?:\/\/)?/, "unix:\0");

function sending(collector: GrpcTransport, resource: Readonly<Record<string, string>>): SendSpans {
  const rpc: Rpc<readonly SpanRecord[], ReturnType<typeof rejectedOf>> = {
    path: EXPORT_PATH,
    encode: (spans) => exportRequest(spans, resource),
    decode: rejectedOf,
  };
  return async (spans, signal) => {
    try {
      return (await collector.call(rpc, spans, signal)).spans;
    } catch (e) {
      const { code, message } = e as RpcError;
      throw new ExportError(message, AGAIN.has(code), { cause: e });
    }
  };
}
