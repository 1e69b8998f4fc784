/** A claim of an ID token that stands elsewhere (OpenID Connect Core 1.0, section 5.6.2): the token says where it is fetched. */
import type { JWTPayload } from "jose";
import type { JsonMap } from "../../schema/model/types.ts";
import { issuerOf } from "./compact_token.ts";
import { type FetchText, type IssuerVerifier, issuerVerifier, type TrustedIssuer } from "./issuer_verifier.ts";
import { TokenError } from "./token.ts";

/** Issuers whose keys are kept: who is past them takes the place of the one that was asked longest ago. */
const MAX_ISSUERS = 16;
/** What is fetched in one request may take so long, ms. */
const TIMEOUT = 10_000;

/** What {@linkcode claimsElsewhere} needs. */
export interface ElsewhereOptions {
  /** The one claim that is looked for. */
  readonly claim: string;
  /** Whose tokens say where it is; tokens that hold the claim may be of others, for the same audiences by the same algorithms. */
  readonly issuer: TrustedIssuer;
  readonly fetchText: FetchText;
  readonly now: () => number;
}

/** A function that gives the claims of a verified token with the one from elsewhere among them. @throws TokenError when it cannot be had */
export function claimsElsewhere(options: ElsewhereOptions): (claims: JWTPayload) => Promise<JWTPayload> {
  const { claim, fetchText } = options, verifiers = new Map<string, IssuerVerifier>();
  return async (claims) => {
    const source = claim in claims ? undefined : sourceOf(claims, claim);
    if (!source) return claims;
    const text = await fetchText(source.endpoint, AbortSignal.timeout(TIMEOUT), source.bearer).catch((cause) => {
      throw new TokenError(`the claim ${JSON.stringify(claim)} could not be fetched: ${cause.message}`, { cause });
    });
    const token = text.trim();
    const url = issuerOf(token);
    if (!url?.startsWith("https://")) throw new TokenError(`${source.endpoint} gave no token of an issuer`);
    const found = await kept(verifiers, url, options).claims(token);
    if (!(claim in found)) {
      throw new TokenError(`the token of ${source.endpoint} does not have the claim ${JSON.stringify(claim)}`);
    }
    return { ...claims, [claim]: found[claim] };
  };
}

function kept(verifiers: Map<string, IssuerVerifier>, url: string, options: ElsewhereOptions): IssuerVerifier {
  const { issuer: { audiences, algorithms }, fetchText, now } = options;
  const verifier = verifiers.get(url) ?? issuerVerifier({ issuer: { url, audiences, algorithms }, fetchText, now });
  verifiers.delete(url);
  verifiers.set(url, verifier);
  if (verifiers.size > MAX_ISSUERS) verifiers.delete(verifiers.keys().next().value!);
  return verifier;
}

interface Source {
  readonly endpoint: string;
  readonly bearer: string | undefined;
}

/** Where the claim is; undefined where the token does not say, or brings it in a form that is not read (aggregated claims). */
function sourceOf(claims: JWTPayload, claim: string): Source | undefined {
  const names = mapOf(claims, "_claim_names");
  if (!names) return undefined;
  const sources = mapOf(claims, "_claim_sources");
  if (!sources) throw new TokenError("the token has no claim sources");
  const name = names[claim];
  if (name === undefined) return undefined;
  const source = typeof name === "string" && Object.hasOwn(sources, name) ? sources[name] as JsonMap | null : undefined;
  if (!source) throw new TokenError(`the token's claim sources have none of the name ${JSON.stringify(name)}`);
  const { endpoint, access_token: bearer } = source;
  if (endpoint === undefined || endpoint === "") return undefined;
  if (typeof endpoint !== "string" || !endpoint.startsWith("https://")) {
    throw new TokenError(`the source of the claim ${JSON.stringify(claim)} is no https URL`);
  }
  return { endpoint, bearer: typeof bearer === "string" && bearer !== "" ? bearer : undefined };
}

function mapOf(claims: JWTPayload, name: string): JsonMap | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TokenError(`the claim ${JSON.stringify(name)} should be an object`);
  }
  return value as JsonMap;
}
