/** The chain of authorizers from the options' values. No files and no connections here: texts and functions come in. */
import type { Product } from "../../schema/product.ts";
import { type PostJson, RETRY } from "../authentication/webhook_client.ts";
import { named } from "../named.ts";
import { reloaded, type Reloading } from "../reloaded.ts";
import { abac } from "./abac.ts";
import { type AuthorizerSpec, parseAuthorizationConfig, type WebhookSpec } from "./authorization_config.ts";
import { authorizationChain } from "./chain.ts";
import type { AuthorizationMetrics } from "./metrics.ts";
import { ALWAYS_ALLOW, ALWAYS_DENY } from "./simple.ts";
import type { Authorizer } from "./types.ts";
import { webhookAuthorizer } from "./webhook.ts";

/** Values of the options that matter here. */
export interface AuthorizationOptions {
  /** Modes in order. */
  readonly authorizers: readonly string[];
  readonly authorizationWebhookConfigFile: string;
  readonly authorizationWebhookVersion: string;
  /** ms; 0 keeps nothing. */
  readonly authorizationWebhookCacheAuthorizedTtl: number;
  /** ms; 0 keeps nothing. */
  readonly authorizationWebhookCacheUnauthorizedTtl: number;
}

/** What the options name, and what the server has. */
export interface AuthorizationParts {
  readonly product: Product;
  readonly now: () => number;
  readonly metrics: AuthorizationMetrics;
  readonly rbac: () => Authorizer;
  readonly node: () => Authorizer;
  /** Text of `--authorization-policy-file`. */
  readonly policy?: string | undefined;
  /** Text of `--authorization-config`, which may be replaced while the server runs. */
  readonly config?: Reloading | undefined;
  readonly parseDuration: (text: string) => number | undefined;
  /** A caller of the webhook that a connection file names. */
  readonly post: (connectionFile: string) => PostJson;
}

function optionSpecs(o: AuthorizationOptions): readonly AuthorizerSpec[] {
  return o.authorizers.map((mode): AuthorizerSpec =>
    mode !== "Webhook" ? { type: mode as Exclude<AuthorizerSpec["type"], "Webhook">, name: mode.toLowerCase() } : {
      type: "Webhook",
      name: "default",
      version: o.authorizationWebhookVersion as WebhookSpec["version"],
      authorizedTtl: o.authorizationWebhookCacheAuthorizedTtl,
      unauthorizedTtl: o.authorizationWebhookCacheUnauthorizedTtl,
      timeout: RETRY.timeout,
      onFailure: "no-opinion",
      connectionFile: o.authorizationWebhookConfigFile,
    }
  );
}

function memberOf(spec: AuthorizerSpec, p: AuthorizationParts): Authorizer {
  switch (spec.type) {
    case "AlwaysAllow":
      return ALWAYS_ALLOW;
    case "AlwaysDeny":
      return ALWAYS_DENY;
    case "RBAC":
      return p.rbac();
    case "Node":
      return p.node();
    case "ABAC":
      return named(
        "authorization-policy-file",
        () => abac(p.policy ?? "", p.product.local("abac.authorization.kubernetes.io")),
      );
    case "Webhook": {
      const { product, now } = p;
      return webhookAuthorizer({
        ...spec,
        name: p.config ? spec.name : "Webhook",
        product,
        now,
        told: p.metrics.hook(spec),
        post: p.post(spec.connectionFile),
        retry: { ...RETRY, timeout: spec.timeout },
      });
    }
  }
}

/** The chain, `system:masters` first. @throws Error when a text is malformed */
export function makeAuthorizer(o: AuthorizationOptions, p: AuthorizationParts): Authorizer {
  const chain = (specs: readonly AuthorizerSpec[], parts: AuthorizationParts) =>
    authorizationChain(specs.map((spec) => parts.metrics.deciding(spec, memberOf(spec, parts))));
  if (!p.config) return chain(optionSpecs(o), p);
  const group = p.product.local("apiserver.config.k8s.io");
  // The node authorizer hears of every pod: there is one, whatever is configured later.
  const parts = { ...p, rbac: once(p.rbac), node: once(p.node) };
  const kept = keeping();
  const specs = (text: string) =>
    named("authorization-config", () => kept(parseAuthorizationConfig(text, group, p.parseDuration)));
  const current = reloaded(p.config, (text) => chain(specs(text), parts));
  return {
    name: "union",
    authorize: (attributes, asking) => current().authorize(attributes, asking),
    rulesFor: (user, namespace) => current().rulesFor!(user, namespace),
  };
}

/** What the first configuration has of the server's own is in each later one: a slip in a file locks nobody out. */
function keeping(): (specs: readonly AuthorizerSpec[]) => readonly AuthorizerSpec[] {
  let first: readonly string[] | undefined;
  return (specs) => {
    const own = specs.map(({ type }) => type).filter((type) => type !== "Webhook");
    const gone = (first ??= own).filter((type) => !own.some((t) => t === type));
    if (gone.length > 0) throw new Error(`authorizers: ${gone.join(", ")} cannot go while the server runs`);
    return specs;
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
