/** All of authentication from the options' values. No files and no connections here: texts and functions come in. */
import type { Obj } from "../../schema/model/types.ts";
import { bootstrapTokens } from "./bootstrap_token.ts";
import { type Authenticate, authenticationChain, type ChainOptions } from "./chain.ts";
import type { CaBundle } from "./ca_bundle.ts";
import { clientCertificates } from "./client_cert.ts";
import { configuredBy, type ConfiguredOptions, type ConfiguredParts } from "./configured.ts";
import { askAhead, jwtTokens } from "./jwt.ts";
import { fixedKeys, type KeySource } from "./key_source.ts";
import { oidcIssuer, type OidcOptions } from "./oidc.ts";
import type { TokenCacheMetrics } from "../metrics/token_cache.ts";
import type { TokenUse } from "../metrics/service_accounts.ts";
import type { Reloading } from "../reloaded.ts";
import { requestHeaders } from "./request_header.ts";
import { type BoundObjects, type LabelSecret, serviceAccountTokens } from "./service_account.ts";
import { cachedTokens } from "./token_cache.ts";
import { tokenFile } from "./token_file.ts";
import { type TokenAuthenticator, tokenMethod } from "./token.ts";
import type { Authenticator } from "./types.ts";
import { unionTokens } from "./union.ts";
import { webhookTokens } from "./webhook.ts";
import type { PostJson } from "./webhook_client.ts";

/** Values of the options that matter here. */
export interface AuthenticationOptions extends OidcOptions, ConfiguredOptions {
  readonly anonymousAuth: boolean;
  readonly apiAudiences: readonly string[];
  readonly serviceAccountLookup: boolean;
  readonly enableBootstrapTokenAuth: boolean;
  readonly authenticationTokenWebhookVersion: string;
  /** ms; 0 keeps nothing. */
  readonly authenticationTokenWebhookCacheTtl: number;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
}

/** What the options name, and what the server has. */
export interface AuthenticationParts extends ConfiguredParts {
  /** Authorities; a bundle may be replaced while the server runs. Undefined where not configured. */
  readonly clientCa?: CaBundle | undefined;
  readonly requestHeaderCa?: CaBundle | undefined;
  /** Texts; undefined where not configured. */
  readonly tokenFile?: string | undefined;
  readonly serviceAccountKeys: readonly string[];
  /** In place of those: keys that may change. */
  readonly keySource?: KeySource | undefined;
  /** May be replaced while the server runs. */
  readonly authenticationConfig?: Reloading | undefined;
  readonly oidcCa?: string | undefined;
  /** Present when `--authentication-token-webhook-config-file` is given. */
  readonly tokenWebhook?: PostJson | undefined;
  readonly objects: BoundObjects;
  /** Labels secrets whose tokens are used. */
  readonly label?: LabelSecret | undefined;
  /** A secret of the system namespace. */
  readonly bootstrapSecret: (name: string) => Obj | undefined | Promise<Obj | undefined>;
  readonly onFailure?: ChainOptions["onFailure"];
  /** Hears how long certificates of clients are good for yet, ms. */
  readonly remaining?: ((ms: number) => void) | undefined;
  /** Counts what caches of tokens come to. */
  readonly tokenCaches?: TokenCacheMetrics | undefined;
  /** Hears how tokens of service accounts are used. */
  readonly tokenUsed?: ((use: TokenUse) => void) | undefined;
}

/** The server's authentication. */
export interface Authentication {
  readonly authenticate: Authenticate;
  /** For TokenReview; undefined when no kind of token is configured. */
  readonly tokens: TokenAuthenticator | undefined;
  readonly apiAudiences: readonly string[];
}

function tokenKinds(
  o: AuthenticationOptions,
  p: AuthenticationParts,
  configured: TokenAuthenticator | undefined,
  apiAudiences: readonly string[],
): TokenAuthenticator[] {
  const { product, now, issuers: tally } = p;
  const kinds: TokenAuthenticator[] = [];
  if (p.tokenFile !== undefined) kinds.push(tokenFile(p.tokenFile, apiAudiences));
  const source = p.keySource ?? (p.serviceAccountKeys.length ? fixedKeys(p.serviceAccountKeys) : undefined);
  if (source) {
    const { serviceAccountIssuer: issuers, serviceAccountLookup: lookup } = o;
    kinds.push(
      serviceAccountTokens({
        product,
        issuers,
        keys: (id) => source.keys(id),
        apiAudiences,
        lookup,
        objects: p.objects,
        label: p.label,
        used: p.tokenUsed,
        now,
        webhookBound: p.gate("APIServerWebhookAuthenticationToken"),
      }),
    );
  }
  if (o.enableBootstrapTokenAuth) {
    kinds.push(bootstrapTokens({ product, apiAudiences, now, secret: p.bootstrapSecret }));
  }
  const oidc = oidcIssuer(o);
  if (oidc) {
    const issuer = jwtTokens({ product, issuer: oidc, fetchText: p.fetchText(p.oidcCa), apiAudiences, now, tally });
    askAhead([issuer]);
    kinds.push(issuer);
  }
  if (configured) kinds.push(configured);
  if (p.tokenWebhook) {
    const version = o.authenticationTokenWebhookVersion as "v1" | "v1beta1";
    const cacheTtl = o.authenticationTokenWebhookCacheTtl;
    const counted = p.tokenCaches;
    kinds.push(webhookTokens({ product, post: p.tokenWebhook, version, cacheTtl, apiAudiences, now, counted }));
  }
  return kinds;
}

function proxyMethod(o: AuthenticationOptions, p: AuthenticationParts, ca: CaBundle): Authenticator {
  return requestHeaders({
    roots: ca.current,
    now: p.now,
    allowedNames: o.requestheaderAllowedNames,
    usernameHeaders: o.requestheaderUsernameHeaders,
    uidHeaders: p.gate("RemoteRequestHeaderUID") ? o.requestheaderUidHeaders : [],
    groupHeaders: o.requestheaderGroupHeaders,
    extraHeaderPrefixes: o.requestheaderExtraHeadersPrefix,
  });
}

/** Puts it together, in the public server's order. @throws Error when a text is malformed or two options contradict */
export function makeAuthentication(o: AuthenticationOptions, p: AuthenticationParts): Authentication {
  const { product, now } = p;
  const apiAudiences = o.apiAudiences.length ? o.apiAudiences : o.serviceAccountIssuer;
  const configured = p.authenticationConfig && configuredBy(o, p, p.authenticationConfig, apiAudiences);
  const kinds = tokenKinds(o, p, configured?.tokens, apiAudiences);
  const tokens = kinds.length ? cachedTokens(unionTokens(kinds), { now, counted: p.tokenCaches }) : undefined;
  const methods: Authenticator[] = [];
  if (p.requestHeaderCa !== undefined) methods.push(proxyMethod(o, p, p.requestHeaderCa));
  if (p.clientCa !== undefined) {
    const parseUid = p.gate("AllowParsingUserUIDFromCertAuth");
    methods.push(clientCertificates({ product, roots: p.clientCa.current, now, parseUid, remaining: p.remaining }));
  }
  if (tokens) methods.push(tokenMethod(tokens, apiAudiences, product));
  const anonymous = configured?.anonymous ?? { enabled: o.anonymousAuth };
  const authenticate = authenticationChain({ methods, anonymous, ...(p.onFailure ? { onFailure: p.onFailure } : {}) });
  return { authenticate, tokens, apiAudiences };
}
