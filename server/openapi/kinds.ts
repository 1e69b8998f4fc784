/** `x-kubernetes-group-version-kind`: which kinds a message is. */
import type { JsonMap, Kind, Message } from "../../schema/model/types.ts";
import { apiVersionOf, type Scheme } from "../../schema/scheme.ts";
import { listKindOfMessage } from "./custom.ts";
import { isBuiltIn } from "./names.ts";

/** Kinds that every group version has. */
const IN_EVERY_GROUP = ["DeleteOptions", "WatchEvent"];

/** Groups whose kinds stand in files, or are only ever answered: no document names their kinds. Public names. */
const NOT_TOLD = new Set([
  "apidiscovery.k8s.io",
  "apiserver.config.k8s.io",
  "audit.k8s.io",
  "kubelet.config.k8s.io",
  "meta.k8s.io",
]);

/** A kind, as documents name it. */
export const gvkTree = ({ group, version, kind }: Kind): JsonMap => ({ group, kind, version });

/** Kinds by message, read from the scheme when they are first asked for. */
export class KindIndex {
  readonly #scheme: Scheme;
  readonly #kinds = new Map<Message, Kind[]>();
  #read = false;

  constructor(scheme: Scheme) {
    this.#scheme = scheme;
  }

  /** Forgets what was read: kinds came or went. */
  forget(): void {
    this.#read = false;
  }

  /** Kinds that a message is, by group, then version. */
  of(message: Message): readonly Kind[] {
    if (!this.#read) this.#index();
    const list = listKindOfMessage(message);
    return this.#kinds.get(message) ?? (list ? [list] : []);
  }

  #index(): void {
    this.#kinds.clear();
    const add = (k: Kind) => this.#kinds.set(k.message, [...this.#kinds.get(k.message) ?? [], k]);
    const versions = new Map<string, Kind>();
    for (const kind of this.#scheme.kinds()) {
      if (NOT_TOLD.has(kind.publicGroup)) continue;
      add(kind);
      // Custom groups do not count, or every document would change with each of them.
      if (isBuiltIn(kind.message)) versions.set(kind.apiVersion, kind);
    }
    for (const name of IN_EVERY_GROUP) {
      const all = [...versions.values()].flatMap(({ group, version }) =>
        this.#scheme.kind(apiVersionOf(group, version), name) ?? []
      );
      all.forEach(add);
    }
    for (const [message, kinds] of this.#kinds) this.#kinds.set(message, ordered(kinds));
    this.#read = true;
  }
}

const keyOf = (k: Kind): string => `${k.group}\0${k.version}\0${k.kind}`;

/** Sorted, each kind once. */
const ordered = (kinds: readonly Kind[]): Kind[] =>
  [...new Map(kinds.map((k) => [keyOf(k), k]))].sort(([a], [b]) => a < b ? -1 : 1).map(([, k]) => k);

/**
 * Which kinds a document tells of what is in every group: all of them, those that clients know (where custom kinds are
 * described), or those of one `apiVersion` and of the first.
 */
export type Told = "all" | "clients" | { readonly apiVersion: string };

/** Groups that clients never send to, or that have clients of their own. Public names. */
const NO_CLIENTS = new Set([
  "admission.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "imagepolicy.k8s.io",
]);

/** Of a message's kinds those that are told. What is not in every group is told everywhere. */
export function toldIn(kinds: readonly Kind[], which: Told): readonly Kind[] {
  if (which === "all" || !kinds.some((k) => IN_EVERY_GROUP.includes(k.kind))) return kinds;
  if (which === "clients") return kinds.filter((k) => !NO_CLIENTS.has(k.publicGroup));
  return kinds.filter((k) => k.apiVersion === which.apiVersion || k.apiVersion === "v1");
}
