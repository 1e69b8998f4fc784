/** Disks that a container gets without their files. */
import { isAbsolute } from "node:path";
import type { ContainerConfig } from "../runtime/types.ts";
import type { AnyContainer, MountedVolume } from "../types.ts";

type Devices = NonNullable<ContainerConfig["devices"]>;

/** Its volumes of mode `Block`. @throws Error that says which cannot be had */
export function devicesOf(container: AnyContainer, volumes: ReadonlyMap<string, MountedVolume>): Devices {
  return (container.volumeDevices ?? []).map(({ name, devicePath }) => {
    if (!isAbsolute(devicePath)) throw new Error(`error DevicePath \`${devicePath}\` must be an absolute path`);
    const volume = volumes.get(name);
    if (!volume) throw new Error(`cannot find volume "${name}" to pass into container "${container.name}"`);
    return { containerPath: devicePath, hostPath: volume.path, permissions: volume.readOnly ? "r" : "mrw" };
  });
}
