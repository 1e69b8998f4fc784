/** Versions, gates and which APIs are served (specification, "Versioning"). */
import type { OptionRow } from "../../../schema/flags/types.ts";

/** Rows of the group "Versions and features". */
export const VERSIONS = [
  {
    name: "runtime-config",
    type: "switches",
    help:
      "key or key=bool list of API versions to serve or not: v1, group/version, group/version/resource, api/all, api/ga, api/beta, api/alpha",
  },
  {
    name: "feature-gates",
    type: "array",
    help: "component:name=bool list of features to turn on or off; AllAlpha and AllBeta for all of a stage",
  },
  {
    name: "emulated-version",
    type: "strings",
    help: "component=major.minor: behave as that version; 1.34 to 1.37, default 1.37",
  },
  {
    name: "emulation-forward-compatible",
    type: "bool",
    help: "Serve later versions of beta and stable APIs too, in an emulated version",
  },
  {
    name: "runtime-config-emulation-forward-compatible",
    type: "bool",
    help: "Let --runtime-config name APIs that are newer than the emulated version",
  },
  {
    name: "min-compatibility-version",
    type: "strings",
    help: "component=major.minor: oldest version to stay compatible with; 1.34 to 1.37, default 1.36",
  },
] as const satisfies readonly OptionRow[];
