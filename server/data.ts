/** What a server keeps, and how it is got at: kinds and their rules, the catalog, the caches and the registries. */
import type { RuleContext } from "../schema/rules/types.ts";
import { Scheme } from "../schema/scheme.ts";
import { fraction } from "../schema/values/random.ts";
import { AdmissionChain } from "./admission/chain.ts";
import type { EscalationContext } from "./authorization/escalation.ts";
import { SeveralCachers } from "./cache/mod.ts";
import { builtinCatalog, type Catalog } from "./catalog/catalog.ts";
import { DEFINITIONS } from "./customresources/definition.ts";
import { definitionStrategy } from "./customresources/definitions.ts";
import type { ServerInputs } from "./inputs.ts";
import type { ServerMetrics } from "./metrics/registry.ts";
import { uncachedReads } from "./options/watch_cache.ts";
import { RULE_TOOLS } from "../pki/rule_tools.ts";
import type { RegistryContext } from "./registry/context.ts";
import { FieldOwnership } from "./registry/field_ownership.ts";
import { cachedResources, Registries } from "./registry/registries.ts";
import { strategies, type StrategyOptions } from "./registry/strategies.ts";
import type { Strategy } from "./registry/strategy.ts";
import type { Security } from "./security.ts";
import type { Backend } from "./storage/backend.ts";

/** See the top of the file. */
export interface Data {
  readonly scheme: Scheme;
  readonly rules: RuleContext;
  readonly catalog: Catalog;
  readonly cacher: SeveralCachers;
  /** Without plugins: they look at the rest of this. */
  readonly admission: AdmissionChain;
  /** By resource id, as the registries read them: custom resources have theirs added and removed. */
  readonly strategies: Record<string, Strategy>;
  readonly registries: Registries;
  readonly fields: FieldOwnership;
}

/** Puts it together. `security` is asked at work, when it is there. */
export function makeData(inputs: ServerInputs, metrics: ServerMetrics, security: () => Security): Data {
  const { options } = inputs;
  const scheme = new Scheme(options.product);
  const rules = ruleContext(inputs, metrics, () => registries);
  const catalog = builtinCatalog(scheme, options.runtime, options.storePrefix, rules.gate);
  const stores = inputs.stores ?? new Map<string, Backend>();
  const cached = cachedResources(scheme, rules, catalog.resources());
  const cacher = new SeveralCachers(inputs.backend, stores, cached, {
    now: inputs.elapsed,
    random: () => fraction(inputs.random),
    prefix: `${options.storePrefix}/`,
    timing: metrics.store.ended,
    onError: (e, id) => inputs.log("warn", `watch cache ${id || "log"} failed and is retried`, e),
  });
  const admission = new AdmissionChain([], metrics.admission);
  const fields = new FieldOwnership(scheme, inputs.now);
  const context: RegistryContext = {
    scheme,
    rules,
    backend: inputs.backend,
    stores,
    admission,
    fields,
    garbageCollection: options.enableGarbageCollector,
    atRest: atRest(options.storageMediaType),
    customAtRest: rules.gate("CBORServingAndStorage") ? "cbor" : "json",
    timing: metrics.store.ended,
    direct: uncachedReads(options.watchCache, options.watchCacheSizes),
    random: inputs.random,
  };
  const byResource: Record<string, Strategy> = {
    [DEFINITIONS]: definitionStrategy(inputs.now, scheme.product),
    ...strategies(strategyOptions(inputs, rules.gate, security, catalog, () => registries, metrics)),
  };
  const registries: Registries = new Registries(catalog, cacher, context, byResource);
  return { scheme, rules, catalog, cacher, admission, strategies: byResource, registries, fields };
}

function ruleContext(
  { options, now }: ServerInputs,
  { expressions }: ServerMetrics,
  registries: () => Registries,
): RuleContext {
  return {
    product: options.product,
    gate: (name) => options.gates.enabled(name),
    now,
    allowPrivileged: options.allowPrivileged,
    certificates: RULE_TOOLS,
    expressionTimes: expressions,
    namespaceLabels: (name) => {
      const namespace = registries().lister.get("namespaces", "", name);
      return namespace && (namespace.metadata.labels ?? {});
    },
  };
}

function strategyOptions(
  { options, random }: ServerInputs,
  gate: RuleContext["gate"],
  security: () => Security,
  catalog: Catalog,
  registries: () => Registries,
  metrics: ServerMetrics,
): StrategyOptions {
  const { product } = options;
  return {
    eventTtlMs: options.eventTtl,
    escalation: () => escalationContext(security(), product.local("rbac.authorization.k8s.io")),
    claims: { product, gate, authorizer: () => security().authorizer },
    params: () => ({ catalog, live: registries().live }),
    services: {
      ranges: options.serviceClusterIpRange,
      nodePorts: options.serviceNodePortRange,
      addresses: () => registries().byId("ipaddresses.networking.k8s.io"),
      blocks: () => registries().byId("servicecidrs.networking.k8s.io"),
      services: () => registries().byId("services")!,
      deleteEndpoints: (namespace, name) => registries().delete("endpoints", namespace, name),
      local: product.local,
      random: () => fraction(random),
      measured: (rows) => metrics.derived(rows),
    },
  };
}

/** What checks on writes of roles ask. */
function escalationContext({ rbac, authorizer }: Security, group: string): EscalationContext {
  rbac.refresh();
  return { rbac: rbac.inner, authorizer, group };
}

/** Which encoding `--storage-media-type` names. */
function atRest(type: string): "json" | "yaml" | "protobuf" {
  return type.endsWith("json") ? "json" : type.endsWith("yaml") ? "yaml" : "protobuf";
}
