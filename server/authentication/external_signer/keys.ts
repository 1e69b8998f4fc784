/** The keys of an external signer: held, asked for again when it says so, and when a token names one that is not known. */
import { createPublicKey } from "node:crypto";
import { pause } from "../../pause.ts";
import { toPem } from "../../../pki/mod.ts";
import { byteLength } from "../../../schema/values/utf8.ts";
import { algorithmsOf, type VerifyKey } from "../keys.ts";
import type { KeySource } from "../key_source.ts";
import { codeOf, type SignerCaller } from "./caller.ts";
import { SIGNER, type ToldKey, type ToldKeys } from "./messages.ts";
import type { SignerMetrics } from "./metrics.ts";

/** What the keys are held with. */
export interface SignerKeysOptions {
  readonly caller: SignerCaller;
  readonly metrics: SignerMetrics;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Told of a failure that leaves the keys as they were. */
  readonly failed: (error: unknown) => void;
  /** How time is waited for. Default: by the runtime's timers. */
  readonly wait?: typeof pause;
}

/** How long the signer may take, ms. */
const FETCH_MS = 60_000;
/** When it is asked again after a failure, ms. */
const AGAIN_MS = 10_000;
/** For the sake of unknown ids, which anybody can make up, it is asked that long after the last time, ms. */
const PACE_MS = 1_000;
/** Timers take no more, ms. */
const LONGEST_MS = 2 ** 31 - 1;
const KEY_ID = 1024;
/** Years 1 to 9999 in seconds since the epoch. */
const FIRST = -62_135_596_800;
const LAST = 253_402_300_799;

/** The signer's key, and whether it only verifies what was signed before. */
interface HeldKey extends VerifyKey {
  readonly excluded: boolean;
}

/** See the top of the file. */
export class SignerKeys implements KeySource {
  readonly #o: SignerKeysOptions;
  #all: readonly HeldKey[] = [];
  #published: readonly HeldKey[] = [];
  /** When the signer wants to be asked again, ms since the epoch. */
  #next = 0;
  #stamp = "";
  /** When it was asked, ms since the epoch. */
  #asked = 0;
  #fetching: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #closed = new AbortController();

  constructor(options: SignerKeysOptions) {
    this.#o = options;
  }

  /** Asks for the first time and goes on asking. @throws Error when there are no keys */
  async start(): Promise<void> {
    await this.fetch();
    this.#schedule(this.#next - this.#o.now());
  }

  async keys(id: string | undefined): Promise<readonly HeldKey[]> {
    const known = this.#of(id);
    if (known.length > 0) return known;
    try {
      await (this.#renewing ??= this.#renewed().finally(() => this.#renewing = undefined));
    } catch (e) {
      if (!this.#closed.signal.aborted) this.#o.failed(e);
      return [];
    }
    return this.#of(id);
  }

  published(): readonly VerifyKey[] {
    return this.#published;
  }

  maxAge(): number {
    return Math.max(0, Math.floor((this.#next - this.#o.now()) / 1000));
  }

  /** Asks for the keys; those who ask at the same time share a call. @throws Error when they cannot be had */
  async fetch(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => this.#fetching = undefined);
    await this.#fetching;
  }

  close(): void {
    this.#closed.abort();
    clearTimeout(this.#timer);
  }

  #of(id: string | undefined): readonly HeldKey[] {
    return id === undefined || id === "" ? this.#all : this.#all.filter((key) => key.kid === id);
  }

  #schedule(ms: number): void {
    if (this.#closed.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#again(), Math.min(Math.max(ms, 0), LONGEST_MS));
  }

  async #again(): Promise<void> {
    try {
      await this.fetch();
      this.#schedule(this.#next - this.#o.now());
    } catch (e) {
      if (!this.#closed.signal.aborted) this.#o.failed(e);
      this.#schedule(AGAIN_MS);
    }
  }

  /** Keys that are newer than whoever asks, who waits for his turn: a new key would else be unknown while others are made up. */
  async #renewed(): Promise<void> {
    const { now, wait = pause } = this.#o;
    const rest = this.#asked + PACE_MS - now();
    // A clock that was put back makes nobody wait longer.
    if (rest > 0) await wait(Math.min(rest, PACE_MS), this.#closed.signal);
    await this.fetch();
  }

  async #fetch(): Promise<void> {
    const { caller, metrics, now } = this.#o;
    this.#asked = now();
    try {
      const told = await caller.call(SIGNER.fetchKeys, {}, { timeout: FETCH_MS });
      const { keys, timestamp, refreshHint } = read(told);
      this.#take(keys, timestamp);
      this.#next = now() + refreshHint * 1000;
      metrics.fetched(now() / 1000, timestamp);
    } catch (e) {
      metrics.fetchFailed(codeOf(e));
      throw e;
    }
  }

  /** What is published stays the same array while nothing of it changed. */
  #take(keys: readonly HeldKey[], timestamp: number): void {
    this.#all = keys;
    const stamp = JSON.stringify([timestamp, keys.map((key) => [key.kid, key.excluded])]);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#published = keys.filter((key) => !key.excluded);
  }
}

/** @throws Error that says what is wrong */
function read({ keys, timestamp, refreshHint = 0 }: ToldKeys) {
  if (refreshHint <= 0) throw new Error(`the signer's refresh hint is ${refreshHint} seconds, not above zero`);
  if (keys.length === 0) throw new Error("the signer has no keys");
  const { seconds = 0, nanos = 0 } = timestamp ?? { seconds: NaN };
  if (!(seconds >= FIRST && seconds <= LAST && nanos >= 0 && nanos < 1e9)) {
    throw new Error("the signer does not tell how old its keys are");
  }
  return { keys: keys.map(keyOf), timestamp: seconds + nanos / 1e9, refreshHint };
}

function keyOf({ keyId = "", key = new Uint8Array(), excluded = false }: ToldKey): HeldKey {
  const size = byteLength(keyId);
  if (size === 0 || size > KEY_ID) throw new Error(`a key's id has ${size} bytes: it should have 1 to ${KEY_ID}`);
  if (key.length === 0) throw new Error(`the key ${JSON.stringify(keyId)} is empty`);
  const read = createPublicKey(toPem("PUBLIC KEY", key));
  return { kid: keyId, key: read, algorithms: algorithmsOf(read), excluded };
}
