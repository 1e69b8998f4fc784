/** The admission configuration file, the files that it names, and the folders of manifests that those name. */
import { dirname, isAbsolute, join } from "node:path";
import { type PluginConfigs, readAdmissionConfig } from "../admission/config.ts";
import { folderText, isManifest } from "../admission/manifests/folder.ts";
import { MANIFESTS_GATE } from "../../schema/rules/admissionregistration/manifest_names.ts";
import { currentSoon } from "./current.ts";
import { readText } from "./files.ts";
import type { Options } from "./parse.ts";

const OPTION = "admission-control-config-file";

/** What the files come to. */
export interface AdmissionFiles {
  /** Configurations of the plugins. */
  readonly pluginConfigs: PluginConfigs;
  /** Their folders of manifests, by plugin, as they are at the time ({@linkcode folderText}). */
  readonly manifests: ReadonlyMap<string, () => string>;
}

/**
 * Nothing without the option. Paths in the file start at its folder. `now` in ms; `failed` hears of folders that cannot be read later.
 * @throws Error that tells all faults of the configurations, or of a folder that cannot be read
 */
export function admissionFiles(
  options: Pick<Options, "admissionControlConfigFile" | "product" | "gates">,
  now: () => number,
  failed?: (error: unknown) => void,
): AdmissionFiles {
  const path = options.admissionControlConfigFile;
  if (path === "") return { pluginConfigs: new Map(), manifests: new Map() };
  const from = dirname(path);
  const read = (p: string) => readText(OPTION, isAbsolute(p) ? p : join(from, p));
  const pluginConfigs = readAdmissionConfig(readText(OPTION, path), options.product, read);
  const manifests = new Map<string, () => string>();
  for (const [plugin, { staticManifestsDir: folder }] of pluginConfigs) {
    if (typeof folder !== "string" || folder === "") continue;
    if (!options.gates.enabled(MANIFESTS_GATE)) {
      throw new Error(`--${OPTION}: ${plugin}: staticManifestsDir needs the feature gate ${MANIFESTS_GATE}`);
    }
    const text = () => textOf(folder);
    manifests.set(plugin, currentSoon(text(), text, now, failed));
  }
  return { pluginConfigs, manifests };
}

/** The manifests in a folder; folders in it and other files are left out. @throws Error that names what cannot be read */
function textOf(folder: string): string {
  const names: string[] = [];
  try {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      if (!isDirectory && isManifest(name)) names.push(name);
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0] : cause;
    throw new Error(`--${OPTION}: cannot read the folder ${JSON.stringify(folder)}: ${why}`, { cause });
  }
  return folderText(names.map((name) => ({ name, text: readText(OPTION, join(folder, name)) })));
}
