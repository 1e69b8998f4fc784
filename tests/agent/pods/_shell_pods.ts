/** Pods of shell containers, for a node that runs them. */
import type { Container, Pod, PodSpec } from "../../../schema/api/core_v1.ts";
import { IMAGES } from "../../fixture/busybox_image.ts";

let count = 0;

/** A pod of its own name and uid. */
export function pod(spec: Partial<PodSpec>, metadata: Pod["metadata"] = {}): Pod {
  const nth = ++count;
  return {
    metadata: {
      name: `pod${nth}`,
      namespace: "default",
      uid: `uid${nth}`,
      generation: 1,
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...metadata,
    },
    spec: { restartPolicy: "Always", terminationGracePeriodSeconds: 1, containers: [], ...spec },
  };
}

/** A container that runs a line of shell. */
export function shell(name: string, line: string, more: Partial<Container> = {}): Container {
  return {
    name,
    image: IMAGES[0],
    command: ["/bin/sh", "-c", line],
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    ...more,
  };
}

/** Runs until it is told to end. */
export const FOREVER = "trap 'exit 0' TERM; while :; do sleep 0.1; done";
/** The same, deleted, with so many seconds to end. */
export const gone = (of: Pod, deletionGracePeriodSeconds = 1): Pod => ({
  ...of,
  metadata: { ...of.metadata, deletionTimestamp: "2026-01-01T00:01:00Z", deletionGracePeriodSeconds },
});
/** What a status tells of the only container. */
export const only = (status: { containerStatuses?: { name: string }[] }) =>
  status.containerStatuses![0]! as NonNullable<
    NonNullable<Pod["status"]>["containerStatuses"]
  >[number];
