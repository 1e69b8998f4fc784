/** Configuration files in memory, and what a parser says of them. */
import type { ConfigFiles } from "../../../agent/config/mod.ts";
import { type AgentOptions, parseOrchletOptions } from "../../../agent/options/mod.ts";

/** Files by absolute path; the process stands in `/work`. */
export const filesOf = (files: Readonly<Record<string, string>>): ConfigFiles => ({
  absolute: (path) => new URL(path, "file:///there/").pathname,
  read(path) {
    if (!Object.hasOwn(files, path)) throw new Error("no such file");
    return files[path]!;
  },
  below: (directory) => Object.keys(files).filter((path) => path.startsWith(`${directory}/`)).sort(),
});

const NONE = filesOf({});

/** Head of a file that public clients write. */
export const HEAD = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

/** Options of a command line that is right. @throws Error with all that is wrong */
export function run(argv: readonly string[], files: ConfigFiles = NONE): AgentOptions {
  const parsed = parseOrchletOptions(argv, files);
  if (parsed.kind !== "run") throw new Error(JSON.stringify(parsed));
  return parsed.options;
}

/** What is wrong with a command line, a line each; empty when nothing is. */
export function faults(argv: readonly string[], files: ConfigFiles = NONE): string {
  const parsed = parseOrchletOptions(argv, files);
  return parsed.kind === "errors" ? parsed.errors.join("\n") : "";
}

/** The same for one configuration file. */
export const fileFaults = (yaml: string, ...argv: string[]): string =>
  faults(["--config=/etc/c.yaml", ...argv], filesOf({ "/etc/c.yaml": HEAD + yaml }));

/** Options of one configuration file. */
export const runFile = (yaml: string, ...argv: string[]): AgentOptions =>
  run(["--config=/etc/c.yaml", ...argv], filesOf({ "/etc/c.yaml": HEAD + yaml }));
