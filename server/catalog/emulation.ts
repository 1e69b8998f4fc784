/** Which rows of the resource table an emulated version has (specification, "Versioning", 4). */
import { FORMER, RESOURCES } from "../../schema/api/resources.ts";
import { DROPPED } from "../../schema/modules.ts";
import type { ResourceRow } from "../../schema/model/table.ts";

/** What the options ask for. */
export interface Emulation {
  /** Minor version to behave as. */
  readonly minor: number;
  /** Later beta and stable versions of what is served are served too. */
  readonly forward: boolean;
  /** By what name a resource was asked for: its own, or that of its group and version. */
  named(row: ResourceRow): "resource" | "version" | undefined;
  /** What is newer may be asked for by name; the server does not start with it otherwise. */
  readonly newerByName: boolean;
}

/** Minor versions of the public API between which a kind lives. */
export interface Lifetime {
  readonly introduced?: string;
  readonly removed?: string;
}

/** Versions that came with a release which their kinds do not tell. */
const CAME: Readonly<Record<string, string>> = { "scheduling.k8s.io/v1alpha3": "1.37" };

/**
 * Rows of the emulated version: those that came later are not there yet, those that went later still are.
 * `local` gives a group's name in the server's dialect.
 * @throws Error when one that came later was asked for by name, and may not be
 */
export function rowsOf(
  emulation: Emulation,
  lifetime: (row: ResourceRow) => Lifetime,
  local: (publicGroup: string) => string,
): ResourceRow[] {
  const { minor } = emulation;
  const kept = [...RESOURCES, ...FORMER, ...DROPPED].filter((r) => minor < minorOf(lifetime(r).removed, Infinity));
  const there = (r: ResourceRow) => minorOf(lifetime(r).introduced ?? CAME[versionOf(r)], 0) <= minor;
  const known = new Set(kept.filter(there).map(idOf));
  const later = (r: ResourceRow) => emulation.forward && !r.version.includes("alpha") && known.has(idOf(r));
  const newer = kept.filter((r) => !there(r) && !later(r) && emulation.named(r) !== undefined);
  if (!emulation.newerByName) refuse(newer, new Set(kept.filter(there).map(versionOf)), emulation, local);
  return kept.filter((r) => there(r) || later(r) || (emulation.newerByName && newer.includes(r)));
}

/** A version that was there already may be named, though not all of its resources were. */
function refuse(
  newer: readonly ResourceRow[],
  versions: ReadonlySet<string>,
  emulation: Emulation,
  local: (publicGroup: string) => string,
): void {
  const wrong = newer.find((r) => emulation.named(r) === "resource" || !versions.has(versionOf(r)));
  if (!wrong) return;
  const version = versionOf({ ...wrong, group: local(wrong.group) });
  const name = emulation.named(wrong) === "resource" ? `${version}/${wrong.resource}` : version;
  const option = "--runtime-config-emulation-forward-compatible";
  throw new Error(
    `--runtime-config: ${name} is newer than the emulated version 1.${emulation.minor}; ${option} allows it`,
  );
}

const versionOf = (r: ResourceRow): string => `${r.group}/${r.version}`;
const idOf = (r: ResourceRow): string => `${r.group}/${r.resource}`;

/** `1.36` → 36. */
export const minorOf = (version: string | undefined, otherwise: number): number =>
  version === undefined ? otherwise : Number(version.split(".")[1]);
