/** Reading of configuration files. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where configuration files are read. Both throw an Error that says why not. */
export interface ConfigFiles {
  /** The path with the process's directory before it, if it is relative. */
  absolute(path: string): string;
  /** The file's text. */
  read(path: string): string;
  /** Paths of all files below a directory: by name in each directory, those of a subdirectory in its place. */
  below(directory: string): string[];
}

const LARGEST = 16 * 1024 * 1024;
/** So many files are read of a directory, and so deep. */
const MOST_FILES = 1_000;
const DEEPEST = 16;

/** The files of this host. */
export const hostFiles: ConfigFiles = {
  absolute: (path) => resolve(path),
  read(path) {
    const { size } = statSync(path);
    if (size > LARGEST) throw new Error(`${JSON.stringify(path)} is larger than ${LARGEST} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  },
  below(directory) {
    const found: string[] = [];
    walk(directory, DEEPEST, found);
    return found;
  },
};

function walk(directory: string, left: number, found: string[]): void {
  if (left === 0) throw new Error(`${JSON.stringify(directory)} lies deeper than ${DEEPEST} directories`);
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) walk(path, left - 1, found);
    else if (found.push(path) > MOST_FILES) {
      throw new Error(`${JSON.stringify(directory)}: more than ${MOST_FILES} files`);
    }
  }
}
