/** How long images take to be pulled, and how many are taken away. */
import type { Registry } from "prom-client";
import { Metrics } from "../metrics.ts";

/** Bounds, s. */
const PULLS = [1, 5, 10, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600];
const MIB = 1024 ** 2, GIB = 1024 ** 3;
/** Sizes by the bytes that they are above, the largest first. */
const SIZES: readonly (readonly [above: number, label: string])[] = [
  [100 * GIB, "GT100GB"],
  [60 * GIB, "60GB-100GB"],
  [40 * GIB, "40GB-60GB"],
  [30 * GIB, "30GB-40GB"],
  [20 * GIB, "20GB-30GB"],
  [10 * GIB, "10GB-20GB"],
  [5 * GIB, "5GB-10GB"],
  [GIB, "1GB-5GB"],
  [500 * MIB, "500MB-1GB"],
  [100 * MIB, "100MB-500MB"],
  [10 * MIB, "10MB-100MB"],
  [0, "0-10MB"],
];

/** What was found when a container wanted an image; absent: nobody looked. */
export interface Found {
  present?: boolean;
  pull?: boolean;
}

/** See the top of the file. */
export class ImageMetrics {
  readonly #pulls;
  readonly #collected;
  readonly #wanted;

  constructor(registry: Registry) {
    const m = new Metrics(registry);
    this.#pulls = m.histogram(
      "kubelet_image_pull_duration_seconds",
      "How long an image takes to come, s.",
      PULLS,
      "image_size_in_bytes",
    );
    this.#collected = m.counter(
      "kubelet_image_garbage_collected_total",
      "Images taken away, for want of room or for their age.",
      "reason",
    );
    this.#wanted = m.counter(
      "kubelet_image_manager_ensure_image_requests_total",
      "Images that containers asked for.",
      "present_locally",
      "pull_policy",
      "pull_required",
    );
  }

  /** @param bytes 0: not known @param ms with the wait for its turn */
  pulled(bytes: number, ms: number): void {
    const image_size_in_bytes = SIZES.find(([above]) => bytes > above)?.[1] ?? "N/A";
    this.#pulls.observe({ image_size_in_bytes }, ms / 1000);
  }

  collected(reason: "age" | "space"): void {
    this.#collected.inc({ reason });
  }

  wanted(policy: string, { present, pull }: Found): void {
    this.#wanted.inc({
      present_locally: String(present ?? "unknown"),
      pull_policy: policy.toLowerCase(),
      pull_required: String(pull ?? "unknown"),
    });
  }
}
