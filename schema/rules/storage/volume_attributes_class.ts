/** Rules of volume attributes classes. */
import { wasEmptied } from "../../codec/emptied.ts";
import { Path } from "../path.ts";
import { same } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { parameters, provisioner } from "./parameters.ts";

const DRIVER = Path.of("driverName"), PARAMETERS = Path.of("parameters");

/** Rules of `volumeattributesclasses.storage.k8s.io`. */
export const VOLUME_ATTRIBUTES_CLASS: KindRules = {
  validate(obj, errors) {
    provisioner(obj["driverName"] ?? "", DRIVER, errors);
    parameters(obj["parameters"], true, PARAMETERS, errors);
  },
  validateUpdate(obj, old, errors) {
    if (obj["driverName"] !== old["driverName"]) errors.forbidden(DRIVER, "field is immutable");
    const changed = !same(obj["parameters"] ?? {}, old["parameters"] ?? {}) || wasEmptied(obj, "parameters");
    if (changed) errors.forbidden(PARAMETERS, "field is immutable");
  },
};
