/** A pod of real containers, as an agent's servers see it. */
import type { Pod } from "../../../schema/api/core_v1.ts";
import { containerLog, LABEL, podLogDirectory } from "../../../agent/pods/names.ts";
import type { ContainerConfig, PodSandboxConfig, Runtime } from "../../../agent/runtime/types.ts";
import { IMAGES } from "../../fixture/busybox_image.ts";
import { type Containerd, startContainerd } from "../../fixture/containerd.ts";

/** A container and the script that it runs. */
export interface Wanted {
  readonly name: string;
  readonly script: string;
  /** Its input ends with that of the first who attaches. */
  readonly stdin?: boolean;
  readonly tty?: boolean;
}

/** A pod and its containerd. */
export interface Running {
  readonly runtime: Runtime;
  readonly pod: Pod;
  /** Of the containerd; logs lie in `pods` below it. */
  readonly directory: string;
  /** Ids of its containers, by name. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Runs a pod `web` of a uid in a containerd of its own, which is ended after. */
export async function withContainers(
  uid: string,
  wanted: readonly Wanted[],
  run: (running: Running) => Promise<void>,
): Promise<void> {
  const containerd = await startContainerd();
  try {
    await run(await start(containerd, uid, wanted));
  } finally {
    await containerd.stop();
  }
}

async function start(containerd: Containerd, uid: string, wanted: readonly Wanted[]): Promise<Running> {
  const runtime = containerd.runtime();
  const labels = { [LABEL.pod]: "web", [LABEL.namespace]: "default", [LABEL.uid]: uid };
  const config: PodSandboxConfig = {
    metadata: { name: "web", namespace: "default", uid },
    logDirectory: podLogDirectory(`${containerd.directory}/pods`, { namespace: "default", name: "web", uid }),
    labels,
    linux: { securityContext: { namespaceOptions: { network: "POD" } } },
  };
  const sandbox = await runtime.runPodSandbox(config, "");
  const ids = new Map<string, string>();
  for (const { name, script, stdin = false, tty = false } of wanted) {
    const container: ContainerConfig = {
      metadata: { name },
      image: { image: IMAGES[0] },
      command: ["sh", "-c", script],
      logPath: containerLog(name, 0),
      labels: { ...labels, [LABEL.container]: name },
      stdin,
      stdinOnce: stdin,
      tty,
    };
    const id = await runtime.createContainer(sandbox, container, config);
    await runtime.startContainer(id);
    ids.set(name, id);
  }
  return { runtime, pod: podOf(uid, wanted, ids), directory: containerd.directory, ids };
}

const podOf = (uid: string, wanted: readonly Wanted[], ids: ReadonlyMap<string, string>): Pod => ({
  metadata: { name: "web", namespace: "default", uid },
  spec: {
    nodeName: "node-a",
    containers: wanted.map(({ name, stdin = false, tty = false }) => ({ name, image: IMAGES[0], stdin, tty })),
  },
  status: {
    phase: "Running",
    startTime: "2026-01-02T03:04:05Z",
    containerStatuses: wanted.map(({ name }) => ({
      name,
      image: IMAGES[0],
      imageID: "",
      ready: true,
      restartCount: 0,
      containerID: `containerd://${ids.get(name)}`,
      state: { running: { startedAt: "2026-01-02T03:04:06Z" } },
    })),
  },
} as Pod);
