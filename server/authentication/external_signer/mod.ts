/**
 * Signs service account tokens by a plugin (specification, "Authentication": `--service-account-signing-endpoint`). The server makes
 * the claims, the plugin header and signature; the keys that verify them are the plugin's.
 */
import { type Cancellable, signalOf } from "../../request.ts";
import { type TokenClaims, tokenPayload, type TokenSigner } from "../token_issuer.ts";
import { codeOf, type SignerCaller } from "./caller.ts";
import { signedBy } from "./header.ts";
import { SignerKeys } from "./keys.ts";
import { SIGNER } from "./messages.ts";
import type { SignerMetrics } from "./metrics.ts";

export type { SignerCaller } from "./caller.ts";
export { SignerMetrics } from "./metrics.ts";

/** What a signer is made of. */
export interface ExternalSignerOptions {
  readonly issuer: string;
  readonly caller: SignerCaller;
  readonly metrics: SignerMetrics;
  readonly now: () => number;
  readonly log: (level: "warn" | "error", text: string, detail?: unknown) => void;
}

/** How long the signer may take, ms. */
const METADATA_MS = 10_000;
const SIGN_MS = 60_000;
/** The shortest life of tokens that a signer must allow, seconds. */
const SHORTEST = 600;

/** See the top of the file. */
export class ExternalSigner implements TokenSigner {
  readonly keys: SignerKeys;
  readonly metrics: SignerMetrics;
  readonly #o: ExternalSignerOptions;
  #maxSeconds = 0;

  private constructor(options: ExternalSignerOptions) {
    const { caller, metrics, now, log } = this.#o = options;
    this.metrics = metrics;
    const failed = (e: unknown) => log("error", "the keys of the external signer stay as they were", e);
    this.keys = new SignerKeys({ caller, metrics, now, failed });
  }

  /** Waits for the signer's keys and what it says of itself. @throws Error when it has none, or allows too short lives */
  static async start(options: ExternalSignerOptions): Promise<ExternalSigner> {
    const signer = new ExternalSigner(options);
    try {
      await signer.keys.start();
      const { maxSeconds = 0 } = await options.caller.call(SIGNER.metadata, {}, { timeout: METADATA_MS });
      if (maxSeconds < SHORTEST) {
        throw new Error(`tokens of the signer live ${maxSeconds} seconds at most: it should be ${SHORTEST} or more`);
      }
      signer.#maxSeconds = maxSeconds;
      return signer;
    } catch (e) {
      signer.close();
      throw e;
    }
  }

  /** The longest life of its tokens, seconds. */
  get maxSeconds(): number {
    return this.#maxSeconds;
  }

  async sign(claims: TokenClaims, wanted?: AbortSignal | Cancellable): Promise<string> {
    try {
      const token = await this.#sign(claims, signalOf(wanted));
      this.metrics.signed("OK");
      return token;
    } catch (e) {
      this.metrics.signed(codeOf(e));
      throw e;
    }
  }

  close(): void {
    this.keys.close();
    this.#o.caller.close();
  }

  async #sign(claims: TokenClaims, signal: AbortSignal | undefined): Promise<string> {
    const { caller, issuer } = this.#o;
    const bytes = new TextEncoder().encode(JSON.stringify(sorted(tokenPayload(claims, issuer))));
    const payload = bytes.toBase64({ alphabet: "base64url", omitPadding: true });
    const answer = await caller.call(SIGNER.sign, { claims: payload }, { timeout: SIGN_MS, signal });
    const { header = "", signature = "" } = answer;
    const known = await this.keys.keys(signedBy(header));
    if (known.some((key) => key.excluded)) {
      throw new Error("the signer signed by a key that only verifies older tokens");
    }
    if (signature === "") throw new Error("the signer gave no signature");
    return `${header}.${payload}.${signature}`;
  }
}

/** Members by name, at every depth: signers see what the public server would send them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
