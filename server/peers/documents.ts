/** What a peer serves, asked of it. */
import type { JsonMap } from "../../schema/model/types.ts";

/** What a peer serves. */
export interface PeerDocuments {
  /** `group/version/resource`, as {@linkcode resourceKey} makes it. */
  readonly resources: ReadonlySet<string>;
  /** Aggregated discovery of its groups but the core's, in its order. */
  readonly groups: readonly JsonMap[];
}

/** Names what a request asks for. */
export const resourceKey = (group: string, version: string, resource: string): string =>
  `${group}/${version}/${resource}`;

/** Paths of the documents. */
export const PATHS = ["/api", "/apis"] as const;

/** Reads documents of discovery that a peer answered with. @throws Error for one that is none */
export function readDocuments(texts: readonly string[]): PeerDocuments {
  const resources = new Set<string>();
  const groups = new Map<string, JsonMap>();
  for (const text of texts) {
    for (const group of itemsOf(text)) {
      const name = textOf((group["metadata"] as JsonMap | undefined)?.["name"]);
      for (const version of listOf(group["versions"])) {
        for (const { resource } of listOf(version["resources"])) {
          resources.add(resourceKey(name, textOf(version["version"]), textOf(resource)));
        }
      }
      // The core has a root of its own.
      if (name !== "" && !groups.has(name)) groups.set(name, group);
    }
  }
  return { resources, groups: [...groups.values()] };
}

function itemsOf(text: string): readonly JsonMap[] {
  const tree = JSON.parse(text) as JsonMap | null;
  if (tree?.["kind"] !== "APIGroupDiscoveryList") throw new Error(`a peer's discovery is a ${tree?.["kind"]}`);
  return listOf(tree["items"]);
}

const textOf = (value: unknown): string => typeof value === "string" ? value : "";
const listOf = (value: unknown): readonly JsonMap[] =>
  Array.isArray(value) ? value.filter((v) => typeof v === "object" && v !== null) : [];
