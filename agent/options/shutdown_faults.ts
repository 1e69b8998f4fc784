/** What must hold of the times that the host's shutdown gives pods. */
import type { SettingValues } from "./table.ts";

const SECOND = 1_000;

/** Everything that does not hold. */
export function shutdownFaults(o: SettingValues, enabled: (gate: string) => boolean): string[] {
  const times = [
    ["shutdownGracePeriod", o.shutdownGracePeriod],
    ["shutdownGracePeriodCriticalPods", o.shutdownGracePeriodCriticalPods],
  ] as const;
  const set = times.some(([, ms]) => ms > 0), byPriority = (o.shutdownGracePeriodByPodPriority?.length ?? 0) > 0;
  const faults = times.filter(([, ms]) => ms > 0 && ms < SECOND).map(([name]) => `${name}: should be 0 or at least 1s`);
  if (o.shutdownGracePeriodCriticalPods > o.shutdownGracePeriod) {
    faults.push("shutdownGracePeriodCriticalPods: should not be more than shutdownGracePeriod");
  }
  if (set && !enabled("GracefulNodeShutdown")) {
    faults.push("shutdownGracePeriod: needs the feature gate GracefulNodeShutdown");
  }
  if (byPriority && !enabled("GracefulNodeShutdownBasedOnPodPriority")) {
    faults.push("shutdownGracePeriodByPodPriority: needs the feature gate GracefulNodeShutdownBasedOnPodPriority");
  }
  if (byPriority && set) faults.push("shutdownGracePeriodByPodPriority: cannot go with shutdownGracePeriod");
  return faults;
}
