/**
 * Services of v2. The service encrypts one seed; each value has a key of its own, derived from the seed. The seed is
 * replaced when the service says that it uses another key. Reads need no call while their seed is held; writes fail when
 * the service has not been well for three minutes.
 */
import { concat } from "../../../../schema/values/bytes.ts";
import { copyTree } from "../../../../schema/values/copy.ts";
import { StorageError } from "../../backend.ts";
import { aesgcm, SEED, seeded } from "../ciphers.ts";
import { hashOf } from "../metrics.ts";
import type { Service } from "../table.ts";
import type { Opened, Parts, Transformer } from "../types.ts";
import { Checked } from "./checked.ts";
import type { KmsClient } from "./client.ts";
import { checkEncrypted, keyIdFault } from "./limits.ts";
import { DataKeys } from "./keys.ts";
import { type Annotation, decodeEncrypted, encodeEncrypted, type EncryptedObject, SOURCE, V2 } from "./messages.ts";
import type { ServiceContext } from "./context.ts";

/** The seed that writes. */
interface Current {
  readonly keyId: string;
  readonly source: Uint8Array;
  readonly annotations: readonly Annotation[];
  readonly transformer: Transformer;
  /** By the clock that is never set, ms. */
  readonly expires: number;
}

/** How long a seed may write after the service was last well, ms. */
const WRITE_MS = 3 * 60_000;
/** Pauses between looks at the service, when it is well and when it is not, ms. */
const WELL_MS = 60_000;
const ILL_MS = 10_000;
/** Refused seeds that are asked for again; of more, the oldest are not. */
const REFUSED = 1_000;
/** Seeds held for reading; about one for each start of a server and each key of the service. */
const HELD = 10_000;
const NO_DATA = new Uint8Array();
const VERSIONS = ["v2", "v2beta1"];

/** See the top of the file. */
export class ServiceV2 implements Service, Transformer {
  readonly version = "v2";
  readonly #keys = new DataKeys(HELD);
  readonly #checked: Checked;
  /** Seeds that the service would not decrypt, by their names, until those who met them were told that it does. */
  readonly #refused = new Map<string, EncryptedObject>();
  mended?: () => void;
  #current: Current | undefined;
  #spoken: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(readonly client: KmsClient, readonly context: ServiceContext) {
    this.#checked = new Checked(context.elapsed, () => this.#look());
  }

  get transformer(): Transformer {
    return this;
  }

  get checkMs(): number {
    return this.client.timeout;
  }

  /** Asks the service for the first time and goes on asking. One that is not well is no error: it may come. */
  async start(): Promise<void> {
    const failed = await this.check().then(() => undefined, (e: Error) => e);
    if (failed) {
      this.context.log(
        "warn",
        `key management service ${JSON.stringify(this.client.name)} is not well`,
        failed.message,
      );
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.start(), failed ? ILL_MS : WELL_MS);
  }

  check(): Promise<void> {
    return this.#checked.check();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.client.close();
  }

  seal(plain: Uint8Array, key: string): Parts {
    const { name } = this.client;
    const current = this.#current;
    if (!current) {
      throw new StorageError("sealed", `key management service ${JSON.stringify(name)} gave no key yet`);
    }
    const { keyId, source, annotations, transformer, expires } = current;
    const { now, elapsed } = this.context, late = elapsed() - expires;
    if (late > 0) {
      const at = new Date(now() - late).toISOString();
      throw new StorageError(
        "sealed",
        `the data key of ${JSON.stringify(name)} (${hashOf(keyId)}) expired at ${at}`,
      );
    }
    this.context.metrics.used("to_storage", name, keyId);
    const data = concat(transformer.seal(plain, key) as Parts);
    return [encodeEncrypted({ data, keyId, source, annotations, sourceType: SOURCE.seed })];
  }

  open(stored: Uint8Array, key: string): Opened | Promise<Opened> {
    const object = decodeEncrypted(stored);
    checkEncrypted(object);
    const name = cacheName(object);
    const held = this.#keys.get(name);
    const read = (transformer: Transformer): Opened => {
      this.context.metrics.used("from_storage", this.client.name, object.keyId);
      const { plain } = transformer.open(object.data, key) as Opened;
      return { plain, stale: object.sourceType !== SOURCE.seed || object.keyId !== this.#current?.keyId };
    };
    if (held) return read(held);
    return this.#ask(name, object).then(read);
  }

  /** A seed from the service. @throws StorageError where it does not answer, Error where it refuses */
  async #ask(name: string, object: EncryptedObject): Promise<Transformer> {
    try {
      const transformer = await this.#keys.ask(name, () => this.#decrypt(object));
      this.#counted();
      return transformer;
    } catch (e) {
      if (e instanceof StorageError) throw e;
      this.#refused.delete(name);
      // Its parts are of a page, which would stay with each of them.
      this.#refused.set(name, copyTree({ ...object, data: NO_DATA }));
      if (this.#refused.size > REFUSED) this.#refused.delete(this.#refused.keys().next().value!);
      throw e;
    }
  }

  /** Asks again for what was refused, until something is, and tells. Whoever has a seed meanwhile does not know who else met it. */
  async #again(): Promise<void> {
    let mended = false;
    for (const [name, object] of [...this.#refused]) {
      if (this.#closed || !await this.#ask(name, object).then(() => true, () => false)) break;
      this.#refused.delete(name);
      mended = true;
    }
    if (mended) this.mended?.();
  }

  #counted(): void {
    this.context.metrics.sources(this.client.name, this.#keys.size);
  }

  async #decrypt({ source, keyId, annotations, sourceType }: EncryptedObject): Promise<Transformer> {
    this.context.metrics.missed();
    const request = { ciphertext: source, uid: crypto.randomUUID(), keyId, annotations };
    const { plaintext = new Uint8Array() } = await this.client.call(V2.decrypt, request);
    const { random } = this.context;
    if (sourceType === SOURCE.seed) return seeded(plaintext, random);
    if (![16, 24, 32].includes(plaintext.length)) throw new Error(`the data key has ${plaintext.length} bytes`);
    return aesgcm(plaintext, random);
  }

  async #look(): Promise<void> {
    const { name } = this.client;
    const status = await this.client.call(V2.status, {});
    const faults: string[] = [];
    if (status.healthz !== "ok") faults.push(`it says of its health: ${JSON.stringify(status.healthz ?? "")}`);
    faults.push(...this.#versionFaults(status.version ?? ""));
    const keyId = status.keyId ?? "";
    const why = keyIdFault(keyId);
    if (why) {
      this.context.metrics.keyIdInvalid(name, keyId === "" ? "empty" : "too_long");
      faults.push(`its key ${hashOf(keyId)}: ${why}`);
    } else {
      this.context.metrics.keyIdSeen(name, keyId);
      await this.#rotate(keyId).catch((e: Error) => faults.push(e.message));
    }
    if (faults.length > 0) throw new Error(`key management service ${JSON.stringify(name)}: ${faults.join("; ")}`);
    if (this.#refused.size > 0) await this.#again();
  }

  #versionFaults(version: string): string[] {
    if (!VERSIONS.includes(version)) return [`it speaks version ${JSON.stringify(version)}, not v2`];
    this.#spoken ??= version;
    return version === this.#spoken ? [] : [`it spoke version ${this.#spoken} and speaks ${version} now`];
  }

  /** Keeps the seed while the service's key stays, else makes another. A failure leaves the old one in use until it expires. */
  async #rotate(keyId: string): Promise<void> {
    const { elapsed, random, metrics } = this.context;
    const expires = elapsed() + WRITE_MS;
    if (this.#current?.keyId === keyId) {
      this.#current = { ...this.#current, expires };
      return;
    }
    const seed = metrics.generated(() => random(SEED));
    const made = await this.client.call(V2.encrypt, { plaintext: seed, uid: crypto.randomUUID() });
    const { ciphertext: source = new Uint8Array(), annotations } = made;
    const object = { data: Uint8Array.of(0), keyId: made.keyId ?? "", source, annotations, sourceType: SOURCE.seed };
    checkEncrypted(object);
    if (object.keyId !== keyId) {
      throw new Error(`it encrypts by key ${hashOf(object.keyId)}, and said to use ${hashOf(keyId)}`);
    }
    const transformer = seeded(seed, random);
    this.#keys.set(cacheName(object), transformer);
    this.#counted();
    this.#current = { keyId, source, annotations, transformer, expires };
  }
}

/** All that a data key depends on, in one text. */
function cacheName({ source, keyId, annotations, sourceType }: EncryptedObject): string {
  const hex = (bytes: Uint8Array = new Uint8Array()) => bytes.toHex();
  const rest = annotations.length === 0 ? "" : annotations.map((a) => `${a.key}=${hex(a.value)}`).sort().join();
  return `${sourceType} ${hex(source)} ${keyId.length} ${keyId} ${rest}`;
}
