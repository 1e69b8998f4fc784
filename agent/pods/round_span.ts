/** Rounds of a pod's worker, as spans name and describe them. */
import type { SpanAttributes } from "../../schema/tracing/span.ts";
import type { PodRef } from "../types.ts";
import type { Stage } from "./rounds.ts";

/** Why a pod that runs is looked after: it is new, it changed, or it is time. */
export type UpdateType = "create" | "update" | "sync";

/** Names by stages. */
export const ROUND_SPAN: Readonly<Record<Stage, string>> = {
  syncing: "syncPod",
  terminating: "syncTerminatingPod",
  terminated: "syncTerminatedPod",
  finished: "",
};

/** What a round is about. */
export const roundAttributes = (ref: PodRef, stage: Stage, type: UpdateType): SpanAttributes => ({
  "k8s.pod.uid": ref.uid,
  "k8s.pod": `${ref.namespace}/${ref.name}`,
  "k8s.pod.name": ref.name,
  "k8s.pod.update_type": stage === "syncing" ? type : undefined,
  "k8s.namespace.name": ref.namespace,
});
