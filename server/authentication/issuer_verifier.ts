/** Tokens of one issuer, verified by the keys that it publishes. */
import { createLocalJWKSet, errors as joseErrors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { isMap } from "../../schema/model/members.ts";
import { namesOf } from "./compact_token.ts";
import { TokenError } from "./token.ts";

/**
 * Fetches a text of an issuer, with its authorities trusted, for the bearer of a token where there is one.
 * @throws Error when it cannot
 */
export type FetchText = (url: string, signal: AbortSignal, bearer?: string) => Promise<string>;

/** Whose tokens are taken, and of them which. */
export interface TrustedIssuer {
  readonly url: string;
  /** Where the discovery document is, when not under the issuer's own URL. */
  readonly discoveryUrl?: string;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
}

/** What {@linkcode issuerVerifier} needs. */
export interface VerifierOptions {
  readonly issuer: TrustedIssuer;
  readonly fetchText: FetchText;
  readonly now: () => number;
  /** Hears that keys were asked for; undefined: they did not come. */
  asked?(keys: string | undefined): void;
}

/** Verifies tokens of one issuer. */
export interface IssuerVerifier {
  /** Its keys are known. @throws Error where they cannot be had */
  ready(): Promise<void>;
  /** The claims of a token of it, signed, for one of the audiences and in its time. @throws TokenError for any other */
  claims(token: string): Promise<JWTPayload>;
}

/** Keys are asked for again that long after a failure, or when a token names an unknown one. */
const COOLDOWN = 10_000;
const TIMEOUT = 10_000;
/** Seconds that an issuer's clock may be ahead. */
const AHEAD = 60;

type KeySet = ReturnType<typeof createLocalJWKSet>;

/**
 * Keys go by their ids: what else they say of their use binds nobody on the public server. The options say which algorithms are good.
 * @throws TokenError for what is no set of keys
 */
function keysIn(text: string): JSONWebKeySet {
  const keys = (JSON.parse(text) as Partial<JSONWebKeySet> | null)?.keys;
  if (!Array.isArray(keys) || !keys.every((key) => isMap(key))) {
    throw new TokenError("what jwks_uri leads to is no set of keys");
  }
  return { keys: keys.map(({ alg: _alg, use: _use, key_ops: _ops, ...key }) => key) };
}

/** The issuer's keys, fetched when first needed, again when none of them verifies a token. */
class RemoteKeys {
  #keys: KeySet | undefined;
  #asked = -Infinity;
  #running: Promise<void> | undefined;

  constructor(readonly options: VerifierOptions) {}

  async get(): Promise<KeySet> {
    if (!this.#keys) await this.#renew();
    if (!this.#keys) throw new TokenError(`keys of issuer ${this.options.issuer.url} are not known yet`);
    return this.#keys;
  }

  /** Keys that are newer than these; undefined where there are none yet. */
  async newer(than: KeySet): Promise<KeySet | undefined> {
    if (this.#keys === than) await this.#renew();
    return this.#keys === than ? undefined : this.#keys;
  }

  /** Asks for the keys, unless that was done just now. */
  async #renew(): Promise<void> {
    const passed = this.options.now() - this.#asked;
    if (!this.#running && passed >= 0 && passed < COOLDOWN) return;
    await (this.#running ??= this.#refresh().finally(() => this.#running = undefined));
  }

  async #refresh(): Promise<void> {
    const { now, asked } = this.options;
    let text: string | undefined;
    try {
      text = await this.#take();
    } finally {
      // An issuer that takes its time to fail does not have it again at once.
      this.#asked = now();
      asked?.(text);
    }
  }

  /** Gives the text of the keys that came. */
  async #take(): Promise<string> {
    const { issuer, fetchText } = this.options;
    const where = issuer.discoveryUrl ?? `${issuer.url.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const signal = AbortSignal.timeout(TIMEOUT);
    const document = JSON.parse(await fetchText(where, signal)) as { issuer?: string; jwks_uri?: string };
    if (document.issuer !== issuer.url) {
      throw new TokenError(`the discovery document is of issuer ${JSON.stringify(document.issuer)}, not ${issuer.url}`);
    }
    if (!document.jwks_uri?.startsWith("https://")) {
      throw new TokenError("the discovery document names no https jwks_uri");
    }
    const text = await fetchText(document.jwks_uri, signal);
    this.#keys = createLocalJWKSet(keysIn(text));
    return text;
  }
}

/** The issuer's verifier, which fetches keys when a token first needs them. */
export function issuerVerifier(options: VerifierOptions): IssuerVerifier {
  const { issuer, now } = options, keys = new RemoteKeys(options);
  return {
    ready: async () => void await keys.get(),
    async claims(token) {
      const known = await keys.get();
      return await verified(token, known, issuer, now()).catch(async (e) => {
        const newer = ofNoKey(e) ? await keys.newer(known) : undefined;
        if (!newer) throw e;
        return await verified(token, newer, issuer, now());
      });
    },
  };
}

/** Whether none of the keys has signed the token. */
const ofNoKey = ({ cause }: Error): boolean =>
  cause instanceof joseErrors.JWSSignatureVerificationFailed || cause instanceof joseErrors.JWKSNoMatchingKey ||
  cause instanceof joseErrors.JWKSMultipleMatchingKeys;

async function verified(
  token: string,
  keys: KeySet,
  issuer: TrustedIssuer,
  now: number,
): Promise<JWTPayload> {
  const demands = {
    issuer: namesOf(issuer.url),
    audience: [...issuer.audiences],
    algorithms: [...issuer.algorithms],
    currentDate: new Date(now),
    clockTolerance: AHEAD,
    requiredClaims: ["exp"],
  };
  const taken = (payload: JWTPayload): JWTPayload => {
    // What is borne is for tokens of a moment to come; their end is not put off.
    if (payload.exp! * 1000 <= now) throw new TokenError(`the token of ${issuer.url} has expired`);
    const { aud } = payload;
    if (Array.isArray(aud) && aud.some((a) => typeof a !== "string")) {
      throw new TokenError(`the token of ${issuer.url} has audiences that are no strings`);
    }
    return payload;
  };
  try {
    return taken((await jwtVerify(token, keys, demands)).payload);
  } catch (e) {
    if (e instanceof joseErrors.JWKSMultipleMatchingKeys) {
      for await (const key of e) {
        try {
          return taken((await jwtVerify(token, key, demands)).payload);
        } catch {
          // another key may have signed it
        }
      }
    }
    throw e instanceof TokenError
      ? e
      : new TokenError(`the token of ${issuer.url} is no good: ${(e as Error).message}`, { cause: e });
  }
}
