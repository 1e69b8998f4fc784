/** How long work on claims takes. */
import { Histogram, type Registry } from "prom-client";

/** See the top of the file. What each returns is called at the end. */
export interface ClaimMetrics {
  working(operation: string): (failed: boolean) => void;
  /** @param method the path of the call */
  asking(driver: string, method: string): (code: string) => void;
}

/** From 0.1 s to 40 s, by even steps of their logarithm. */
const BUCKETS = Array.from({ length: 15 }, (_, i) => 0.1 * 400 ** (i / 14));

/** Adds them to a registry. */
export function claimMetrics(registry: Registry): ClaimMetrics {
  const operations = new Histogram({
    name: "dra_operations_duration_seconds",
    help:
      "Latency histogram in seconds for the duration of handling all ResourceClaims referenced by a pod when the pod starts or stops. Identified by the name of the operation (PrepareResources or UnprepareResources) and separated by the success of the operation. The number of failed operations is provided through the histogram's overall count.",
    labelNames: ["operation_name", "is_error"],
    buckets: BUCKETS,
    registers: [registry],
  });
  const calls = new Histogram({
    name: "dra_grpc_operations_duration_seconds",
    help: "How long calls to drivers of dynamic resources take, s",
    labelNames: ["driver_name", "method_name", "grpc_status_code"],
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    working(operation_name) {
      const end = operations.startTimer({ operation_name });
      return (failed) => void end({ is_error: String(failed) });
    },
    asking(driver_name, method_name) {
      const end = calls.startTimer({ driver_name, method_name });
      return (grpc_status_code) => void end({ grpc_status_code });
    },
  };
}
