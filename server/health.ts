/** Health checks of a server, under the public server's names where its parts correspond (specification, "Health endpoints"). */
import type { Product } from "../schema/product.ts";
import { parseDuration } from "../schema/flags/duration.ts";
import type { HealthCheck } from "./endpoints/health.ts";
import { STORE_ANSWERS } from "./options/tables/storage.ts";
import { LONGEST_MS } from "./pause.ts";

/**
 * Stages of a start, in their order: admission and the filters are at work, caches have been loaded once, custom resources
 * are served, the first content is there, what works by itself has been started.
 */
const STAGES = ["filters", "caches", "customs", "content", "controllers"] as const;

/** How far a server has come. */
export type Stage = (typeof STAGES)[number];

/** What checks ask. */
export interface HealthParts {
  readonly product: Product;
  readonly rbac: boolean;
  readonly fairness: boolean;
  /** Requests are passed on between servers: this one can be found, and finds others. */
  readonly peers: { readonly found: boolean; readonly finds: boolean };
  /** Names of the controllers that run. */
  readonly controllers: ReadonlySet<string>;
  /** The last stage that is done. */
  readonly reached: Stage;
  /** Whether versions that resources are stored in are told; undefined: they never are. */
  readonly versions: boolean | undefined;
  readonly cachesReady: boolean;
  readonly stopping: boolean;
  /** ms */
  readonly healthTimeout: number;
  /** ms */
  readonly readyTimeout: number;
  /** `--livez-grace-period` is not over. */
  readonly inGrace: boolean;
  store(signal: AbortSignal): Promise<void>;
  /** Stores of single resources. */
  readonly otherStores: readonly ((signal: AbortSignal) => Promise<void>)[];
  /** Of the services that encrypt what is stored. */
  readonly encryption: readonly { readonly name: string; check(): Promise<void> }[];
  /** The file that says how is read again when it changes. */
  readonly encryptionFollowed: boolean;
}

const ALL = ["livez", "readyz", "healthz"] as const;
/** Of what no restart mends. */
const NOT_LIVE = ["readyz", "healthz"] as const;

/** Start-up work by name: what finishes it, and where it exists. */
const HOOKS: readonly (readonly [name: string, by: Stage | "versions", exists?: (p: HealthParts) => boolean])[] = [
  ["start-encryption-provider-config-automatic-reload", "filters", (p) => p.encryptionFollowed],
  ["start-apiserver-admission-initializer", "filters"],
  ["generic-apiserver-start-informers", "caches"],
  ["priority-and-fairness-config-consumer", "content", (p) => p.fairness],
  ["priority-and-fairness-filter", "filters", (p) => p.fairness],
  ["max-in-flight-filter", "filters", (p) => !p.fairness],
  ["storage-object-count-tracker-hook", "filters"],
  ["start-apiextensions-informers", "caches"],
  ["start-apiextensions-controllers", "customs"],
  ["crd-informer-synced", "customs"],
  ["start-system-namespaces-controller", "content"],
  [
    "start-kube-apiserver-coordinated-leader-election-controller",
    "controllers",
    (p) => p.controllers.has("leader-election-controller"),
  ],
  ["peer-endpoint-reconciler-controller", "content", (p) => p.peers.found],
  ["mixed-version-proxy-handler", "caches", (p) => p.peers.finds],
  ["local-discovery-cache-sync", "customs", (p) => p.peers.finds],
  ["peer-discovery-workers", "controllers", (p) => p.peers.finds],
  ["start-cluster-authentication-info-controller", "content"],
  ["start-kube-apiserver-identity-lease-controller", "controllers", (p) => p.controllers.has("identity-lease")],
  ["start-kube-apiserver-identity-lease-garbage-collector", "controllers", (p) => p.controllers.has("identity-lease")],
  ["storage-readiness", "caches"],
  ["start-legacy-token-tracking-controller", "content"],
  ["start-service-ip-repair-controllers", "controllers", (p) => p.controllers.has("service-allocation-repair")],
  ["rbac/bootstrap-roles", "content", (p) => p.rbac],
  ["scheduling/bootstrap-system-priority-classes", "content"],
  ["priority-and-fairness-config-producer", "content"],
  ["bootstrap-controller", "content"],
  ["start-kubernetes-service-cidr-controller", "content"],
  ["start-kube-aggregator-informers", "caches"],
  ["apiservice-status-local-available-controller", "content"],
  ["apiservice-status-remote-available-controller", "content"],
  ["apiservice-registration-controller", "content"],
  ["apiservice-discovery-controller", "customs"],
  ["built-in-resources-storage-version-updater", "versions", (p) => p.versions !== undefined],
  ["kube-apiserver-autoregistration", "content"],
  ["apiservice-openapi-controller", "customs"],
  ["apiservice-openapiv3-controller", "customs"],
];

/** So many hooks at the end come after the check that all versions are registered. */
const AFTER_REGISTRATION = 2;

/** The checks as they are now. */
export function healthChecks(p: HealthParts): HealthCheck[] {
  // A restart would not make what is done at the start faster.
  const spared = p.inGrace ? { spared: ["livez"] as const } : {};
  const hooks = HOOKS.filter(([, , exists]) => exists?.(p) ?? true).map(([name, by]): HealthCheck => ({
    name: `poststarthook/${p.product.local(name)}`,
    of: ALL,
    check: () => must(by === "versions" ? p.versions === true : isPast(p, by), "not finished"),
    ...spared,
  }));
  const registered: HealthCheck = {
    name: "autoregister-completion",
    of: ALL,
    check: () => must(isPast(p, "content"), "versions without their APIService"),
    ...spared,
  };
  return [
    { name: "ping", of: ALL, check: () => {} },
    { name: "log", of: ALL, check: () => {} },
    ...storeChecks(p, "", (signal) => p.store(signal)),
    ...p.otherStores.flatMap((store, i) => storeChecks(p, `-${i}`, store)),
    ...p.encryption.map((c): HealthCheck => ({ ...c, of: NOT_LIVE })),
    { name: "informer-sync", of: ["readyz"], check: () => must(p.cachesReady, "caches are loading") },
    ...hooks.toSpliced(-AFTER_REGISTRATION, 0, registered),
    { name: "shutdown", of: ["readyz"], check: () => must(!p.stopping, "shutting down") },
  ];
}

/** Time that a store has to answer where an option says 0, ms. */
const UNTOLD_MS = parseDuration(STORE_ANSWERS)!;

const isPast = ({ reached }: HealthParts, stage: Stage): boolean => STAGES.indexOf(reached) >= STAGES.indexOf(stage);

/** `number`: of a store of single resources. */
function storeChecks(p: HealthParts, number: string, store: HealthParts["store"]): HealthCheck[] {
  const within = (asked: number) => {
    const ms = asked === 0 ? UNTOLD_MS : Math.min(Math.max(0, asked), LONGEST_MS);
    return bounded((signal) => store(AbortSignal.any([signal, AbortSignal.timeout(ms)])), ms);
  };
  const name = number === "" ? "etcd" : "etcd-override";
  return [
    { name: `${name}${number}`, of: ALL, check: within(p.healthTimeout) },
    { name: `${name}-readiness${number}`, of: ["readyz"], check: within(p.readyTimeout) },
  ];
}

/** A store that does not heed the signal is not waited for either. */
function bounded(check: (signal: AbortSignal) => Promise<void>, ms: number) {
  return async (signal: AbortSignal): Promise<void> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
    try {
      await Promise.race([check(signal), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function must(holds: boolean, why: string): void {
  if (!holds) throw new Error(why);
}
