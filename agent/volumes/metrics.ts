/** How many volumes there are, and how long it takes to make them. */
import type { Registry } from "prom-client";
import { Metrics } from "../metrics.ts";

const TIMES = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600];
const DESIRED = "desired_state_of_world", ACTUAL = "actual_state_of_world";

/** A volume that is to be made, and the directory of its plugin: `kubernetes.io~configmap`. */
export interface Making {
  readonly uid: string;
  readonly name: string;
  readonly dir: string;
  readonly isDisk: boolean;
}

/** See the top of the file. */
export class VolumeMetrics {
  readonly #operations;
  readonly #whole;
  /** By uid: plugins of volumes, by their names. */
  readonly #wanted = new Map<string, Map<string, string>>();

  /** @param made directories of the plugins of all volumes that are there */
  constructor(registry: Registry, made: () => readonly string[]) {
    const m = new Metrics(registry);
    this.#operations = m.histogram(
      "storage_operation_duration_seconds",
      "How long an operation on a volume takes, s",
      TIMES,
      "migrated",
      "operation_name",
      "status",
      "volume_plugin",
    );
    this.#whole = m.histogram(
      "volume_operation_total_seconds",
      "How long an operation on a volume takes from its first attempt to its success, s",
      TIMES,
      "operation_name",
      "plugin_name",
    );
    m.derived("volume_manager_total_volumes", "Volumes of the node's pods", "gauge", () => [
      ...counted(DESIRED, [...this.#wanted.values()].flatMap((names) => [...names.values()])),
      ...counted(ACTUAL, made().map(pluginName)),
    ]);
  }

  /** Has a volume made. */
  async making<T>({ uid, name, dir, isDisk }: Making, make: () => Promise<T>): Promise<T> {
    const plugin = pluginName(dir), operation_name = isDisk ? "map_volume" : "volume_mount";
    const wanted = this.#wanted.get(uid) ?? new Map<string, string>();
    this.#wanted.set(uid, wanted.set(name, plugin));
    const end = this.#operations.startTimer({ migrated: "false", operation_name, volume_plugin: plugin });
    const whole = this.#whole.startTimer({ operation_name, plugin_name: plugin });
    let status = "fail-unknown";
    try {
      const made = await make();
      status = "success";
      whole();
      return made;
    } finally {
      end({ status });
    }
  }

  /** A pod has no volumes any more. */
  forget(uid: string): void {
    this.#wanted.delete(uid);
  }
}

const pluginName = (dir: string): string => dir.replace("~", "/");

const counted = (state: string, plugins: readonly string[]) =>
  [...Map.groupBy(plugins, (plugin) => plugin)].map(([plugin_name, { length: value }]) => ({
    labels: { plugin_name, state },
    value,
  }));
