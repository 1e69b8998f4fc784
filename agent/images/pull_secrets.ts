/** Credentials that a pod brings along: its `imagePullSecrets`. */
import type { Secret } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { readLogins } from "./docker_config.ts";
import { Keyring } from "./keyring.ts";

/** Public type of a secret, the key of its file, and whether that is of the newer form. */
const TYPES = [
  ["kubernetes.io/dockerconfigjson", ".dockerconfigjson", true],
  ["kubernetes.io/dockercfg", ".dockercfg", false],
] as const;

/** Logins of secrets; those of other types have none. @throws Error when one's file cannot be read */
export function keyringOf(secrets: readonly Secret[], product: Product): Keyring {
  const keyring = new Keyring();
  for (const { type, data, metadata: { namespace = "", name = "", uid = "" } = {} } of secrets) {
    const [, key, modern] = TYPES.find(([known]) => product.local(known) === product.local(type ?? "")) ?? [];
    const file = key === undefined ? undefined : data?.[key];
    if (!file) continue;
    const text = new TextDecoder().decode(Uint8Array.fromBase64(file));
    keyring.add(readLogins(text, modern!), { kind: "Secret", namespace, name, uid });
  }
  return keyring;
}
