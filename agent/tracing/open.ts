/** Opens what the configuration's `tracing` asks for. */
import type { TracingConfiguration } from "../../schema/api/componentbase_tracing_v1.ts";
import { tracing, type TracingParts } from "../../schema/tracing/mod.ts";
import { COLLECTOR, sending } from "../../schema/tracing/sending.ts";
import { type ClientOptions, GrpcClient } from "../../schema/grpc/client.ts";
import { targetOf } from "../../schema/grpc/target.ts";
import { reach } from "../grpc.ts";
import { NO_TRACES, OwnTraces, type Traces } from "./traces.ts";

/** What is known of the agent. */
export interface TracesDeps extends Pick<TracingParts, "random" | "now" | "told"> {
  /** Of its host. */
  readonly hostname: string;
}

/** Traces, and what ends them. */
export interface OpenTraces {
  readonly traces: Traces;
  /** Sends what there is, in at most so many ms. */
  close(ms: number): Promise<void>;
}

/** Who makes the spans, as public dashboards know it. */
const SCOPE = "k8s.io/kubernetes/pkg/kubelet";

const OPTIONS: ClientOptions = { backOff: { first: 1_000, most: 120_000 }, waits: false };

/** Opens them; no connection is made before there are spans. @throws Error when the endpoint is none */
export function openTraces(config: TracingConfiguration | undefined, deps: TracesDeps): OpenTraces {
  if (!config) return { traces: NO_TRACES, close: () => Promise.resolve() };
  const { hostname, ...parts } = deps;
  const endpoint = config.endpoint || COLLECTOR, target = targetOf(endpoint);
  if (!target) throw new Error(`tracing.endpoint: no collector can be at ${JSON.stringify(endpoint)}`);
  const collector = new GrpcClient("path" in target ? target.path : endpoint, reach(target), OPTIONS);
  const resource = { "service.name": "kubelet", "host.name": hostname };
  const { tracer, close } = tracing({
    ...parts,
    perMillion: config.samplingRatePerMillion ?? 0,
    send: sending((call, spans, signal) => collector.call(call, spans, { signal }), { resource, scope: SCOPE }),
    elapsed: () => performance.now(),
  });
  const end = async (ms: number) => {
    await close(ms);
    collector.close();
  };
  return { traces: new OwnTraces(tracer), close: end };
}
