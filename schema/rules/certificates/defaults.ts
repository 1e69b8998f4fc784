/** Defaults of the certificates group. */
import { fill, part } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import type { Tree } from "../tree.ts";

const requestDefaults = (r: Tree) => fill(part(r, "spec"), { maxExpirationSeconds: 86400 });

/** Rows of the certificates group. */
export const DEFAULTS: DefaultsTable = {
  "v1/PodCertificateRequest": requestDefaults,
  "v1beta1/PodCertificateRequest": requestDefaults,
};
