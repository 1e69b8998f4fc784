/** Pods of this node. */
export { PodChanges } from "./changes.ts";
export { servePods } from "./service.ts";
export { PodManager } from "./manager.ts";
export type { PodOptions, PodParts } from "./parts.ts";
export { subordinateIds } from "./subordinate_ids.ts";
export { UserRanges } from "./user_ranges.ts";
export { describe, LABEL, podDirectory, refOf } from "./names.ts";
