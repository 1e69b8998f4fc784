/** What the runtime makes a container of. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { expanding, lookupIn } from "../environment/expand.ts";
import type { ContainerConfig, LinuxContainerResources, Mount } from "../runtime/types.ts";
import type { StopSignal } from "../runtime/signals.ts";
import type { AnyContainer, ContainerDevices, EnvVariable } from "../types.ts";
import { containerAnnotations, containerLabels, containerLog } from "./names.ts";
import { containerSecurity, type ImageUser, type SecurityOptions } from "./security.ts";

/** What a config is made of. */
export interface ConfigInput {
  readonly pod: Pod;
  readonly container: AnyContainer;
  /** Number of this try. */
  readonly restartCount: number;
  /** The runtime's reference of the image. */
  readonly imageRef: string;
  readonly imageUser: ImageUser;
  readonly environment: readonly EnvVariable[];
  readonly mounts: readonly Mount[];
  /** Disks. */
  readonly devices: NonNullable<ContainerConfig["devices"]>;
  /** With its devices; what it gives to the environment is there already. */
  readonly given: ContainerDevices;
  readonly resources: LinuxContainerResources;
  readonly security: SecurityOptions;
  /** By which it is ended; undefined: as the image says. */
  readonly stopSignal: StopSignal | undefined;
  /** Whose processes it sees, for an ephemeral container. */
  readonly target: string | undefined;
}

/** @throws Error when a security profile cannot be had, or references come to too much */
export function containerConfig(input: ConfigInput): ContainerConfig {
  const { pod, container, restartCount, imageRef, environment, given } = input;
  const expand = expanding(lookupIn(environment));
  const words = (list: readonly string[] | undefined) => (list ?? []).map(expand);
  return {
    metadata: { name: container.name, attempt: restartCount },
    image: { image: imageRef, userSpecifiedImage: container.image ?? "" },
    command: words(container.command),
    args: words(container.args),
    workingDir: container.workingDir ?? "",
    envs: environment,
    mounts: [...given.mounts, ...input.mounts],
    devices: [...given.devices, ...input.devices],
    cdiDevices: given.cdiDevices,
    labels: containerLabels(pod, container),
    annotations: { ...given.annotations, ...containerAnnotations(pod, container, restartCount) },
    logPath: containerLog(container.name, restartCount),
    stdin: container.stdin ?? false,
    stdinOnce: container.stdinOnce ?? false,
    tty: container.tty ?? false,
    ...(input.stopSignal ? { stopSignal: input.stopSignal } : {}),
    linux: {
      resources: input.resources,
      securityContext: containerSecurity(pod, container, input.imageUser, input.security, input.target),
    },
  };
}
