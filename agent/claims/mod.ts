/** Dynamic resources: devices that pods claim by objects of the API, and that drivers make ready. */
import { join } from "node:path";
import type { Registry } from "prom-client";
import type { Container, Pod, ResourceHealth, ResourceStatus } from "../../schema/api/core_v1.ts";
import type { ResourceClaim } from "../../schema/api/resource.k8s.io_v1.ts";
import type { Claims } from "../types.ts";
import { type ClaimDriver, ClaimDrivers, type DriverParts } from "./drivers.ts";
import { DeviceHealth, keyOf } from "./health.ts";
import { prepareCall, type PreparedDevice, unprepareCall } from "./messages.ts";
import { type ClaimMetrics, claimMetrics } from "./metrics.ts";
import { checkClaim, claimsOf, requestsOf } from "./names.ts";
import { type Claim, ClaimStore } from "./store.ts";

/** What it works with. */
export interface ClaimParts extends Omit<DriverParts, "metrics" | "health"> {
  /** Pods that may have something running; undefined while it is not known of all. */
  readonly pods: () => readonly Pod[] | undefined;
  readonly metrics: Registry;
  /** A device of the pod is well, or ill. */
  readonly changed: (uid: string) => void;
  gate(name: string): boolean;
}

const FILE = "dra_manager_state";
/** How often claims of pods that are gone are looked for, ms. */
const RECONCILE_MS = 60_000;

/** See the top of the file. */
export class NodeClaims implements Claims {
  readonly drivers: ClaimDrivers;
  readonly #store: ClaimStore;
  readonly #metrics: ClaimMetrics;
  readonly #health: DeviceHealth;

  /** Takes up what was kept. @throws Error: that is damaged */
  constructor({ rootDir }: { readonly rootDir: string }, readonly parts: ClaimParts) {
    this.#metrics = claimMetrics(parts.metrics);
    const changed = (driver: string, keys: readonly string[]) => {
      const having = this.#store.all().filter(({ devices }) =>
        devices.get(driver)?.some((device) => keys.includes(keyOf(device)))
      );
      for (const uid of new Set(having.flatMap(({ pods }) => [...pods]))) parts.changed(uid);
    };
    this.#health = new DeviceHealth({ ...parts, changed });
    this.drivers = new ClaimDrivers({ ...parts, metrics: this.#metrics, health: this.#health });
    this.#store = new ClaimStore(join(rootDir, FILE));
  }

  /** Until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.drivers.run(), this.#reconcile(signal)]);
  }

  async prepare(pod: Pod): Promise<void> {
    const done = this.#metrics.working("PrepareResources");
    try {
      await this.#prepare(pod);
      done(false);
    } catch (e) {
      done(true);
      throw new Error(`prepare dynamic resources: ${(e as Error).message}`, { cause: e });
    }
  }

  async unprepare(uid: string): Promise<void> {
    if (this.#store.of(uid).length === 0) return;
    const done = this.#metrics.working("UnprepareResources");
    try {
      await this.#unprepare(uid);
      done(false);
    } catch (e) {
      done(true);
      throw new Error(`unprepare dynamic resources: ${(e as Error).message}`, { cause: e });
    }
  }

  cdiDevices(pod: Pod, container: Container): readonly { readonly name: string }[] {
    const namespace = pod.metadata?.namespace ?? "";
    return [...requestsOf(pod, container)].flatMap(([name, requests]) => {
      const claim = this.#store.get(namespace, name);
      if (!claim) {
        throw new Error(`internal error: unable to get claim info for ResourceClaim ${name} in namespace ${namespace}`);
      }
      const devices = [...claim.devices.values()].flat();
      return requests.flatMap((request) =>
        devices.filter((device) => isFor(device, request))
          .flatMap(({ cdiDeviceIds }) => cdiDeviceIds.map((id) => ({ name: id })))
      );
    });
  }

  health(pod: Pod, container: string): readonly ResourceStatus[] {
    const spec = pod.spec?.containers?.find(({ name }) => name === container);
    return (spec?.resources?.claims ?? []).flatMap(({ name: entry, request }) => {
      const claim = this.#named(pod, entry);
      const resources = [...claim?.devices ?? []].flatMap(([driver, devices]) =>
        devices.filter((device) => isFor(device, request ?? "")).map((device) => this.#healthOf(driver, device))
      );
      const name = `claim:${entry}${request ? `/${request}` : ""}`;
      const once = [...new Map(resources.map((one) => [one.resourceID, one])).values()];
      return once.length > 0 ? [{ name, resources: once }] : [];
    });
  }

  #healthOf(driver: string, device: PreparedDevice): ResourceHealth {
    const { health, message } = this.#health.of(driver, device);
    return {
      resourceID: device.cdiDeviceIds[0] ?? `${driver}/${keyOf(device)}`,
      health,
      ...(message && this.parts.gate("ResourceHealthStatusMessage") ? { message } : {}),
    };
  }

  #named(pod: Pod, entry: string): Claim | undefined {
    const { resourceClaimName: direct } = pod.spec?.resourceClaims?.find(({ name }) => name === entry) ?? {};
    const name = direct ?? pod.status?.resourceClaimStatuses?.find((s) => s.name === entry)?.resourceClaimName;
    return name ? this.#store.get(pod.metadata?.namespace ?? "", name) : undefined;
  }

  /** Claims of a container; of a pod that has none ready yet, none. */
  of(pod: Pod, container: Container): readonly Claim[] {
    try {
      return [...requestsOf(pod, container).keys()].flatMap((name) =>
        this.#store.get(pod.metadata?.namespace ?? "", name) ?? []
      );
    } catch {
      return [];
    }
  }

  async #prepare(pod: Pod): Promise<void> {
    const meant = claimsOf(pod), fresh = new Map<string, Claim>();
    const found = await Promise.all(meant.map(async (one) => {
      const object = await this.#ask(pod, one.name);
      checkClaim(pod, object, one);
      const drivers = new Set((object.status!.allocation!.devices?.results ?? []).map(({ driver }) => driver));
      for (const driver of drivers) this.drivers.get(driver);
      return { object, drivers };
    }));
    for (const { object, drivers } of found) {
      const claim = this.#use(pod, object, drivers);
      if (!claim.prepared) fresh.set(claim.uid, claim);
    }
    if (found.length > 0) this.#store.keep();
    for (const [driver, claims] of this.#byDriver([...fresh.values()])) {
      const ready = await driver.ask(prepareCall, claims.map(refOf));
      for (const claim of claims) claim.devices.set(driver.name, ready.get(claim.uid)?.devices ?? []);
    }
    for (const claim of fresh.values()) claim.prepared = true;
    if (fresh.size > 0) this.#store.keep();
  }

  async #ask(pod: Pod, name: string): Promise<ResourceClaim> {
    const { api, product, signal } = this.parts, namespace = encodeURIComponent(pod.metadata?.namespace ?? "");
    try {
      if (!api) throw new Error("there is no API server to ask");
      const path = `${product.local("/apis/resource.k8s.io/v1")}/namespaces/${namespace}/resourceclaims/`;
      return await api.request<ResourceClaim>("GET", path + encodeURIComponent(name), { signal });
    } catch (e) {
      throw new Error(`fetch ResourceClaim ${name}: ${(e as Error).message}`, { cause: e });
    }
  }

  /** Notes that a pod uses a claim. @throws Error: it cannot, now */
  #use(pod: Pod, { metadata = {} }: ResourceClaim, drivers: ReadonlySet<string>): Claim {
    const { namespace = "", name = "", uid = "" } = metadata;
    let claim = this.#store.get(namespace, name);
    if (claim && claim.uid !== uid) {
      throw new Error(
        `old ResourceClaim with same name ${name} and different UID ${claim.uid} still exists (previous pod force-deleted?!)`,
      );
    }
    if (claim?.unpreparing) throw new Error(`ResourceClaim ${name} is being unprepared`);
    if (!claim) {
      const devices = new Map([...drivers].map((driver) => [driver, []] as const));
      claim = { namespace, name, uid, pods: new Set(), devices, prepared: false, unpreparing: false };
      this.#store.add(claim);
    }
    claim.pods.add(pod.metadata?.uid ?? "");
    return claim;
  }

  async #unprepare(uid: string): Promise<void> {
    const last: Claim[] = [];
    for (const claim of this.#store.of(uid)) {
      if (claim.pods.size > 1) claim.pods.delete(uid);
      else last.push(claim);
    }
    for (const claim of last) claim.unpreparing = true;
    for (const [driver, claims] of this.#byDriver(last)) await driver.ask(unprepareCall, claims.map(refOf));
    for (const claim of last) this.#store.delete(claim);
    this.#store.keep();
  }

  /** @throws Error: a driver is not registered */
  #byDriver(claims: readonly Claim[]): readonly (readonly [ClaimDriver, readonly Claim[]])[] {
    const names = new Set(claims.flatMap(({ devices }) => [...devices.keys()]));
    return [...names].map((name) =>
      [this.drivers.get(name), claims.filter(({ devices }) => devices.has(name))] as const
    );
  }

  async #reconcile(signal: AbortSignal): Promise<void> {
    const { clock, pods, log } = this.parts;
    for (; !signal.aborted; await clock.wait(RECONCILE_MS, signal)) {
      const active = pods();
      if (!active) continue;
      const uids = new Set(active.map(({ metadata }) => metadata?.uid));
      const gone = new Set(this.#store.all().flatMap((claim) => [...claim.pods]).filter((uid) => !uids.has(uid)));
      for (const uid of gone) {
        await this.unprepare(uid).catch((e) => log("warn", `claims of pod ${uid}`, (e as Error).message));
      }
    }
  }
}

/** @param request of a claim; empty: any */
const isFor = ({ requestNames }: PreparedDevice, request: string): boolean =>
  request === "" || requestNames.length === 0 || requestNames.includes(request);

const refOf = ({ namespace, uid, name }: Claim) => ({ namespace, uid, name });
