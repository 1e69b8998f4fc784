/** AppArmor: whether what a pod wants can be had. */
import type { AppArmorProfile, Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import type { Refusal } from "../types.ts";

const ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";

const refused = (why: string): Refusal => ({ reason: "AppArmor", message: `Cannot enforce AppArmor: ${why}` });

/** @param enabled the kernel has it */
export function appArmorRefusal(pod: Pod, enabled: boolean, product: Product): Refusal | undefined {
  // What runs already is not stopped.
  if ((pod.status?.phase ?? "Pending") !== "Pending") return undefined;
  const spec = pod.spec, prefix = product.local(ANNOTATION);
  const containers = [...spec?.initContainers ?? [], ...spec?.containers ?? [], ...spec?.ephemeralContainers ?? []];
  const profiles = [spec, ...containers].map((part) => part?.securityContext?.appArmorProfile)
    .filter((profile): profile is AppArmorProfile => !!profile);
  const annotations = Object.entries(pod.metadata?.annotations ?? {})
    .filter(([key]) => key.startsWith(prefix)).map(([, value]) => value);
  const wanted = profiles.some((p) => p.type !== "Unconfined") || annotations.some((value) => value !== "unconfined");
  if (!wanted) return undefined;
  if (!enabled) return refused("AppArmor is not enabled on the host");
  const nameless = profiles.some((p) => p.type === "Localhost" && !p.localhostProfile?.trim()) ||
    annotations.some((value) => value.trim() === "localhost/");
  return nameless ? refused("invalid empty AppArmor profile name") : undefined;
}
