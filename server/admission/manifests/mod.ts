/** What plugins have of their manifests. */
import type { Obj } from "../../../schema/model/types.ts";
import { reloaded } from "../../reloaded.ts";
import type { PluginContext } from "../types.ts";
import { type ManifestPlugin, readManifests } from "./read.ts";

/**
 * What is made of a plugin's manifests as they are now; without any, of nothing. What cannot be used when it comes later changes
 * nothing, and is told.
 * @throws Error when the first ones cannot be used
 */
export function fromManifests<T>(
  ctx: PluginContext,
  plugin: ManifestPlugin,
  make: (of: (kind: string) => readonly Obj[]) => T,
): () => T {
  const { manifests, hooks: { scheme, rules } } = ctx;
  if (manifests === undefined) {
    const none = make(() => []);
    return () => none;
  }
  const now = reloaded(manifests, (text) => {
    const objects = readManifests(text, plugin, { scheme, rules });
    return make((kind) => objects.get(kind) ?? []);
  });
  // The first ones are counted too, as on the public server.
  manifests.told?.(manifests.text());
  return now;
}
