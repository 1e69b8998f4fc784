/** Images that are volumes: pulled once for all containers that start in a round. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { ImageSpec, PodSandboxConfig } from "../runtime/types.ts";
import type { AnyContainer, Images } from "../types.ts";

/** By volume: what the runtime is told, or why the image is not there. */
export type ImageVolumes = ReadonlyMap<string, ImageSpec | Error>;

/** Pulls them if need be. Never throws. */
export async function pullVolumes(images: Images, pod: Pod, sandbox: PodSandboxConfig): Promise<ImageVolumes> {
  const out = new Map<string, ImageSpec | Error>();
  for (const { name, image: source } of pod.spec?.volumes ?? []) {
    if (!source) continue;
    const { reference = "" } = source, annotations = pod.metadata?.annotations ?? {};
    await images.ensureVolume(pod, source, sandbox).then(
      (image) => out.set(name, { image, userSpecifiedImage: reference, annotations }),
      (fault: Error) => out.set(name, fault),
    );
  }
  return out;
}

/** Those that a container mounts. @throws ImageFault of the last that is not there */
export function volumesFor(container: AnyContainer, pulled: ImageVolumes): ReadonlyMap<string, ImageSpec> {
  const out = new Map<string, ImageSpec>();
  let fault: Error | undefined;
  for (const { name } of container.volumeMounts ?? []) {
    const image = pulled.get(name);
    if (image instanceof Error) fault = image;
    else if (image) out.set(name, image);
  }
  if (fault) throw fault;
  return out;
}
