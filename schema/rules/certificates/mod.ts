/** Rules of the group of certificates. */
import type { RulesTable } from "../tables.ts";
import { POD_REQUEST } from "./pod_request.ts";
import { SIGNING_REQUEST } from "./signing_request.ts";
import { TRUST_BUNDLE } from "./trust_bundle.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "certificatesigningrequests.certificates.k8s.io": SIGNING_REQUEST,
  "clustertrustbundles.certificates.k8s.io": TRUST_BUNDLE,
  "podcertificaterequests.certificates.k8s.io": POD_REQUEST,
};
