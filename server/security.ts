/** Who asks, and what they may: authentication and authorization of a server, from its options and files. */
import type { Obj } from "../schema/model/types.ts";
import type { AgentIdentity } from "./agents/agents.ts";
import type { HookIdentity, HookTransport } from "./admission/webhooks/transport.ts";
import { CaBundle } from "./authentication/ca_bundle.ts";
import type { KeySource } from "./authentication/key_source.ts";
import type { FetchText } from "./authentication/issuer_verifier.ts";
import { type Authentication, makeAuthentication } from "./authentication/make.ts";
import type { PostJson } from "./authentication/webhook_client.ts";
import { CurrentRbac } from "./authorization/current_rbac.ts";
import { makeAuthorizer } from "./authorization/make.ts";
import { NodeAuthorizer } from "./authorization/node.ts";
import type { Authorizer } from "./authorization/types.ts";
import { nodeRules } from "./bootstrap/objects.ts";
import type { Cacher } from "./cache/mod.ts";
import type { Network } from "./network.ts";
import type { Options } from "./options/mod.ts";
import type { LogLine, Verbose } from "../schema/log/log.ts";
import { followed, type Looks } from "./followed.ts";
import { IssuerMetrics } from "./metrics/issuers.ts";
import { ReloadMetrics } from "./metrics/reloads.ts";
import type { ServerMetrics } from "./metrics/registry.ts";
import { parseDuration } from "../schema/flags/duration.ts";
import type { ProxyTransport } from "./proxy/types.ts";
import type { Reloading } from "./reloaded.ts";
import type { Registries } from "./registry/registries.ts";

/** Texts of the files that the options name, read by the process; undefined where not configured. */
export interface SecurityFiles {
  /** PEM of the authorities of clients, as it is at the time. */
  readonly clientCa?: (() => string) | undefined;
  /** PEM of the authorities that verify this server's own certificate, as it is at the time. */
  readonly servingCa?: (() => string) | undefined;
  /** The same of front proxies. */
  readonly requestHeaderCa?: (() => string) | undefined;
  readonly tokenFile?: string | undefined;
  /** PEM of the keys that verify service account tokens. */
  readonly serviceAccountKeys: readonly string[];
  /** PEM of the key that signs them. */
  readonly signingKey?: string | undefined;
  /** Texts as they are at the time, here and of authorization. */
  readonly authenticationConfig?: (() => string) | undefined;
  readonly oidcCa?: string | undefined;
  readonly policy?: string | undefined;
  readonly authorizationConfig?: (() => string) | undefined;
  /** PEM texts, as they are now: of the authorities that verify peers, and of what this server shows them. */
  readonly peers?: (() => { readonly ca: string; readonly cert: string; readonly key: string }) | undefined;
  /** PEM of this server's certificate towards extension servers and of its key, as they are now. */
  readonly proxyClient?: (() => { readonly cert: string; readonly key: string }) | undefined;
  /** Who this server is to the agents of nodes, at the time. */
  readonly agents?: () => AgentIdentity;
}

/** Ways to the outside, given by the process. */
export interface Outside {
  /**
   * A fetcher of documents that trusts an authority (PEM), or the host's roots. `network`: by its way, directly without.
   * @throws Error for a network that no way is selected for
   */
  fetchText(ca: string | undefined, network?: Network): FetchText;
  /**
   * A caller of the webhook that a connection file names. `network`: by its way if one is selected, directly without.
   * @throws Error that names the option, where the file cannot be used
   */
  post(option: string, connectionFile: string, network?: Network): PostJson;
  /** Connections to admission webhooks. @throws Error for a file that cannot be used */
  hooks(identity: HookIdentity): HookTransport;
  /** Connections by which requests are passed on to other servers: one for all who do that, closed at the server's end. */
  proxy(): ProxyTransport;
  /** IP addresses of a host. @throws Error when it has none */
  lookup(host: string): Promise<readonly string[]>;
}

/** The server's security. */
export interface Security extends Authentication {
  readonly authorizer: Authorizer;
  /** What roles give, whether RBAC is among the modes or not: nobody gives away more than they have in any. */
  readonly rbac: CurrentRbac;
  /** RBAC is among the modes. */
  readonly byRbac: boolean;
}

/** What is needed of the process. */
export interface SecurityInputs {
  readonly options: Options;
  readonly files: SecurityFiles;
  readonly outside: Outside;
  readonly hostname: string;
  readonly signer?: { readonly keys: KeySource } | undefined;
  readonly log: LogLine;
  readonly verbose?: Verbose;
  now(): number;
}

const TOKEN_WEBHOOK = "authentication-token-webhook-config-file";

/** Puts it together. @throws Error when a file is malformed or two options contradict */
export function makeSecurity(
  inputs: SecurityInputs,
  registries: Registries,
  cacher: Cacher,
  metrics: ServerMetrics,
  looks: Looks,
): Security {
  const { options, files, outside, hostname, now } = inputs;
  const { product } = options;
  const gate = (name: string) => options.gates.enabled(name);
  const live = (id: string, namespace: string, name: string) => registries.live.get(id, namespace, name);
  const bundle = (pem: (() => string) | undefined) => pem && new CaBundle(pem);
  const issuers = new IssuerMetrics(hostname, now, gate("StructuredAuthenticationConfigurationJWKSMetrics"));
  metrics.derived(issuers.rows());
  const authentication = makeAuthentication(options, {
    product,
    now,
    gate,
    clientCa: bundle(files.clientCa),
    remaining: (ms) => metrics.access.certificate(ms),
    issuers,
    tokenCaches: metrics.tokenCaches,
    tokenUsed: (use) => metrics.serviceAccounts.used(use),
    requestHeaderCa: bundle(files.requestHeaderCa),
    tokenFile: files.tokenFile,
    serviceAccountKeys: files.serviceAccountKeys,
    keySource: inputs.signer?.keys,
    authenticationConfig: configuration("authentication", files.authenticationConfig, inputs, metrics, looks),
    oidcCa: files.oidcCa,
    fetchText: outside.fetchText,
    ...(options.authenticationTokenWebhookConfigFile
      ? { tokenWebhook: outside.post(TOKEN_WEBHOOK, options.authenticationTokenWebhookConfigFile, "controlplane") }
      : {}),
    objects: { get: live },
    label: (secret, label, value) => labelSecret(registries, secret, label, value),
    bootstrapSecret: (name): Promise<Obj | undefined> => live("secrets", product.systemNamespace, name),
    onFailure: (errors) => inputs.verbose?.("authentication", 2)?.(`a request was answered with 401: ${why(errors)}`),
  });
  const changes = (id: string) => cacher.cache(id)?.changes ?? 0;
  const rbac = new CurrentRbac(registries.lister, changes);
  const authorizer = makeAuthorizer(options, {
    product,
    now,
    metrics: metrics.authorization,
    rbac: () => rbac,
    node: () =>
      currentNodes(
        new NodeAuthorizer({ product, lister: registries.lister, rules: nodeRules(product, gate), gate }),
        cacher,
      ),
    policy: files.policy,
    config: configuration("authorization", files.authorizationConfig, inputs, metrics, looks),
    parseDuration,
    post: (file) =>
      outside.post(
        options.authorizationConfig ? "authorization-config" : "authorization-webhook-config-file",
        file,
        "controlplane",
      ),
  });
  const byRbac = options.authorizers.includes("RBAC") || files.authorizationConfig !== undefined;
  return { ...authentication, authorizer, rbac, byRbac };
}

/** In one line, whatever the errors are: some are of the language's own kinds, which a log tells with their places. */
function why(errors: readonly unknown[]): string {
  if (errors.length === 0) return "nothing in it says who asks";
  return errors.map((e) => e instanceof AggregateError ? why(e.errors) : (e as Error).message).join("; ");
}

/** A configuration that may be replaced, by the option that names it. */
function configuration(
  what: string,
  text: (() => string) | undefined,
  { hostname, log, now }: SecurityInputs,
  metrics: ServerMetrics,
  looks: Looks,
): Reloading | undefined {
  if (!text) return undefined;
  const counted = new ReloadMetrics(what, hostname, text(), now);
  metrics.derived(counted.rows());
  return followed(`another --${what}-config`, text, counted, { log, looks });
}

/** What cannot be labelled now (another writer, a store that is away) is at the next use. */
async function labelSecret(registries: Registries, secret: Obj, label: string, value: string): Promise<void> {
  const { namespace = "", name, uid } = secret.metadata;
  const labelled = (now: Obj): Obj | undefined =>
    now.metadata.uid === uid
      ? { ...now, metadata: { ...now.metadata, labels: { ...now.metadata.labels, [label]: value } } }
      : undefined;
  await registries.live.update("secrets", namespace, name!, labelled).catch(() => {});
}

/** The node authorizer, told of every pod that changes. */
function currentNodes(nodes: NodeAuthorizer, cacher: Cacher): NodeAuthorizer {
  cacher.cache("pods")?.listen(nodes.follower());
  return nodes;
}
