/** Figures of this process. */
import {
  PROCESS_FILES,
  PROCESS_OPEN_FILES,
  type ProcessFigures,
  processFigures,
} from "../../schema/values/process_figures.ts";

/** What the process takes now; nothing where the kernel does not tell. */
export function readProcess(): ProcessFigures | undefined {
  const read = (name: keyof typeof PROCESS_FILES): string => Deno.readTextFileSync(PROCESS_FILES[name]);
  try {
    const texts = {
      stat: read("stat"),
      status: read("status"),
      system: read("system"),
      limits: read("limits"),
      network: read("network"),
    };
    return processFigures(texts, [...Deno.readDirSync(PROCESS_OPEN_FILES)].length);
  } catch {
    return undefined;
  }
}
