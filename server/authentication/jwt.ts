/** ID tokens of an outside issuer (OpenID Connect): what `--oidc-*` and the authentication configuration describe. */
import type { JWTPayload } from "jose";
import type { Json } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import type { User } from "../request.ts";
import { checkClaims, checkUser, type ClaimExpressions, claimValue, textBy, textsBy } from "./claim_expressions.ts";
import { issuerOf } from "./compact_token.ts";
import { claimsElsewhere } from "./distributed_claims.ts";
import { type FetchText, issuerVerifier, type TrustedIssuer } from "./issuer_verifier.ts";
import { ownAudiences, type TokenAuthenticator, TokenError } from "./token.ts";

/** Where a claim's value goes, and what is put before it. */
export interface ClaimMapping {
  readonly claim: string;
  readonly prefix: string;
}

/** One issuer. */
export interface JwtIssuer extends TrustedIssuer {
  readonly username: ClaimMapping;
  readonly groups?: ClaimMapping;
  readonly uidClaim?: string;
  readonly requiredClaims: Readonly<Record<string, string>>;
  /** Absent: claims alone say who somebody is. Each of its mappings takes the place of the claim's. */
  readonly expressions?: ClaimExpressions;
}

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
  uidClaim && claims[uidClaim] !== null ? textClaim(claims, uidClaim) : undefined;

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
  const { fetchText } = options;
  const verifier = issuerVerifier({ issuer, fetchText, now, asked: (keys) => tally?.asked(issuer.url, keys) });
  const claim = issuer.expressions?.groups ? undefined : issuer.groups?.claim;
  const whole = claim ? claimsElsewhere({ claim, issuer, fetchText, now }) : undefined;
  const look: TokenAuthenticator["authenticateToken"] = async (token, wanted) => {
    const verified = await verifier.claims(token), claims = await whole?.(verified) ?? verified;
    const user = userOf(claims, issuer, options.product);
    const audiences = ownAudiences(wanted, options.apiAudiences);
    if (audiences === false) return undefined;
    return { user, ...(audiences ? { audiences } : {}) };
  };
  return {
    name: `jwt ${issuer.url}`,
    async ready() {
      try {
        await verifier.ready();
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

/** Asks issuers for their keys before the first token comes. Who does not answer is asked again with a token. */
export function askAhead(issuers: readonly IssuerTokens[]): void {
  for (const issuer of issuers) issuer.ready().catch(() => {});
}
