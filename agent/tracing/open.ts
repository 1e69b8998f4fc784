/** Opens what the configuration's `tracing` asks for. */
import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import type { TracingConfiguration } from "../../schema/api/componentbase_tracing_v1.ts";
import { tracing, type TracingParts } from "../../schema/tracing/mod.ts";
import { COLLECTOR, type MakeExportCall, sending, targetOf } from "../../schema/tracing/sending.ts";
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

/** Opens them; no connection is made before there are spans. */
export function openTraces(config: TracingConfiguration | undefined, deps: TracesDeps): OpenTraces {
  if (!config) return { traces: NO_TRACES, close: () => Promise.resolve() };
  const { hostname, ...parts } = deps;
  const collector = new grpc.Client(targetOf(config.endpoint || COLLECTOR), grpc.credentials.createInsecure(), {
    "grpc.enable_retries": 0,
    "grpc.use_local_subchannel_pool": 1,
  });
  const resource = { "service.name": "kubelet", "host.name": hostname };
  const { tracer, close } = tracing({
    ...parts,
    perMillion: config.samplingRatePerMillion ?? 0,
    send: sending(calling(collector), { resource, scope: SCOPE }),
    elapsed: () => performance.now(),
  });
  const end = async (ms: number) => {
    await close(ms);
    collector.close();
  };
  return { traces: new OwnTraces(tracer), close: end };
}

const calling = (collector: grpc.Client): MakeExportCall => ({ path, encode, decode }, spans, signal) =>
  new Promise((resolve, reject) => {
    const call = collector.makeUnaryRequest(
      path,
      (message: typeof spans) => Buffer.from(encode(message)),
      (bytes: Buffer) => decode(Uint8Array.from(bytes)),
      spans,
      (error, answer) => {
        signal.removeEventListener("abort", cancel);
        if (error) reject(error);
        else resolve(answer!);
      },
    );
    const cancel = () => call.cancel();
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
  });
