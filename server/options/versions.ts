/** Emulated and compatible versions (specification, "Versioning", 4 and 5). */
import { BINARY_VERSION } from "../../schema/version.ts";

const OLDEST = 34;

/** Minor versions in force. */
export interface ComponentVersions {
  readonly emulated: number;
  readonly minCompatible: number;
}

function minorOf(option: string, texts: readonly string[], components: readonly string[], errors: string[]) {
  let minor: number | undefined;
  for (const text of texts) {
    const m = /^(?:([^=]*)=)?v?1\.(\d+)$/.exec(text);
    const wrong = (why: string) => errors.push(`--${option}: ${JSON.stringify(text)} ${why}`);
    if (!m) wrong("should be component=major.minor, such as orch=1.36");
    else if (m[1] !== undefined && !components.includes(m[1])) wrong(`names no component; known is ${components[0]}`);
    else if (Number(m[2]) < OLDEST || Number(m[2]) > BINARY_VERSION.minor) {
      wrong(`should be between 1.${OLDEST} and 1.${BINARY_VERSION.minor}`);
    } else if (minor !== undefined) wrong("is the second version of one component");
    else minor = Number(m[2]);
  }
  return minor;
}

/** The versions that the two options give; faults go to `errors`. */
export function componentVersions(
  given: {
    readonly emulated: readonly string[];
    readonly minCompatible: readonly string[];
    readonly forwardCompatible: boolean;
    readonly newerByName: boolean;
  },
  components: readonly string[],
  errors: string[],
): ComponentVersions {
  const emulated = minorOf("emulated-version", given.emulated, components, errors) ?? BINARY_VERSION.minor;
  const min = minorOf("min-compatibility-version", given.minCompatible, components, errors);
  const fallback = Math.max(OLDEST, emulated - 1);
  if (min !== undefined && min > emulated) {
    errors.push(`--min-compatibility-version: 1.${min} should not be above the emulated version 1.${emulated}`);
  }
  if (given.forwardCompatible && emulated === BINARY_VERSION.minor) {
    errors.push("--emulation-forward-compatible: only for an emulated version below that of the server");
  }
  if (given.newerByName && emulated === BINARY_VERSION.minor) {
    errors.push(
      "--runtime-config-emulation-forward-compatible: only for an emulated version below that of the server",
    );
  }
  return { emulated, minCompatible: min ?? fallback };
}
