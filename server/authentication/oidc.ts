/** One issuer, as the `--oidc-*` options describe it. */
import type { JwtIssuer } from "./jwt.ts";

/** The options' values. */
export interface OidcOptions {
  readonly oidcIssuerUrl: string;
  readonly oidcClientId: string;
  readonly oidcUsernameClaim: string;
  readonly oidcUsernamePrefix: string;
  readonly oidcGroupsClaim: string;
  readonly oidcGroupsPrefix: string;
  readonly oidcRequiredClaim: Readonly<Record<string, string>>;
  readonly oidcSigningAlgs: readonly string[];
}

/** Names other than addresses carry the issuer, so that two issuers cannot name the same user. */
function usernamePrefix(o: OidcOptions): string {
  if (o.oidcUsernamePrefix === "-") return "";
  if (o.oidcUsernamePrefix !== "") return o.oidcUsernamePrefix;
  return o.oidcUsernameClaim === "email" ? "" : `${o.oidcIssuerUrl}#`;
}

/** The issuer; undefined without `--oidc-issuer-url`. */
export function oidcIssuer(o: OidcOptions): JwtIssuer | undefined {
  if (o.oidcIssuerUrl === "") return undefined;
  return {
    url: o.oidcIssuerUrl,
    audiences: [o.oidcClientId],
    algorithms: o.oidcSigningAlgs,
    username: { claim: o.oidcUsernameClaim, prefix: usernamePrefix(o) },
    ...(o.oidcGroupsClaim ? { groups: { claim: o.oidcGroupsClaim, prefix: o.oidcGroupsPrefix } } : {}),
    requiredClaims: o.oidcRequiredClaim,
  };
}
