/** How often probes of each container came to what (`/metrics/probes`). */
import { Counter, Histogram, type Registry } from "prom-client";
import type { ContainerTarget } from "../types.ts";

/** See the top of the file. */
export interface ProbeMetrics {
  /** @param probe_type `Liveness` @param seconds how long it took */
  asked(probe_type: string, target: ContainerTarget, ok: boolean, seconds: number): void;
  /** Nothing of the pod is probed any more: its figures go. */
  gone(uid: string): void;
}

type Labels = Readonly<Record<string, string>>;

/** Adds them to a registry. */
export function probeMetrics(registry: Registry): ProbeMetrics {
  const container = ["probe_type", "container", "pod", "namespace"];
  const total = new Counter({
    name: "prober_probe_total",
    help: "Probes, by their kind, container and result.",
    labelNames: [...container, "result", "pod_uid"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "prober_probe_duration_seconds",
    help: "How long probes take to be answered, s.",
    labelNames: container,
    // A count and a sum are all that the public one tells.
    buckets: [],
    registers: [registry],
  });
  /** By uid: labels of its containers' probes, each once. */
  const known = new Map<string, Map<string, Labels>>();
  return {
    asked(probe_type, { pod: { metadata }, container: { name } }, ok, seconds) {
      const { uid: pod_uid = "", name: pod = "", namespace = "" } = metadata ?? {};
      const labels = { probe_type, container: name, pod, namespace };
      const ofPod = known.get(pod_uid) ?? new Map<string, Labels>();
      known.set(pod_uid, ofPod.set(`${probe_type} ${name}`, labels));
      total.inc({ ...labels, result: ok ? "successful" : "failed", pod_uid });
      if (ok) duration.observe(labels, seconds);
    },
    gone(pod_uid) {
      for (const labels of known.get(pod_uid)?.values() ?? []) {
        for (const result of ["successful", "failed"]) total.remove({ ...labels, result, pod_uid });
        duration.remove(labels);
      }
      known.delete(pod_uid);
    },
  };
}
