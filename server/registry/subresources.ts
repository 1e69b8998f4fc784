/** Subresources with a kind or a way of their own. Rows by `resource id/subresource`. */
import type { SubresourceHandler } from "../endpoints/api.ts";
import { podBinding } from "./core/binding.ts";
import { podExec, podLog, podPortForward } from "./core/connect.ts";
import { podEviction } from "./core/eviction.ts";
import { nodeProxy, podProxy, serviceProxy } from "./core/proxies.ts";
import { scaleHandler } from "./scale.ts";

/** See {@linkcode SubresourceHandler}. What has no row is an update of its parent's own kind. */
export const SUBRESOURCES: Readonly<Record<string, SubresourceHandler>> = {
  "deployments.apps/scale": scaleHandler(false),
  "replicasets.apps/scale": scaleHandler(false),
  "statefulsets.apps/scale": scaleHandler(false),
  "replicationcontrollers/scale": scaleHandler(true),
  "nodes/proxy": nodeProxy,
  "pods/attach": podExec,
  "pods/binding": podBinding,
  "pods/eviction": podEviction,
  "pods/exec": podExec,
  "pods/log": podLog,
  "pods/portforward": podPortForward,
  "pods/proxy": podProxy,
  "services/proxy": serviceProxy,
};
