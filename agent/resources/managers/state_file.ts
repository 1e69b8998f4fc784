/** Files in which managers keep who has what, in the public agent's form (`cpu_manager_state`, `memory_manager_state`). */
import { writeWholeSync } from "../../files.ts";

/** A kept state, as its file holds it. */
export interface Kept {
  readonly policyName: string;
  readonly [member: string]: unknown;
}

const OFFSET = 0x811c9dc5, PRIME = 0x01000193;

/** The public agent's sum of what is kept: FNV-1a over how Go shows it. */
export function sumOf(shown: string): number {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(shown)) {
    hash = Math.imul(hash ^ byte, PRIME) >>> 0;
  }
  return hash;
}

const shown = (text: string): string => `(string)${text}`;

/** Public agents before 1.37 have no text that counts: there the members do. @throws Error: it is damaged */
function keptIn({ data, dataChecksum, ...members }: Record<string, unknown>): Kept {
  if (data === undefined && dataChecksum === undefined) return members as Kept;
  if (typeof data !== "string" || sumOf(shown(data)) !== dataChecksum) throw new Error("checkpoint is corrupted");
  return JSON.parse(data) as Kept;
}

/** Reads a file; undefined where there is none. @throws Error: it is damaged, or of another policy */
export function readState(path: string, policyName: string): Kept | undefined {
  const text = (() => {
    try {
      return Deno.readTextFileSync(path);
    } catch (e) {
      if (e instanceof Deno.errors.NotFound) return undefined;
      throw e;
    }
  })();
  if (text === undefined) return undefined;
  try {
    const kept = keptIn(JSON.parse(text));
    if (kept.policyName === policyName) return kept;
    throw new Error(`configured policy "${policyName}" differs from state checkpoint policy "${kept.policyName}"`);
  } catch (e) {
    throw new Error(
      `could not restore state from checkpoint: ${
        (e as Error).message
      }, please drain this node and delete the manager's ` +
        `checkpoint file "${path}" before restarting`,
      { cause: e },
    );
  }
}

/** The members stand beside the text that counts, for those who read the older form. */
export function writeState(path: string, kept: Kept): void {
  const data = JSON.stringify(kept);
  writeWholeSync(path, JSON.stringify({ ...kept, checksum: 0, data, dataChecksum: sumOf(shown(data)) }));
}
