/**
 * Services of v1: each value has a data key of its own, encrypted by the service and stored before the value.
 *
 * Layout after the prefix: length of the encrypted key (2 bytes, big end first), the encrypted key, the value as
 * `aesgcm` stores it; values that others wrote as `aescbc` does are read too.
 */
import { aescbc, aesgcm, SEED } from "../ciphers.ts";
import type { Service } from "../table.ts";
import type { Opened, Parts, Transformer } from "../types.ts";
import { Checked } from "./checked.ts";
import type { KmsClient } from "./client.ts";
import type { ServiceContext } from "./context.ts";
import { DataKeys } from "./keys.ts";
import { V1 } from "./messages.ts";

const VERSION = "v1beta1";
const LENGTH = 2;

/** See the top of the file. */
export class ServiceV1 implements Service, Transformer {
  readonly version = "v1";
  readonly #keys: DataKeys;
  readonly #checked: Checked;
  #spoken: Promise<void> | undefined;

  /** `cacheSize`: data keys held. */
  constructor(readonly client: KmsClient, cacheSize: number, readonly context: ServiceContext) {
    this.#keys = new DataKeys(cacheSize);
    this.#checked = new Checked(context.elapsed, async () => {
      await this.#decrypt(await this.#encrypt(new TextEncoder().encode("ping")));
    });
  }

  get transformer(): Transformer {
    return this;
  }

  get checkMs(): number {
    return 2 * this.client.timeout;
  }

  check(): Promise<void> {
    return this.#checked.check();
  }

  close(): void {
    this.client.close();
  }

  async seal(plain: Uint8Array, key: string): Promise<Parts> {
    const { metrics, random } = this.context;
    metrics.arrived("to_storage");
    const made = metrics.generated(() => random(SEED));
    const encrypted = await this.#encrypt(made);
    if (encrypted.length === 0 || encrypted.length > 0xffff) {
      throw new Error(`the encrypted data key has ${encrypted.length} bytes`);
    }
    const transformer = this.#transformer(made);
    this.#keys.set(encrypted.toHex(), transformer);
    this.#counted();
    const data = await transformer.seal(plain, key);
    return [Uint8Array.of(encrypted.length >> 8, encrypted.length & 0xff), encrypted, ...data];
  }

  open(stored: Uint8Array, key: string): Opened | Promise<Opened> {
    this.context.metrics.arrived("from_storage");
    const length = (stored[0]! << 8) | stored[1]!;
    if (stored.length < LENGTH + length) throw new Error("the value does not hold the data key that it announces");
    const encrypted = stored.slice(LENGTH, LENGTH + length);
    const data = stored.subarray(LENGTH + length);
    const name = encrypted.toHex();
    const held = this.#keys.get(name);
    if (held) return held.open(data, key);
    return this.#keys.ask(name, async () => {
      this.context.metrics.missed();
      return this.#transformer(await this.#decrypt(encrypted));
    }).then((transformer) => {
      this.#counted();
      return transformer.open(data, key);
    });
  }

  #transformer(key: Uint8Array): Transformer {
    if (![16, 24, 32].includes(key.length)) throw new Error(`the data key has ${key.length} bytes`);
    return new Either(aesgcm(key, this.context.random), aescbc(key, this.context.random));
  }

  #counted(): void {
    if (this.#keys.limit > 0) this.context.metrics.filled(this.#keys.size / this.#keys.limit);
  }

  async #encrypt(plain: Uint8Array): Promise<Uint8Array> {
    await this.#speaks();
    return (await this.client.call(V1.encrypt, { version: VERSION, plain })).cipher ?? new Uint8Array();
  }

  async #decrypt(cipher: Uint8Array): Promise<Uint8Array> {
    await this.#speaks();
    return (await this.client.call(V1.decrypt, { version: VERSION, cipher })).plain ?? new Uint8Array();
  }

  /** Asks for the service's version until it answered once. */
  async #speaks(): Promise<void> {
    this.#spoken ??= this.#ask();
    try {
      await this.#spoken;
    } catch (e) {
      this.#spoken = undefined;
      throw e;
    }
  }

  async #ask(): Promise<void> {
    const { version = "" } = await this.client.call(V1.version, { version: VERSION });
    if (version === VERSION) return;
    throw new Error(`key management service ${JSON.stringify(this.client.name)} speaks ${version}, not ${VERSION}`);
  }
}

/** Writes by one transformer, reads by two. */
class Either implements Transformer {
  constructor(readonly first: Transformer, readonly second: Transformer) {}

  seal(plain: Uint8Array, key: string): Parts | Promise<Parts> {
    return this.first.seal(plain, key);
  }

  open(stored: Uint8Array, key: string): Opened {
    try {
      return this.first.open(stored, key) as Opened;
    } catch (e) {
      try {
        return { plain: (this.second.open(stored, key) as Opened).plain, stale: true };
      } catch {
        throw e;
      }
    }
  }
}
