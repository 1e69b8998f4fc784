/** Pods of this node. */
export { PodManager } from "./manager.ts";
export type { HostsFacts, PodOptions, PodParts } from "./parts.ts";
export { subordinateIds } from "./subordinate_ids.ts";
export { UserRanges } from "./user_ranges.ts";
export type { DnsConfig } from "./sandbox_config.ts";
export { containerLog, describe, LABEL, podDirectory, podLogDirectory, refOf } from "./names.ts";
