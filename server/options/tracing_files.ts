/** What requests are traced by: the configuration, and the connection to the collector (`--tracing-config-file`). */
import { type Tracing, tracing, type TracingParts } from "../../schema/tracing/mod.ts";
import { sending, targetOf } from "../../schema/tracing/sending.ts";
import { GrpcTransport } from "../storage/etcd/grpc.ts";
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

/** Opens it; no connection is made before there are spans. @throws Error for a file that cannot be used */
export async function openTracing(options: Options, { server, lead, ...deps }: TracingDeps): Promise<Tracing> {
  const text = readText("tracing-config-file", options.tracingConfigFile);
  const { endpoint, perMillion } = readTracingConfig(text, options.product);
  const [, host, port] = ADDRESS.exec(endpoint) ?? [];
  const relay = host && port ? await lead?.(host.replace(/^\[|\]$/g, ""), Number(port)) : undefined;
  const collector = new GrpcTransport(relay ? `${host}:${port}` : targetOf(endpoint), false, {}, relay?.path);
  const resource = { "service.name": "apiserver", "service.instance.id": server };
  const send = sending((call, spans, signal) => collector.call(call, spans, signal), { resource, scope: "apiserver" });
  const made = tracing({ ...deps, perMillion, send, elapsed: () => performance.now() });
  const close = async (ms: number) => {
    await made.close(ms);
    collector.close();
    relay?.close();
  };
  return { ...made, close };
}
