/** What `--version` asks for. */
import { BINARY_VERSION } from "../version.ts";

const GIT_VERSION = `v${BINARY_VERSION.major}.${BINARY_VERSION.minor}.0`;

/** The text to print; undefined when the version to report is set by it, or nothing is asked. @param program as it is printed */
export function versionText(asked: string | undefined, program: string): string | undefined {
  if (asked === "true" || asked === "1") return `${program} ${GIT_VERSION}`;
  if (asked !== "raw") return undefined;
  return JSON.stringify({
    major: String(BINARY_VERSION.major),
    minor: String(BINARY_VERSION.minor),
    gitVersion: GIT_VERSION,
  });
}

/** The version to report: `v1.37.0` unless another one is set. Faults go to `errors`. */
export function gitVersion(asked: string | undefined, errors: string[]): string {
  if (asked === undefined || asked === "false" || asked === "0") return GIT_VERSION;
  if (!/^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.test(asked)) {
    errors.push(`--version: ${JSON.stringify(asked)} should be raw, true, false or vX.Y.Z`);
  }
  return asked;
}
