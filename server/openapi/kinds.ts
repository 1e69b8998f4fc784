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
 * Of the kinds of what is in every group, those that the document of one group version tells: its own and the first.
 * All others are told everywhere.
 */
export function toldIn(kinds: readonly Kind[], apiVersion: string | undefined): readonly Kind[] {
  if (apiVersion === undefined || !kinds.some((k) => IN_EVERY_GROUP.includes(k.kind))) return kinds;
  return kinds.filter((k) => k.apiVersion === apiVersion || k.apiVersion === "v1");
}
