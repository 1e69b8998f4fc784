/** Discovery of the issuer of service account tokens (specification, "Other paths"). */
import type { PathHandler } from "../app_types.ts";
import type { KeySource } from "../authentication/key_source.ts";
import type { VerifyKey } from "../authentication/keys.ts";
import { plainRoute, routeAndBelow } from "./plain.ts";

/** What the documents say. */
export interface OpenIdOptions {
  readonly issuer: string;
  /** `--service-account-jwks-uri`, else below the issuer. */
  readonly jwksUri: string;
  readonly keys: Pick<KeySource, "published" | "maxAge">;
}

/** Why an issuer is none that could be discovered; undefined for an https URL without query and fragment. */
export function undiscoverable(issuer: string): string | undefined {
  const url = URL.parse(issuer);
  if (url?.protocol !== "https:") return "should be an https URL";
  return url.search || url.hash ? "should have no query and no fragment" : undefined;
}

/** Both documents, as texts. */
interface Documents {
  readonly keys: readonly VerifyKey[];
  readonly config: string;
  readonly jwks: string;
}

/** Handlers of both documents. */
export function openIdPaths(options: OpenIdOptions): Map<string, PathHandler> {
  let made = documents(options, options.keys.published());
  // While the keys cannot be published, what was published before stands.
  const current = () => {
    const keys = options.keys.published();
    if (keys !== made.keys && keys.length > 0) made = documents(options, keys);
    return made;
  };
  const answer = (text: () => string, type: string): PathHandler =>
    plainRoute(type, () => {
      const body = text();
      const kept = `public, max-age=${options.keys.maxAge()}`;
      return new Response(body, { headers: { "content-type": type, "cache-control": kept } });
    });
  return new Map([
    ...routeAndBelow("/.well-known/openid-configuration", answer(() => current().config, "application/json")),
    ...routeAndBelow("/openid/v1/jwks", answer(() => current().jwks, "application/jwk-set+json")),
  ]);
}

function documents({ issuer, jwksUri }: OpenIdOptions, keys: readonly VerifyKey[]): Documents {
  const jwks = keys.map(({ key, kid, algorithms }) => ({
    use: "sig",
    ...key.export({ format: "jwk" }),
    kid,
    alg: algorithms[0],
  }));
  const config = {
    issuer,
    jwks_uri: jwksUri,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(keys.map((k) => k.algorithms[0]))].sort(),
  };
  return { keys, config: JSON.stringify(config), jwks: JSON.stringify({ keys: jwks }) };
}
