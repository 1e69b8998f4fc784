/** Which APIs are served (specification, "Versioning", 3). */

import type { Emulation } from "../catalog/emulation.ts";

/** The version to behave as, below the server's own. */
export interface Emulated {
  readonly minor: number;
  readonly forward: boolean;
  /** `--runtime-config` may name what is newer. */
  readonly newerByName: boolean;
}

/** Other versions than the server's own that matter. */
export interface Versions {
  readonly emulated?: Emulated | undefined;
  /** `--min-compatibility-version`, its minor part. */
  readonly readableBy?: number;
}

const STAGES: readonly (readonly [string, RegExp])[] = [
  ["api/alpha", /^v[0-9]+alpha[0-9]+$/],
  ["api/beta", /^v[0-9]+beta[0-9]+$/],
  ["api/ga", /^v[0-9]+$/],
  ["api/all", /^/],
];

/** `--runtime-config`. What names a resource goes before what names a version, a stage, all APIs, the default. Immutable. */
export class RuntimeConfig {
  readonly #set: ReadonlyMap<string, boolean>;
  /** What to show of resources that came or went around the version that is emulated; absent: the server's own version. */
  readonly emulation?: Emulation;
  /** See `Serving`. */
  readonly readableBy?: number;

  private constructor(set: ReadonlyMap<string, boolean>, { emulated, readableBy }: Versions) {
    this.#set = set;
    if (readableBy !== undefined) this.readableBy = readableBy;
    if (!emulated) return;
    const named = ({ group, version, resource }: { group: string; version: string; resource: string }) => {
      if (this.#own(group, version, resource) !== true) return undefined;
      return this.#set.get(`${group ? `${group}/` : ""}${version}/${resource}`) ? "resource" : "version";
    };
    this.emulation = { ...emulated, named };
  }

  /** From the option's pairs; groups in public names or in the dialect's, which `toPublic` makes public. */
  static parse(
    pairs: Readonly<Record<string, string>>,
    toPublic: (key: string) => string = (k) => k,
    versions: Versions = {},
  ): { config: RuntimeConfig; errors: string[]; warnings: string[] } {
    const set = new Map<string, boolean>(), errors: string[] = [], warnings: string[] = [];
    for (const [given, text] of Object.entries(pairs)) {
      const key = toPublic(given);
      const stage = STAGES.some(([name]) => name === key);
      const value = valueOf(text, stage);
      const fault = value === undefined ? `${JSON.stringify(text)} should be true or false` : faultOf(key);
      if (fault) errors.push(`--runtime-config: ${given}: ${fault}`);
      else if (key === "api/legacy") warnings.push("--runtime-config: api/legacy is deprecated and has no effect");
      else set.set(key.replace(/^api\/(?=v\d)/, ""), value!);
    }
    return { config: new RuntimeConfig(set, versions), errors, warnings };
  }

  /** Whether a resource (or with an empty one the version as such) is served; `defaultOn` is what it is without the option. */
  enabled(publicGroup: string, version: string, resource: string, defaultOn: boolean): boolean {
    const own = this.#own(publicGroup, version, resource);
    if (own !== undefined) return own;
    for (const [key, matches] of STAGES) {
      const value = matches.test(version) ? this.#set.get(key) : undefined;
      if (value !== undefined) return value;
    }
    return defaultOn;
  }

  /** Whether all is off, and nothing else is said. */
  get onlyNothing(): boolean {
    return this.#set.size === 1 && this.#set.get("api/all") === false;
  }

  #own(publicGroup: string, version: string, resource: string): boolean | undefined {
    const gv = publicGroup ? `${publicGroup}/${version}` : version;
    return (resource ? this.#set.get(`${gv}/${resource}`) : undefined) ?? this.#set.get(gv);
  }

  /** Keys that name something other than the given group versions (`apps/v1`, `v1`): the server should not start with them. */
  unknownKeys(groupVersions: ReadonlySet<string>): string[] {
    return [...this.#set.keys()].filter((key) => {
      if (STAGES.some(([stage]) => stage === key)) return false;
      const parts = key.split("/");
      const gv = /^v\d/.test(parts[0]!) ? parts[0]! : parts.slice(0, 2).join("/");
      return !groupVersions.has(gv);
    });
  }
}

/** A version or resource without a value is on; stages must be told by word. */
function valueOf(text: string, stage: boolean): boolean | undefined {
  if (stage) return text === "true" ? true : text === "false" ? false : undefined;
  return /^(true|1|t)?$/i.test(text) ? true : /^(false|0|f)$/i.test(text) ? false : undefined;
}

function faultOf(key: string): string | undefined {
  if (key === "api/legacy" || STAGES.some(([stage]) => stage === key)) return undefined;
  const version = "v[0-9]+((alpha|beta)[0-9]+)?";
  const ok = new RegExp(`^(?:(?:api/)?${version}|[a-z0-9.-]+/${version})(?:/[a-z]+)?$`).test(key);
  return ok ? undefined : "should be api/all, api/ga, api/beta, api/alpha, v1, group/version or group/version/resource";
}
