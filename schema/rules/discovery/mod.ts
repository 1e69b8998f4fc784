/** Rules of the discovery group. */
import type { RulesTable } from "../tables.ts";
import { ENDPOINT_SLICE } from "./endpoint_slice.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = { "endpointslices.discovery.k8s.io": ENDPOINT_SLICE };
