/** Rules of classes of devices. */
import { isExtendedResource } from "../checks/resources.ts";
import { Path } from "../path.ts";
import { isSet, same, type Tree } from "../tree.ts";
import { completedSubdomain } from "../object_meta.ts";
import type { KindRules } from "../types.ts";
import { configurations, deviceSelectors } from "./claim_spec.ts";

const SPEC = Path.of("spec");

/** Rules of `deviceclasses.resource.k8s.io`. Parts that did not change are taken as good. */
export const DEVICE_CLASS: KindRules = {
  name: completedSubdomain,
  generation: ["spec"],
  prepareCreate(obj, ctx) {
    if (!ctx.gate("DRAExtendedResource") && obj["spec"]) delete obj["spec"].extendedResourceName;
  },
  prepareUpdate(obj, old, ctx) {
    if (!ctx.gate("DRAExtendedResource") && obj["spec"] && !isSet(old["spec"]?.extendedResourceName)) {
      delete obj["spec"].extendedResourceName;
    }
  },
  validate(obj, errors, ctx, old) {
    const spec: Tree = obj["spec"] ?? {}, was: Tree | undefined = old?.["spec"];
    const unchanged = (m: string) => !!was && same(spec[m], was[m]);
    deviceSelectors(spec["selectors"], SPEC.child("selectors"), errors, unchanged("selectors"));
    configurations(spec["config"], SPEC.child("config"), errors, unchanged("config"));
    const name = spec["extendedResourceName"];
    if (isSet(name) && !isExtendedResource(name, ctx)) {
      errors.invalid(SPEC.child("extendedResourceName"), name, "must be the name of an extended resource");
    }
  },
};
