/** The parts of a server, from its options: a list, each made of those above it. */
import { fraction, uuid } from "../schema/values/random.ts";
import { buildAdmission } from "./admission/build.ts";
import { kindTools } from "./admission/kinds.ts";
import { resourcesOf } from "./admission/resources_of.ts";
import type { AddressContext } from "./admission/webhooks/address.ts";
import type { HookDeps } from "./admission/webhooks/deps.ts";
import { Aggregator } from "./aggregation/aggregator.ts";
import type { Auditing } from "./audit/build.ts";
import { auditingOf } from "./audit_deps.ts";
import { CustomResources } from "./customresources/manager.ts";
import { type Data, makeData } from "./data.ts";
import { AuditFilters } from "./filters/audit.ts";
import { type RequestFilters, requestFilters } from "./filters/build.ts";
import { ErrorResponses } from "./filters/errors.ts";
import { conversionTransport, hookDeps } from "./hook_deps.ts";
import { followedManifests, type Looks } from "./followed.ts";
import type { ServerInputs } from "./inputs.ts";
import { ServerMetrics } from "./metrics/registry.ts";
import { HealthMetrics } from "./metrics/slis.ts";
import { type MediaType, mediaTypes } from "./negotiation/media.ts";
import { makePeers, type PeerParts } from "./peers/make.ts";
import { RULE_TOOLS } from "../pki/rule_tools.ts";
import type { ProxyTransport } from "./proxy/types.ts";
import { makeSecurity, type Security } from "./security.ts";
import { shownMetrics } from "./shown_metrics.ts";
import { makeStorageVersions } from "./storageversions/make.ts";
import type { StorageVersions } from "./storageversions/manager.ts";

/** See the top of the file. */
export interface ServerParts {
  readonly metrics: ServerMetrics;
  readonly slis: HealthMetrics;
  readonly processId: string;
  /** ms since the epoch */
  readonly startedAt: number;
  readonly data: Data;
  readonly security: Security;
  /** Connections to other servers. */
  readonly proxy: ProxyTransport;
  readonly customs: CustomResources;
  readonly peers: PeerParts;
  readonly media: readonly MediaType[];
  readonly aggregator: Aggregator;
  readonly errors: ErrorResponses;
  readonly auditing: Auditing | undefined;
  readonly audit: AuditFilters | undefined;
  readonly versions: StorageVersions | undefined;
  readonly filters: RequestFilters;
  readonly looks: Looks;
}

/** Makes them; nothing is at work yet. What they connect to is let go when the signal aborts. */
export function makeParts(inputs: ServerInputs, stop: AbortSignal): ServerParts {
  const { options, outside, now, log } = inputs, { product } = options;
  const metrics = new ServerMetrics(now, (i) => data.catalog.find(i.group, i.version, i.resource));
  const processId = uuid(inputs.random), startedAt = now();
  const slis = new HealthMetrics(shownMetrics(inputs));
  const looks: Looks = [];
  const data: Data = makeData(inputs, metrics, () => security);
  const { scheme, rules, catalog, registries } = data;
  const security: Security = makeSecurity(inputs, registries, data.cacher, metrics, looks);
  const hooks = hookDeps({
    scheme,
    rules,
    metrics: metrics.hooks,
    catalog,
    outside,
    certFile: options.proxyClientCertFile,
    keyFile: options.proxyClientKeyFile,
    stop,
  });
  data.admission.install(pluginsOf(inputs, data, security, hooks, metrics, looks));
  const proxy = outside.proxy();
  stop.addEventListener("abort", () => proxy.close(), { once: true });
  const places = placesOf(inputs, data);
  const customs = customsOf(inputs, data, metrics, hooks, places);
  const peers = makePeers(inputs, registries, proxy);
  const media = mediaTypes(product, { cbor: rules.gate("CBORServingAndStorage"), protobuf: true });
  const aggregator = aggregatorOf(inputs, data, proxy, places);
  const errors = new ErrorResponses(scheme, media, (e, id) => log("error", `request ${id} failed`, e));
  const auditing = auditingOf(inputs, metrics);
  const audit = auditing && new AuditFilters(auditing, product, errors, now);
  const versions = makeStorageVersions(inputs, scheme, catalog, registries);
  const filters = requestFilters(inputs, catalog, registries, audit);
  return {
    metrics,
    slis,
    processId,
    startedAt,
    data,
    security,
    proxy,
    customs,
    peers,
    media,
    aggregator,
    errors,
    auditing,
    audit,
    versions,
    filters,
    looks,
  };
}

function pluginsOf(
  inputs: ServerInputs,
  { scheme, rules, catalog, registries }: Data,
  { authorizer }: Security,
  hooks: HookDeps,
  metrics: ServerMetrics,
  looks: Looks,
) {
  const { options, pluginConfigs, now, random } = inputs;
  return buildAdmission(options, {
    lister: registries.lister,
    live: registries.live,
    authorizer,
    configs: pluginConfigs ?? new Map(),
    manifests: followedManifests(inputs, metrics, looks),
    now,
    random,
    resourcesOf: (apiVersion, kind) => resourcesOf(catalog, apiVersion, kind),
    kinds: kindTools(scheme, rules),
    hooks,
    counts: metrics.plugins,
  });
}

/** What tells where webhooks and extension servers are. */
const placesOf = ({ options, random }: ServerInputs, { registries }: Data): AddressContext => ({
  product: options.product,
  lister: registries.lister,
  options,
  random,
});

function customsOf(
  { options, now, log, verbose }: ServerInputs,
  { scheme, catalog, cacher, registries, strategies }: Data,
  { conversions }: ServerMetrics,
  hooks: HookDeps,
  places: AddressContext,
): CustomResources {
  return new CustomResources({
    scheme,
    catalog,
    cacher,
    registries,
    strategies,
    certificates: RULE_TOOLS,
    hooks: { ...places, transport: conversionTransport(hooks), metrics: conversions, now },
    root: options.storePrefix,
    now,
    log,
    verbose,
  });
}

function aggregatorOf(
  { options, files, random, log }: ServerInputs,
  { rules }: Data,
  transport: ProxyTransport,
  addresses: AddressContext,
): Aggregator {
  return new Aggregator({
    addresses,
    transport,
    options,
    identity: files.proxyClient,
    gate: rules.gate,
    random: () => fraction(random),
    log,
  });
}
