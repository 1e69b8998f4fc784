/** What `--authentication-config` says, as it is at the time. */
import type { Product } from "../../schema/product.ts";
import { named } from "../named.ts";
import type { Network } from "../network.ts";
import { type Coming, reloadedOnceReady, type Reloading } from "../reloaded.ts";
import { type AuthenticationConfig, parseAuthenticationConfig } from "./authentication_config.ts";
import { issuerOf } from "./compact_token.ts";
import type { FetchText } from "./issuer_verifier.ts";
import { askAhead, type IssuerTally, type IssuerTokens, jwtTokens } from "./jwt.ts";
import type { TokenAuthenticator } from "./token.ts";
import { unionTokens } from "./union.ts";

const OPTION = "authentication-config";
/** By which issuers may say how they are reached. */
const EGRESS_GATE = "StructuredAuthenticationConfigurationEgressSelector";

/** Values of the options that matter here. */
export interface ConfiguredOptions {
  /** Names of options on the command line. */
  readonly given: ReadonlySet<string>;
  readonly serviceAccountIssuer: readonly string[];
}

/** What the server has for it. */
export interface ConfiguredParts {
  readonly product: Product;
  readonly now: () => number;
  readonly gate: (name: string) => boolean;
  /** A fetcher that trusts the authority (PEM), or the host's roots. */
  readonly fetchText: (ca: string | undefined, network?: Network) => FetchText;
  /** Hears of issuers of tokens. */
  readonly issuers?: IssuerTally | undefined;
}

/** What is made of the file. */
export interface Configured {
  /** Undefined where it says nothing of anonymous requests. */
  readonly anonymous: AuthenticationConfig["anonymous"];
  /** Tokens of its issuers. */
  readonly tokens: TokenAuthenticator;
}

/** A configuration with its issuers. */
interface Made {
  readonly config: AuthenticationConfig;
  readonly issuers: readonly IssuerTokens[];
  readonly tokens: TokenAuthenticator;
}

/** Tokens of a configuration's issuers. @throws Error for one that cannot be reached as it asks */
function issuerTokens(
  { issuers }: AuthenticationConfig,
  p: ConfiguredParts,
  apiAudiences: readonly string[],
): IssuerTokens[] {
  return issuers.map((issuer) => {
    if (issuer.network && !p.gate(EGRESS_GATE)) {
      throw new Error(`issuer ${issuer.url}: egressSelectorType needs the feature gate ${EGRESS_GATE}`);
    }
    const { product, now, issuers: tally } = p, fetchText = p.fetchText(issuer.ca, issuer.network);
    return jwtTokens({ product, issuer, fetchText, apiAudiences, now, tally });
  });
}

/** What a file says is not said on the command line, too. @throws Error that names the option */
function checkAlone({ issuers, anonymous }: AuthenticationConfig, given: ReadonlySet<string>): void {
  const twice = [...given].find((name) =>
    issuers.length > 0 && name.startsWith("oidc-") || anonymous && name === "anonymous-auth"
  );
  if (twice) throw new Error(`--${twice}: cannot go with an --authentication-config that says the same`);
}

/**
 * Another configuration says the same of anonymous requests, and is in use when the keys of all its issuers are known: until then the one
 * from before is.
 * @throws Error that names the option
 */
export function configuredBy(
  o: ConfiguredOptions,
  p: ConfiguredParts,
  source: Reloading,
  apiAudiences: readonly string[],
): Configured {
  const group = p.product.local("apiserver.config.k8s.io");
  let first: string | undefined;
  const make = (text: string): Made =>
    named(OPTION, () => {
      const config = parseAuthenticationConfig(text, group, o.serviceAccountIssuer);
      checkAlone(config, o.given);
      const anonymous = JSON.stringify(config.anonymous ?? null);
      if (anonymous !== (first ??= anonymous)) {
        throw new Error("anonymous: changed from the initial configuration file");
      }
      const issuers = issuerTokens(config, p, apiAudiences);
      return { config, issuers, tokens: unionTokens(issuers) };
    });
  const ready = async ({ issuers }: Made) => {
    try {
      await Promise.all(issuers.map((issuer) => issuer.ready()));
    } catch (cause) {
      throw new Error(`--${OPTION}: ${(cause as Error).message}`, { cause });
    }
  };
  const taken = ({ config }: Made) => p.issuers?.only(config.issuers.map(({ url }) => url));
  const configured = reloadedOnceReady(source, { make, ready, taken, now: p.now });
  const { config: { anonymous }, issuers } = configured.current();
  askAhead(issuers);
  return {
    anonymous,
    tokens: {
      name: "configured issuers",
      async authenticateToken(token, audiences) {
        const { tokens } = configured.current(), coming = configured.coming();
        if (!coming || !isOf(token, coming.made)) return await tokens.authenticateToken(token, audiences);
        return await unionTokens([tokens, onceReady(coming)]).authenticateToken(token, audiences);
      },
    },
  };
}

/** Tokens of what is to come: it knows none where it does not get ready. */
const onceReady = ({ made, ready }: Coming<Made>): TokenAuthenticator => ({
  name: "issuers to come",
  authenticateToken: async (token, audiences) =>
    await ready ? await made.tokens.authenticateToken(token, audiences) : undefined,
});

/** Whether a token is of one of its issuers. */
function isOf(token: string, { config }: Made): boolean {
  const issuer = issuerOf(token);
  return issuer !== undefined && config.issuers.some(({ url }) => url === issuer);
}
