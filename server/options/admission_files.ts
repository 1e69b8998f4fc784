/** The admission configuration file and the files that it names. */
import { dirname, isAbsolute, join } from "node:path";
import { type PluginConfigs, readAdmissionConfig } from "../admission/config.ts";
import { readText } from "./files.ts";
import type { Options } from "./parse.ts";

const OPTION = "admission-control-config-file";

/** Configurations of the plugins; none without the option. Paths in the file start at its folder. @throws Error that tells all faults */
export function admissionConfigs(options: Pick<Options, "admissionControlConfigFile" | "product">): PluginConfigs {
  const path = options.admissionControlConfigFile;
  if (path === "") return new Map();
  const from = dirname(path);
  const read = (p: string) => readText(OPTION, isAbsolute(p) ? p : join(from, p));
  return readAdmissionConfig(readText(OPTION, path), options.product, read);
}
