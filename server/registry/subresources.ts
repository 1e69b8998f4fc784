/** Subresources with a kind or a way of their own. Rows by `resource id/subresource`. */
import type { SubresourceHandler } from "../endpoints/api.ts";
import { podBinding } from "./core/binding.ts";
import { podEviction } from "./core/eviction.ts";
import { scaleHandler } from "./scale.ts";

/** See {@linkcode SubresourceHandler}. What has no row is an update of its parent's own kind. */
export const SUBRESOURCES: Readonly<Record<string, SubresourceHandler>> = {
  "deployments.apps/scale": scaleHandler({ plainSelector: false }),
  "replicasets.apps/scale": scaleHandler({ plainSelector: false }),
  "statefulsets.apps/scale": scaleHandler({ plainSelector: false }),
  "replicationcontrollers/scale": scaleHandler({ plainSelector: true }),
  "pods/binding": podBinding,
  "pods/eviction": podEviction,
};
