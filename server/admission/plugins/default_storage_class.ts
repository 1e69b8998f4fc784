/** DefaultStorageClass: a claim that names no class gets the default one. */
import type { Tree } from "../../../schema/rules/tree.ts";
import { derived } from "../facts.ts";
import { on } from "../handles.ts";
import type { Plugin, PluginContext } from "../types.ts";
import { newestDefault } from "./_default_class.ts";

/** See the top of the file. */
export function defaultStorageClass(ctx: PluginContext): Plugin {
  const { product } = ctx;
  const marks = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"]
    .map(product.local);
  const named = product.local("volume.beta.kubernetes.io/storage-class");
  const theDefault = derived(ctx.lister, "storageclasses.storage.k8s.io", (all) => newestDefault(all, marks));
  return {
    name: "DefaultStorageClass",
    handles: on(["CREATE"], ["persistentvolumeclaims"]),
    admit(a) {
      const { metadata, spec } = a.object as Tree;
      if (metadata.annotations?.[named] !== undefined || typeof spec.storageClassName === "string") return;
      const name = theDefault()?.metadata.name;
      if (name) spec.storageClassName = name;
    },
  };
}
