/** What requests are traced by: the configuration, and the connection to the collector (`--tracing-config-file`). */
import { type Tracing, tracing, type TracingParts } from "../../schema/tracing/mod.ts";
import { sending } from "../../schema/tracing/sending.ts";
import { GrpcClient } from "../../schema/grpc/client.ts";
import { targetOf } from "../../schema/grpc/target.ts";
import { type Dial, reach } from "../grpc/reach.ts";
import { readText } from "./files.ts";
import type { Options } from "./parse.ts";
import { readTracingConfig } from "./tracing_config.ts";

/** What the process gives. */
export interface TracingDeps extends Pick<TracingParts, "random" | "now" | "told"> {
  /** This server's name among those of the cluster. */
  readonly server: string;
  /** Connects with a collector that is reached through a proxy. */
  readonly dial?: Dial;
}

const OPTIONS = { backOff: { first: 1_000, most: 120_000 }, waits: false };

/** Opens it; no connection is made before there are spans. @throws Error for a file that cannot be used */
export async function openTracing(options: Options, { server, dial, ...deps }: TracingDeps): Promise<Tracing> {
  const text = readText("tracing-config-file", options.tracingConfigFile);
  const { endpoint, perMillion } = readTracingConfig(text, options.product);
  const target = targetOf(endpoint);
  if (!target) throw new Error(`--tracing-config-file: no collector can be at ${JSON.stringify(endpoint)}`);
  const collector = new GrpcClient(endpoint, reach(target, { dial }), OPTIONS);
  const resource = { "service.name": "apiserver", "service.instance.id": server };
  const send = sending((call, spans, signal) => collector.call(call, spans, { signal }), {
    resource,
    scope: "apiserver",
  });
  const made = tracing({ ...deps, perMillion, send, elapsed: () => performance.now() });
  const close = async (ms: number) => {
    await made.close(ms);
    collector.close();
  };
  return { ...made, close };
}
