/** ID tokens of an outside issuer (OpenID Connect): what `--oidc-*` and the authentication configuration describe. */
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  errors as joseErrors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from "jose";
import type { Json } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import type { User } from "../request.ts";
import { checkClaims, checkUser, type ClaimExpressions, claimValue, textBy, textsBy } from "./claim_expressions.ts";
import { issuerOf } from "./compact_token.ts";
import { ownAudiences, type TokenAuthenticator, TokenError } from "./token.ts";

/** Where a claim's value goes, and what is put before it. */
export interface ClaimMapping {
  readonly claim: string;
  readonly prefix: string;
}

/** One issuer. */
export interface JwtIssuer {
  readonly url: string;
  /** Where the discovery document is, when not under the issuer's own URL. */
  readonly discoveryUrl?: string;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly username: ClaimMapping;
  readonly groups?: ClaimMapping;
  readonly uidClaim?: string;
  readonly requiredClaims: Readonly<Record<string, string>>;
  /** Absent: claims alone say who somebody is. Each of its mappings takes the place of the claim's. */
  readonly expressions?: ClaimExpressions;
}

/** Fetches a document of an issuer, with its authorities trusted. @throws Error when it cannot */
export type FetchText = (url: string, signal: AbortSignal) => Promise<string>;

/** Hears of issuers. */
export interface IssuerTally {
  /** A token was looked at: what that came to, and how long it took, ms. */
  looked(issuer: string, result: "success" | "failure", ms: number): void;
  /** The keys were asked for; undefined: they did not come. */
  asked(issuer: string, keys: string | undefined): void;
  /** There are no other issuers any more. */
  only(issuers: readonly string[]): void;
}

/** What the method needs. */
export interface JwtOptions {
  readonly product: Product;
  readonly issuer: JwtIssuer;
  readonly fetchText: FetchText;
  readonly apiAudiences: readonly string[];
  readonly now: () => number;
  readonly tally?: IssuerTally | undefined;
}

/** Keys are asked for again that long after a failure, or when a token names an unknown one. */
const COOLDOWN = 10_000;
const TIMEOUT = 10_000;
/** Seconds that an issuer's clock may be ahead. */
const AHEAD = 60;

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** The issuer's keys, fetched when first needed, again when a token names one that is not among them or none of them verifies it. */
class RemoteKeys {
  #keys: KeySet | undefined;
  #kids = new Set<string>();
  #asked = -Infinity;
  #running: Promise<void> | undefined;

  constructor(readonly options: JwtOptions) {}

  async get(kid: string | undefined): Promise<KeySet> {
    if (!this.#keys || (kid !== undefined && !this.#kids.has(kid))) await this.#renew();
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
    const { now, issuer, tally } = this.options;
    this.#asked = now();
    let text: string | undefined;
    try {
      text = await this.#take();
    } finally {
      tally?.asked(issuer.url, text);
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
    const text = await fetchText(document.jwks_uri, signal), set = JSON.parse(text) as JSONWebKeySet;
    this.#keys = createLocalJWKSet(set);
    this.#kids = new Set(set.keys.flatMap((k) => (k.kid === undefined ? [] : [k.kid])));
    return text;
  }
}

function textClaim(claims: JWTPayload, name: string): string {
  const value = claims[name];
  if (typeof value !== "string") throw new TokenError(`the claim ${JSON.stringify(name)} should be a string`);
  return value;
}

function groupsOf(claims: JWTPayload, mapping: ClaimMapping | undefined): string[] {
  const value = mapping ? claims[mapping.claim] : undefined;
  if (!mapping || value === undefined || value === null) return [];
  const list = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list) || list.some((g) => typeof g !== "string")) {
    throw new TokenError(`the claim ${JSON.stringify(mapping.claim)} should be a string or a list of strings`);
  }
  return (list as string[]).map((g) => mapping.prefix + g);
}

/** Extra attributes that a user has whatever the issuer says: which token it is, where the token says so. */
function ownExtra({ jti }: JWTPayload, { local }: Product): Record<string, string[]> {
  const known = typeof jti === "string" && jti !== "";
  return known ? { [local("authentication.kubernetes.io/credential-id")]: [`JTI=${jti}`] } : {};
}

function userOf(claims: JWTPayload, issuer: JwtIssuer, product: Product): User {
  const { expressions } = issuer, own = ownExtra(claims, product);
  const user = expressions ? userBy(expressions, claims, issuer, own) : userByClaims(claims, issuer, own);
  for (const [key, value] of Object.entries(issuer.requiredClaims)) {
    if (claims[key] !== value) throw new TokenError(`the claim ${JSON.stringify(key)} is not what it must be`);
  }
  return user;
}

function userBy(x: ClaimExpressions, claims: JWTPayload, issuer: JwtIssuer, own: Record<string, string[]>): User {
  const value = claimValue(claims as Json);
  checkClaims(x, value);
  const name = x.username ? textBy(x.username, value, "the username") : nameOf(claims, issuer);
  if (name === "") throw new TokenError("the expression of the username gives an empty one");
  const uid = x.uid ? textBy(x.uid, value, "the uid") : uidOf(claims, issuer);
  const groups = x.groups ? textsBy(x.groups, value, "the groups") : groupsOf(claims, issuer.groups);
  const extra = x.extra.map(({ key, program }) => [key, textsBy(program, value, `extra ${key}`)] as const)
    .filter(([, texts]) => texts.length > 0);
  const user: User = {
    name,
    ...(uid ? { uid } : {}),
    groups,
    ...withExtra({ ...own, ...Object.fromEntries(extra) }),
  };
  checkUser(x, user);
  return user;
}

function userByClaims(claims: JWTPayload, issuer: JwtIssuer, own: Record<string, string[]>): User {
  const name = nameOf(claims, issuer), uid = uidOf(claims, issuer);
  return { name, ...(uid ? { uid } : {}), groups: groupsOf(claims, issuer.groups), ...withExtra(own) };
}

const withExtra = (extra: Record<string, string[]>): Pick<User, "extra"> =>
  Object.keys(extra).length > 0 ? { extra } : {};

const uidOf = (claims: JWTPayload, { uidClaim }: JwtIssuer): string | undefined =>
  uidClaim ? textClaim(claims, uidClaim) : undefined;

function nameOf(claims: JWTPayload, issuer: JwtIssuer): string {
  const { claim, prefix } = issuer.username;
  const name = textClaim(claims, claim);
  if (name === "") throw new TokenError(`the claim ${JSON.stringify(claim)} is empty`);
  // An address that its owner has not proved is nobody.
  if (claim === "email" && claims.email_verified !== undefined && claims.email_verified !== true) {
    throw new TokenError("the token's email is not verified");
  }
  return prefix + name;
}

/** Tokens of one issuer. */
export interface IssuerTokens extends TokenAuthenticator {
  /** Its keys are known. @throws Error that names the issuer, where they cannot be had */
  ready(): Promise<void>;
}

/** The kind of token. Tokens of other issuers are none of its own. */
export function jwtTokens(options: JwtOptions): IssuerTokens {
  const { issuer, now, tally } = options;
  const keys = new RemoteKeys(options);
  const look: TokenAuthenticator["authenticateToken"] = async (token, wanted) => {
    const known = await keys.get(decodeProtectedHeader(token).kid);
    const claims = await verified(token, known, issuer, now()).catch(async (e) => {
      const newer = ofNoKey(e) ? await keys.newer(known) : undefined;
      if (!newer) throw e;
      return await verified(token, newer, issuer, now());
    });
    const user = userOf(claims, issuer, options.product);
    const audiences = ownAudiences(wanted, options.apiAudiences);
    if (audiences === false) return undefined;
    return { user, ...(audiences ? { audiences } : {}) };
  };
  return {
    name: `jwt ${issuer.url}`,
    async ready() {
      try {
        await keys.get(undefined);
      } catch (e) {
        throw new Error(`issuer ${issuer.url}: ${(e as Error).message}`, { cause: e });
      }
    },
    async authenticateToken(token, wanted) {
      if (issuerOf(token) !== issuer.url) return undefined;
      const start = now();
      try {
        const known = await look(token, wanted);
        if (known) tally?.looked(issuer.url, "success", now() - start);
        return known;
      } catch (e) {
        tally?.looked(issuer.url, "failure", now() - start);
        throw e;
      }
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
  issuer: JwtIssuer,
  now: number,
): Promise<JWTPayload> {
  const demands = {
    issuer: issuer.url,
    audience: [...issuer.audiences],
    algorithms: [...issuer.algorithms],
    currentDate: new Date(now),
    clockTolerance: AHEAD,
    requiredClaims: ["exp"],
  };
  // That is for tokens of a moment to come; their end is not put off.
  const lasting = (payload: JWTPayload): JWTPayload => {
    if (payload.exp! * 1000 <= now) throw new TokenError(`the token of ${issuer.url} has expired`);
    return payload;
  };
  try {
    return lasting((await jwtVerify(token, keys, demands)).payload);
  } catch (e) {
    if (e instanceof joseErrors.JWKSMultipleMatchingKeys) {
      for await (const key of e) {
        try {
          return lasting((await jwtVerify(token, key, demands)).payload);
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
