/** Which rows of the resource table an emulated version has (specification, "Versioning", 4). */
import { FORMER, RESOURCES } from "../../schema/api/resources.ts";
import type { ResourceRow } from "../../schema/model/table.ts";

/** What the options ask for. */
export interface Emulation {
  /** Minor version to behave as. */
  readonly minor: number;
  /** Later beta and stable versions of what is served are served too. */
  readonly forward: boolean;
  /** Whether a resource that is newer was asked for by name, and may be. */
  named(row: ResourceRow): boolean;
}

/** Minor versions of the public API between which a kind lives. */
export interface Lifetime {
  readonly introduced?: string;
  readonly removed?: string;
}

/** Rows of the emulated version: those that came later are not there yet, those that went later still are. */
export function rowsOf(emulation: Emulation, lifetime: (row: ResourceRow) => Lifetime): ResourceRow[] {
  const { minor } = emulation;
  const kept = [...RESOURCES, ...FORMER].filter((r) => minor < minorOf(lifetime(r).removed, Infinity));
  const there = (r: ResourceRow) => minorOf(lifetime(r).introduced, 0) <= minor;
  const known = new Set(kept.filter(there).map(idOf));
  const later = (r: ResourceRow) => emulation.forward && !r.version.includes("alpha") && known.has(idOf(r));
  return kept.filter((r) => there(r) || later(r) || emulation.named(r));
}

const idOf = (r: ResourceRow): string => `${r.group}/${r.resource}`;

/** `1.36` → 36. */
export const minorOf = (version: string | undefined, otherwise: number): number =>
  version === undefined ? otherwise : Number(version.split(".")[1]);
