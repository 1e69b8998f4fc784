/** Pairs on disk: each in a file of its date, certificate and key together, and a link to the one in use. */
import { lstat, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fits, type KeyPair } from "../../pki/pair.ts";
import { pairIn } from "../../schema/connection.ts";

/** See the top of the file. */
export class PairStore {
  /** The link. */
  readonly path: string;
  readonly #directory: string;
  readonly #prefix: string;
  #current: KeyPair | undefined;

  /** @param directory `--cert-dir`; @param prefix `kubelet-client` */
  constructor(directory: string, prefix: string) {
    this.#directory = resolve(directory);
    this.#prefix = prefix;
    this.path = join(this.#directory, `${prefix}-current.pem`);
  }

  /** The pair in use; undefined: there is none, or none that can be read. */
  get current(): KeyPair | undefined {
    return this.#current;
  }

  /** Reads what an earlier process left. */
  async load(): Promise<KeyPair | undefined> {
    const text = await readFile(this.path, "utf8").catch(() => undefined);
    const pair = text === undefined ? undefined : pairIn(text);
    return this.#current = pair && fits(pair) ? pair : undefined;
  }

  /** Takes another pair into use. @throws Error when it is none, or cannot be written */
  async update(pair: KeyPair, now: number): Promise<void> {
    if (!fits(pair)) throw new Error("the certificate is not that of the key");
    await mkdir(this.#directory, { recursive: true });
    const date = new Date(now).toISOString().slice(0, 19).replace(/[T:]/g, "-");
    const file = join(this.#directory, `${this.#prefix}-${date}.pem`);
    await writeFile(file, `${pair.cert.trim()}\n${pair.key.trim()}\n`, { mode: 0o600 });
    const old = await lstat(this.path).catch(() => undefined);
    if (old && !old.isSymbolicLink()) throw new Error(`expected ${JSON.stringify(this.path)} to be a symlink`);
    const next = join(this.#directory, `${this.#prefix}-updated.pem`);
    await rm(next, { force: true });
    await symlink(file, next);
    await rename(next, this.path);
    this.#current = pair;
  }
}
