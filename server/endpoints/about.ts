/** Paths that tell of the server itself: `/`, `/version`. */
import type { JsonMap } from "../../schema/model/types.ts";
import { encodeJson } from "../../schema/codec/json.ts";
import type { PathHandler } from "../app_types.ts";
import { BINARY_VERSION, type Options } from "../options/mod.ts";
import { plainRoute, routeAndBelow } from "./plain.ts";

const JSON_TYPE = "application/json";

/** What `/version` says. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  /** `major` and `minor` of the version that is emulated, and of the oldest one that is still understood. */
  readonly emulation: readonly [string, string];
  readonly minCompatibility: readonly [string, string];
  readonly platform: string;
}

/** What a server with these options says of itself. */
export function versionInfo({ versions, gitVersion }: Options, platform: string): VersionInfo {
  const { major } = BINARY_VERSION;
  const [, reportedMajor, reportedMinor] = /^v(\d+)\.(\d+)/.exec(gitVersion)!;
  return {
    major: reportedMajor!,
    minor: reportedMinor!,
    gitVersion,
    emulation: [String(major), String(versions.emulated)],
    minCompatibility: [String(major), String(versions.minCompatible)],
    platform,
  };
}

/** How this was built: an interpreted program is not. */
const BUILD = {
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "deno",
} as const;

/** The same as labels of `kubernetes_build_info`. */
export function buildLabels({ major, minor, gitVersion, platform }: VersionInfo): Record<string, string> {
  return {
    major,
    minor,
    git_version: gitVersion,
    git_commit: BUILD.gitCommit,
    git_tree_state: BUILD.gitTreeState,
    build_date: BUILD.buildDate,
    go_version: BUILD.goVersion,
    compiler: BUILD.compiler,
    platform,
  };
}

/** Handlers; `paths` lists what `/` shows. */
export function aboutPaths(
  info: VersionInfo,
  paths: () => readonly string[],
): Map<string, PathHandler> {
  const answer = (tree: JsonMap): Response =>
    new Response(encodeJson(tree, true), { headers: { "content-type": "application/json" } });
  const version: JsonMap = {
    major: info.major,
    minor: info.minor,
    emulationMajor: info.emulation[0],
    emulationMinor: info.emulation[1],
    minCompatibilityMajor: info.minCompatibility[0],
    minCompatibilityMinor: info.minCompatibility[1],
    gitVersion: info.gitVersion,
    ...BUILD,
    platform: info.platform,
  };
  const index: PathHandler = () => answer({ paths: [...paths()].sort() });
  return new Map<string, PathHandler>([
    ...routeAndBelow("/version", plainRoute(JSON_TYPE, () => answer(version), [JSON_TYPE])),
    ["/", index],
    ["/index.html", index],
  ]);
}
