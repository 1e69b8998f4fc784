/** What is mounted into a container. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { VolumeMount } from "../../schema/api/core_v1.ts";
import { expandSubPath } from "../environment/expand.ts";
import type { ImageSpec, Mount, UserNamespace } from "../runtime/types.ts";
import { checkSubPath } from "../volumes/subpath.ts";
import type { AnyContainer, EnvVariable, MountedVolume } from "../types.ts";

/** What mounts are made of. */
export interface MountsInput {
  readonly container: AnyContainer;
  readonly volumes: ReadonlyMap<string, MountedVolume>;
  readonly environment: readonly EnvVariable[];
  readonly podDirectory: string;
  /** Of volumes that are images, by name. */
  readonly images: ReadonlyMap<string, ImageSpec>;
  /** Where a part of a volume is to be mounted from. @throws Error */
  readonly subPath: (volume: string, index: number, path: string) => Promise<string>;
  /** On the host; undefined: none. */
  readonly hostsFile: string | undefined;
  readonly recursiveReadOnly: boolean;
  readonly users: UserNamespace;
  /** Tells this try of the container from others: the name of its message file. */
  readonly mark: string;
}

const HOSTS = "/etc/hosts";

const PROPAGATION = {
  None: "PRIVATE",
  HostToContainer: "HOST_TO_CONTAINER",
  Bidirectional: "BIDIRECTIONAL",
} as const;

/** Its volumes, the hosts file, and a file for its last words. @throws Error that says which cannot be had */
export async function mountsOf(input: MountsInput): Promise<Mount[]> {
  const { container, hostsFile } = input;
  const out: Mount[] = [];
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) out.push(await mountOf(input, mount, index));
  if (hostsFile && !container.volumeMounts?.some((m) => m.mountPath === HOSTS)) {
    out.push({ containerPath: HOSTS, hostPath: hostsFile, selinuxRelabel: true });
  }
  if (container.terminationMessagePath) {
    out.push({ containerPath: rooted(container.terminationMessagePath), hostPath: await messageFile(input) });
  }
  const { uids, gids } = input.users;
  return uids && gids ? out.map((mount) => ({ ...mount, uidMappings: uids, gidMappings: gids })) : out;
}

async function mountOf(input: MountsInput, mount: VolumeMount, index: number): Promise<Mount> {
  const { container, volumes, environment } = input;
  const volume = volumes.get(mount.name);
  if (!volume) throw new Error(`cannot find volume "${mount.name}" to mount into container "${container.name}"`);
  const { subPath = "", subPathExpr } = mount;
  const path = subPathExpr ? expandSubPath(subPathExpr, environment) : subPath;
  const image = input.images.get(mount.name);
  if (image) checkSubPath(path);
  const of = image
    ? { hostPath: "", image, imageSubPath: path }
    : { hostPath: path === "" ? volume.path : await input.subPath(mount.name, index, path) };
  return {
    containerPath: rooted(mount.mountPath),
    ...of,
    readonly: (mount.readOnly ?? false) || volume.readOnly,
    recursiveReadOnly: isRecursive(mount, input.recursiveReadOnly),
    propagation: PROPAGATION[mount.mountPropagation ?? "None"],
    ...(mount.bindMountOptions ? { mountOptions: mount.bindMountOptions } : {}),
  };
}

function isRecursive(mount: VolumeMount, supported: boolean): boolean {
  const { name, recursiveReadOnly: mode = "Disabled", mountPropagation: propagation = "None" } = mount;
  if (mode === "Disabled") return false;
  const why = !mount.readOnly
    ? "but it is not read-only"
    : propagation !== "None"
    ? `but it is not compatible with propagation "${propagation}"`
    : mode === "Enabled" && !supported
    ? "but it is not supported by the runtime"
    : undefined;
  if (why) {
    throw new Error(
      `failed to resolve recursive read-only mode: volume "${name}" requested recursive read-only mode, ${why}`,
    );
  }
  return supported;
}

/** A file that every user of the container may write. */
async function messageFile({ podDirectory, container, mark }: MountsInput): Promise<string> {
  const directory = join(podDirectory, "containers", container.name);
  await mkdir(directory, { recursive: true, mode: 0o750 });
  const path = join(directory, mark);
  await writeFile(path, "");
  await chmod(path, 0o666);
  return path;
}

const rooted = (path: string) => isAbsolute(path) ? path : join("/", path);
