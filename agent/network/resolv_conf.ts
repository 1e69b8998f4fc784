/** The host's own way to look up names. */
import { open } from "node:fs/promises";

/** Of a `resolv.conf`, and what a pod is given. */
export interface Resolver {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  /** `ndots:5` */
  readonly options: readonly string[];
}

/** Largest file, bytes. */
const LARGEST = 10 * 1024 * 1024;

/** Each option once, the last of its name. */
function merged(options: readonly string[], more: readonly string[]): string[] {
  return [...new Map([...options, ...more].map((o) => [o.split(":", 1)[0], o])).values()];
}

/** @throws Error: a server has no address */
export function parseResolvConf(text: string): Resolver {
  const servers: string[] = [];
  let searches: string[] = [], options: string[] = [];
  for (const line of text.split("\n")) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === "nameserver") {
      if (rest[0] === undefined) throw new Error("nameserver list is empty ");
      servers.push(rest[0]);
    }
    // The last line of this kind counts.
    if (word === "search") searches = rest.filter((s) => s !== ".").map((s) => s.replace(/\.$/, ""));
    if (word === "options") options = merged(options, rest);
  }
  return { servers, searches, options };
}

/** @param path empty: none @throws Error: it cannot be read or is none */
export async function readResolvConf(path: string): Promise<Resolver> {
  if (path === "") return { servers: [], searches: [], options: [] };
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > LARGEST) throw new Error(`the read limit is reached: ${path}`);
    return parseResolvConf(await file.readFile("utf8"));
  } finally {
    await file.close();
  }
}
