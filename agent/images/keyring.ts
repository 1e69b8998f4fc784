/** Credentials by where images lie. */
import type { Login, Logins } from "./docker_config.ts";
import { isPlace, meansImage } from "./glob.ts";

/** An object whose credentials they are: who may use it may use the images that they opened. */
export interface CredentialOwner {
  readonly kind: "Secret" | "ServiceAccount";
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A login, and whose it is; without an owner: the node's, for all pods. */
export interface Credential extends Login {
  readonly owner?: CredentialOwner;
}

const PUBLIC = "index.docker.io";

/** See the top of the file. */
export class Keyring {
  readonly #entries = new Map<string, Credential[]>();

  /** Keeps logins; those whose registry cannot be read are left out. */
  add(logins: Logins, owner?: CredentialOwner): void {
    for (const [registry, login] of logins) {
      const key = keyOf(registry);
      if (key === undefined) continue;
      const credential = owner ? { ...login, owner } : login, known = this.#entries.get(key);
      if (known) known.push(credential);
      else this.#entries.set(key, [credential]);
    }
  }

  /** Those for a repository (its name in full, without tag), the most telling first. */
  lookup(repository: string): Credential[] {
    const keys = [...this.#entries.keys()].sort().reverse();
    const found = keys.filter((key) => meansImage(key, repository)).flatMap((key) => this.#entries.get(key)!);
    if (found.length > 0) return found;
    return /^docker\.io\//.test(repository) ? this.#entries.get(PUBLIC) ?? [] : [];
  }
}

/** Host and path of a registry, as Docker reads them: `https://index.docker.io/v1/` is `index.docker.io`. */
function keyOf(registry: string): string | undefined {
  const place = registry.replace(/^https?:\/\//, "").replace(/[?#].*$/s, "");
  if (!isPlace(place)) return undefined;
  const slash = place.indexOf("/");
  if (slash < 0) return place;
  const path = place.slice(slash).replace(/^\/v[12]\//, "/");
  return place.slice(0, slash) + (path === "/" ? "" : path);
}
