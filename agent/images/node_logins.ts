/** Credentials of the node itself: Docker's files at the usual places. */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Clock } from "../types.ts";
import { type Logins, readLogins } from "./docker_config.ts";
import { Keyring } from "./keyring.ts";

/** They are looked at again after so many ms. */
const FRESH = 5 * 60_000;
/** Longest file, bytes. */
const LONGEST = 10 * 1024 * 1024;

/** See the top of the file. */
export class NodeLogins {
  #read: Promise<Keyring> | undefined;
  #readAt = 0;

  /** @param rootDir of `--root-dir`: the first place */
  constructor(readonly rootDir: string, readonly clock: Clock) {}

  /** The first file that can be read; empty without one. Never throws. */
  keyring(): Promise<Keyring> {
    const now = this.clock.ticks();
    if (!this.#read || now - this.#readAt > FRESH) {
      this.#read = this.#first();
      this.#readAt = now;
    }
    return this.#read;
  }

  async #first(): Promise<Keyring> {
    const keyring = new Keyring();
    const home = homedir();
    const modern = [this.rootDir, ".", join(home, ".docker"), "/.docker"].map((dir) => join(dir, "config.json"));
    const older = [this.rootDir, ".", home, "/"].map((dir) => join(dir, ".dockercfg"));
    for (const path of [...modern, ...older]) {
      const logins = await loginsIn(resolve(path), modern.includes(path)).catch(() => undefined);
      if (!logins) continue;
      keyring.add(logins);
      break;
    }
    return keyring;
  }
}

async function loginsIn(path: string, modern: boolean): Promise<Logins | undefined> {
  const bytes = await readFile(path);
  return bytes.length > LONGEST ? undefined : readLogins(bytes.toString(), modern);
}
