/** How long each metric may be relied on, and since when it is not to be used any more: the public server's, by name. */

/** From least to most. */
export type Stability = "ALPHA" | "BETA" | "STABLE";

/** A metric's promise. Those not listed are `ALPHA`. */
export interface Promised {
  readonly stability: Stability;
  /** `1.34.0` */
  readonly deprecated?: string;
}

/** Minor versions that a metric is shown in after the one that it is deprecated in. */
const SHOWN: Readonly<Record<Stability, number>> = { ALPHA: 0, BETA: 1, STABLE: 3 };

const queue = (rest: string) => `workqueue_${rest}`;
const flow = (rest: string) => `apiserver_flowcontrol_${rest}`;

const LISTED: Readonly<Record<Stability, readonly string[]>> = {
  STABLE: [
    "apiserver_request_total",
    "apiserver_request_duration_seconds",
    "apiserver_current_inflight_requests",
    "apiserver_admission_controller_admission_duration_seconds",
    "apiserver_admission_step_admission_duration_seconds",
    "apiserver_admission_webhook_admission_duration_seconds",
    "apiserver_storage_size_bytes",
    "apiserver_response_sizes",
    "apiserver_requested_deprecated_apis",
    "apiserver_longrunning_requests",
    "kubernetes_healthcheck",
    "kubernetes_healthchecks_total",
  ],
  BETA: [
    flow("current_inqueue_requests"),
    flow("current_executing_requests"),
    flow("current_executing_seats"),
    flow("nominal_limit_seats"),
    flow("dispatched_requests_total"),
    flow("rejected_requests_total"),
    flow("request_wait_duration_seconds"),
    "apiserver_watch_events_total",
    ...["adds_total", "depth", "queue_duration_seconds", "work_duration_seconds", "retries_total"].map(queue),
    ...["unfinished_work_seconds", "longest_running_processor_seconds"].map(queue),
    "apiserver_watch_events_sizes",
    "apiserver_watch_list_duration_seconds",
    ...["authentication", "authorization"].flatMap((what) => [
      `apiserver_${what}_config_controller_automatic_reloads_total`,
      `apiserver_${what}_config_controller_automatic_reload_last_timestamp_seconds`,
    ]),
    ...["evaluations_total", "duration_seconds", "evaluations_fail_open_total"].map((rest) =>
      `apiserver_authorization_webhook_${rest}`
    ),
    "apiserver_storage_events_received_total",
    "apiserver_validating_admission_policy_check_total",
    "apiserver_validating_admission_policy_check_duration_seconds",
    "disabled_metrics_total",
    "kubernetes_build_info",
    "hidden_metrics_total",
    "kubernetes_feature_enabled",
    "registered_metrics_total",
    "apiserver_cel_compilation_duration_seconds",
    "apiserver_cel_evaluation_duration_seconds",
  ],
  ALPHA: [],
};

const PROMISES: ReadonlyMap<string, Promised> = new Map<string, Promised>([
  ...Object.entries(LISTED).flatMap(([stability, names]) =>
    names.map((name): [string, Promised] => [name, { stability: stability as Stability }])
  ),
  ["apiserver_storage_objects", { stability: "STABLE", deprecated: "1.34.0" }],
]);

/** The promise of a metric. */
export const promiseOf = (name: string): Promised => PROMISES.get(name) ?? { stability: "ALPHA" };

interface Version {
  readonly major: number;
  readonly minor: number;
}

function versionOf(text: string): Version {
  const [major = 0, minor = 0] = text.split(".").map(Number);
  return { major, minor };
}

/** Whether it is deprecated in a version already. */
function isDeprecated({ deprecated }: Promised, { major, minor }: Version): boolean {
  if (deprecated === undefined) return false;
  const since = versionOf(deprecated);
  return since.major === major ? since.minor <= minor : since.major < major;
}

/** Whether it is deprecated for so long that a version shows it only on demand. */
export function isHidden({ stability, deprecated }: Promised, { major, minor }: Version): boolean {
  if (deprecated === undefined) return false;
  const since = versionOf(deprecated);
  return since.major === major ? since.minor + SHOWN[stability] <= minor : since.major < major;
}

/** The text with what is promised before it: `[STABLE] (Deprecated since 1.34.0) …`. */
export function annotated(help: string, promised: Promised, version: Version): string {
  const since = isDeprecated(promised, version) ? `(Deprecated since ${promised.deprecated}) ` : "";
  return `[${promised.stability}] ${since}${help}`;
}
