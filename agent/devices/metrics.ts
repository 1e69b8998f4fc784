/** Figures of device plugins and of those who ask who has what. */
import { Counter, Histogram, type Registry } from "prom-client";

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** What is counted of each method, by the end of its public name. */
const ENDPOINT = {
  List: "list",
  GetAllocatableResources: "get_allocatable",
  Get: "get",
} as const;

/** A method of the service that tells who has what. */
export type EndpointMethod = keyof typeof ENDPOINT;

/** See the top of the file. */
export interface DeviceMetrics {
  registered(resource: string): void;
  /** Returns what is called when it is over. */
  allocating(resource: string): () => void;
  asked(method: EndpointMethod): void;
  failed(method: EndpointMethod): void;
}

/** Adds them to a registry. */
export function deviceMetrics(registry: Registry): DeviceMetrics {
  const of = <T extends string>(name: string, help: string, label: T) => ({
    name: `kubelet_${name}`,
    help,
    labelNames: [label],
    registers: [registry],
  });
  const registrations = new Counter(of(
    "device_plugin_registration_total",
    "Registrations of device plugins, by resource.",
    "resource_name",
  ));
  const allocations = new Histogram({
    ...of(
      "device_plugin_alloc_duration_seconds",
      "How long device plugins take to allocate, by resource, s.",
      "resource_name",
    ),
    buckets: BUCKETS,
  });
  const byVersion = (name: string, help: string) =>
    new Counter(
      of(`pod_resources_endpoint_${name}`, `${help}, by the version of its API.`, "server_api_version"),
    );
  const total = byVersion("requests_total", "Requests for the resources of pods");
  const each = Object.fromEntries(
    Object.entries(ENDPOINT).map(([method, name]) => {
      const help = `Number of requests to the PodResource ${method} endpoint`;
      return [method, {
        asked: byVersion(`requests_${name}`, help),
        failed: byVersion(`errors_${name}`, `${help} which returned error`),
      }];
    }),
  );
  const version = { server_api_version: "v1" };
  return {
    registered: (resource_name) => registrations.inc({ resource_name }),
    allocating: (resource_name) => allocations.startTimer({ resource_name }),
    asked: (method) => {
      total.inc(version);
      each[method]!.asked.inc(version);
    },
    failed: (method) => each[method]!.failed.inc(version),
  };
}
