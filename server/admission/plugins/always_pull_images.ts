/** AlwaysPullImages: images are pulled anew each time, so that only who may pull one can run it. */
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { on } from "../handles.ts";
import { refusals } from "../refuse.ts";
import type { Attributes, Plugin } from "../types.ts";

const LISTS = ["initContainers", "containers", "ephemeralContainers"];

/** What has an image and a pull policy, by path. */
function* images(spec: Tree): Generator<{ path: string; holder: Tree; member: string; image: string }> {
  for (const list of LISTS) {
    for (const [i, c] of items<Tree>(spec[list]).entries()) {
      yield { path: `spec.${list}[${i}].imagePullPolicy`, holder: c, member: "imagePullPolicy", image: c["image"] };
    }
  }
  for (const [i, v] of items<Tree>(spec["volumes"]).entries()) {
    const { image } = v;
    if (image) {
      yield {
        path: `spec.volumes[${i}].image.pullPolicy`,
        holder: image,
        member: "pullPolicy",
        image: image.reference,
      };
    }
  }
}

/** An update that brings no new image is none of ours. */
function bringsNone(a: Attributes): boolean {
  if (a.operation !== "UPDATE") return false;
  const old = new Set([...images((a.oldObject as Tree)["spec"])].map((x) => x.image));
  return [...images((a.object as Tree)["spec"])].every((x) => old.has(x.image));
}

/** See the top of the file. */
export function alwaysPullImages(): Plugin {
  return {
    name: "AlwaysPullImages",
    handles: on(["CREATE", "UPDATE"], ["pods"]),
    admit(a) {
      if (bringsNone(a)) return;
      for (const { holder, member } of images((a.object as Tree)["spec"])) holder[member] = "Always";
    },
    validate(a) {
      if (bringsNone(a)) return;
      const faults = [...images((a.object as Tree)["spec"])].filter((x) => x.holder[x.member] !== "Always")
        .map((x) => `${x.path}: Unsupported value: "${x.holder[x.member]}": supported values: "Always"`);
      if (faults.length > 0) throw refusals(a, faults);
    },
  };
}
