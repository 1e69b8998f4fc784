/**
 * Who has opened which image: an image that was pulled with somebody's credentials is only for pods that have them too, or others that
 * open it. Kept in a file, so that it holds after a start of the agent.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { LogLine } from "../../schema/log/log.ts";
import { orAbsent, writeWhole } from "../files.ts";
import type { Credential } from "./keyring.ts";
import { fullName, parseImageName, withoutTag } from "./name.ts";

/** By whom one repository of an image was opened. */
interface Opened {
  /** Without credentials, or with the node's. */
  anyone?: boolean;
  owners: string[];
}

interface Kept {
  /** Images that are being pulled, in full, and those whose pull the agent's end cut off: they may be there. */
  pulling: string[];
  /** The runtime's reference, then the repository in full. */
  pulled: Record<string, Record<string, Opened>>;
  /** What was kept before could not be read: any image that is there may be one that was opened with credentials. */
  lost?: boolean;
}

/**
 * Whether an image that is there is for all, by `imagePullCredentialsVerificationPolicy`. `ours`: the agent pulled it; `listed`: the
 * allowlist has it.
 */
const FOR_ALL = new Map<string, (ours: boolean, listed: boolean) => boolean>([
  ["NeverVerify", () => true],
  ["NeverVerifyPreloadedImages", (ours) => !ours],
  ["NeverVerifyAllowlistedImages", (_, listed) => listed],
  ["AlwaysVerify", () => false],
]);

/** Owners kept of a repository. */
const MOST_OWNERS = 100;

/** See the top of the file. */
export class PulledImages {
  #kept: Kept = { pulling: [], pulled: {} };
  #writing: Promise<void> = Promise.resolve();
  readonly #prefixes: readonly string[];
  readonly #names: ReadonlySet<string>;

  private constructor(
    readonly path: string,
    readonly policy: string,
    allowlist: readonly string[],
    readonly log: LogLine,
  ) {
    this.#prefixes = allowlist.filter((p) => p.endsWith("/*")).map((p) => p.slice(0, -1));
    this.#names = new Set(allowlist.filter((p) => !p.endsWith("/*")));
  }

  /** @throws Error when it cannot be kept there */
  static async open(
    path: string,
    policy: string,
    allowlist: readonly string[],
    log: LogLine,
  ): Promise<PulledImages> {
    const pulled = new PulledImages(path, policy, allowlist, log);
    await mkdir(dirname(path), { recursive: true });
    try {
      const text = await orAbsent(readFile(path, "utf8"));
      if (text !== undefined) pulled.#kept = { ...pulled.#kept, ...JSON.parse(text) };
    } catch (e) {
      pulled.#kept.lost = true;
      log(
        "error",
        `${path} cannot be read: all images are pulled again where pods need credentials, until it is removed`,
        e,
      );
    }
    return pulled;
  }

  /** Whether the pod must pull an image that is there to show that it may use it. */
  async mustPull(image: string, ref: string, credentials: () => Promise<readonly Credential[]>): Promise<boolean> {
    const record = this.#kept.pulled[ref];
    const ours = record !== undefined || this.#kept.lost === true || this.#kept.pulling.includes(fullName(image));
    if (this.#isForAll(image, ours)) return false;
    const opened = record?.[parseImageName(image).repository];
    if (!opened) return true;
    if (opened.anyone) return false;
    const marks = (await credentials()).map(marksOf).find((marks) => marks.some((m) => opened.owners.includes(m)));
    if (!marks) return true;
    await this.#add(opened, marks);
    return false;
  }

  /** A pull begins. */
  async begin(image: string): Promise<void> {
    this.#kept.pulling.push(fullName(image));
    await this.#write();
  }

  /** It ended. @param ref undefined: it failed; @param credential what opened it */
  async end(image: string, ref: string | undefined, credential: Credential | undefined): Promise<void> {
    const name = fullName(image), at = this.#kept.pulling.indexOf(name);
    if (ref === undefined) {
      // Another pull of the same may have ended well meanwhile.
      if (at >= 0) this.#kept.pulling.splice(at, 1);
    } else {
      this.#kept.pulling = this.#kept.pulling.filter((other) => other !== name);
      const { repository } = parseImageName(image);
      const opened = (this.#kept.pulled[ref] ??= {})[repository] ??= { owners: [] };
      if (credential?.owner) await this.#add(opened, marksOf(credential));
      else opened.anyone = true;
    }
    await this.#write();
  }

  /** References of images that it knows. */
  get refs(): readonly string[] {
    return Object.keys(this.#kept.pulled);
  }

  /** Forgets images that are no longer there. */
  async forget(refs: readonly string[]): Promise<void> {
    for (const ref of refs) delete this.#kept.pulled[ref];
    if (refs.length > 0) await this.#write();
  }

  #isForAll(image: string, ours: boolean): boolean {
    const name = withoutTag(image);
    const listed = this.#names.has(name) || this.#prefixes.some((prefix) => name.startsWith(prefix));
    return FOR_ALL.get(this.policy)?.(ours, listed) ?? false;
  }

  async #add(opened: Opened, marks: readonly string[]): Promise<void> {
    const fresh = marks.filter((mark) => !opened.owners.includes(mark));
    if (fresh.length === 0) return;
    opened.owners = [...opened.owners, ...fresh].slice(-MOST_OWNERS);
    await this.#write();
  }

  /** One after the other. */
  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => writeWhole(this.path, JSON.stringify(this.#kept), 0o600)).catch((e) =>
      this.log("error", `${this.path} cannot be written`, e)
    );
    return this.#writing;
  }
}

/** By what an owner's credentials are known again: the object, and of a secret what it says too. */
function marksOf({ owner, username, password }: Credential): string[] {
  if (!owner) return [];
  const object = JSON.stringify([owner.kind, owner.namespace, owner.name, owner.uid]);
  if (owner.kind === "ServiceAccount") return [object];
  return [object, createHash("sha256").update(JSON.stringify([username, password])).digest("hex")];
}
