/** Rules of candidates for leases. */
import type { Obj } from "../../model/types.ts";
import { immutable } from "../checks/basic.ts";
import { configKey } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import type { Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { ValueError } from "../../values/error.ts";
import { compareSemanticVersions, parseSemanticVersion, type SemanticVersion } from "../../values/version.ts";
import { OLDEST, strategyName } from "./strategy_name.ts";

const SPEC = Path.of("spec"), BINARY = SPEC.child("binaryVersion"), EMULATED = SPEC.child("emulationVersion");
/** What a version counts as that cannot be read. */
const NO_VERSION: SemanticVersion = { major: 0, minor: 0, patch: 0, pre: "" };

function version(text: string, path: Path, errors: ErrorList): SemanticVersion {
  if (!text) return NO_VERSION;
  try {
    return parseSemanticVersion(text);
  } catch (e) {
    if (!(e instanceof ValueError)) throw e;
    errors.invalid(path, text, "must be a semantic version");
    return NO_VERSION;
  }
}

function validate(obj: Obj, errors: ErrorList): void {
  const spec: Tree = obj["spec"] ?? {}, binary: string = spec["binaryVersion"] ?? "";
  const emulated: string = spec["emulationVersion"] ?? "", strategy: string = spec["strategy"] ?? "";
  if (!spec["leaseName"]) errors.required(SPEC.child("leaseName"));
  const e = version(emulated, EMULATED, errors);
  if (!binary) errors.required(BINARY);
  const b = version(binary, BINARY, errors);
  if (binary && emulated && compareSemanticVersions(b, e) < 0) {
    errors.invalid(BINARY, binary, "must be greater than or equal to `emulationVersion`");
  }
  if (!strategy) return errors.required(SPEC.child("strategy"));
  if (strategy === OLDEST && compareSemanticVersions(e, NO_VERSION) === 0) {
    errors.required(EMULATED, `must be specified when \`strategy\` is '${OLDEST}'`);
  }
  strategyName(strategy, SPEC.child("strategy"), errors);
}

/** Rules of `leasecandidates.coordination.k8s.io`. */
export const LEASE_CANDIDATE: KindRules = {
  name: (name) => [...configKey(name)],
  createOnUpdate: true,
  unconditionalUpdate: false,
  meta: { whole: 0, knownFinalizersOnly: false },
  validate,
  validateUpdate: (obj, old, errors) =>
    immutable(obj["spec"]?.leaseName ?? "", old["spec"]?.leaseName ?? "", SPEC.child("leaseName"), errors),
};
