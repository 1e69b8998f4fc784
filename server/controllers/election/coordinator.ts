/** Carries out elections of leases: asks candidates, writes who leads, and forgets candidates that are gone. */
import type { Obj } from "../../../schema/model/types.ts";
import { isNotFound } from "../../../schema/status.ts";
import { nowMicroTime } from "../../../schema/values/time.ts";
import { isConflict } from "../caller.ts";
import { follow } from "../follow.ts";
import { workQueue } from "../queue.ts";
import type { ControllerContext } from "../types.ts";
import { candidateOf, firstSpec, leaseOf, microsOf, type Outcome, withOutcome } from "./lease_spec.ts";
import { candidateExpired, electionStep, isAsked } from "./step.ts";

const LEASES = "leases.coordination.k8s.io";
const CANDIDATES = "leasecandidates.coordination.k8s.io";
/** A lease is looked at again after so long (ms): that its holder is gone tells nobody. */
const AGAIN_MS = 5000;
/** After somebody else's write (ms). */
const SOON_MS = 100;
/** Candidates that are gone are looked for so often (ms). */
const COLLECT_MS = 30 * 60_000;

type Context = Pick<ControllerContext, "product" | "registries" | "now" | "random" | "queues" | "log">;

const keyOf = (namespace: string, name: string) => `${namespace}/${name}`;

/** See the top of the file. */
export class Coordinator {
  readonly #ctx: Context;
  /** What stops the election of a lease, as it was told last. */
  readonly #told = new Map<string, string>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Works until the signal aborts. */
  start(signal: AbortSignal): void {
    const { log, registries } = this.#ctx;
    const queue = workQueue(this.#ctx, "coordinated-leader-election", {
      workers: 1,
      onError: (key, e) => log("warn", `the election for lease ${key} is tried again`, e),
      work: (key) => this.settle(key),
    });
    queue.start(signal);
    follow(registries.byId(CANDIDATES), signal, (entry, deleted) => {
      const obj = entry.readable();
      if (!obj) return;
      // One that has just been asked is waited for already.
      if (deleted || !isAsked(candidateOf(obj))) queue.add(keyOf(entry.namespace, obj["spec"]?.leaseName ?? ""));
    });
    follow(registries.byId(LEASES), signal, (entry) => {
      if (this.#candidates(entry.namespace, entry.name).length > 0) queue.add(keyOf(entry.namespace, entry.name));
    });
    const collect = () => void this.collect().catch((e) => log("warn", "the collection of lease candidates failed", e));
    const timer = setInterval(collect, COLLECT_MS);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
    collect();
  }

  /** Does the next step for `<namespace>/<lease>`. A number: again after so many ms. @throws StatusError */
  async settle(key: string): Promise<number | void> {
    const slash = key.indexOf("/"), namespace = key.slice(0, slash), name = key.slice(slash + 1);
    const { registries, now } = this.#ctx;
    const lease = registries.lister.get(LEASES, namespace, name);
    const candidates = this.#candidates(namespace, name).map(candidateOf);
    const step = electionStep(lease && leaseOf(lease), candidates, now() * 1000);
    if (step.kind !== "stuck") this.#told.delete(key);
    if (step.kind === "none") return;
    try {
      if (step.kind === "ping") await Promise.all(step.names.map((c) => this.#ask(namespace, c)));
      else if (step.kind === "elect") await this.#write(namespace, name, step);
      else if (step.kind === "stuck") this.#tell(key, step.why);
      return AGAIN_MS;
    } catch (e) {
      if (!isConflict(e)) throw e;
      return SOON_MS;
    }
  }

  /** Deletes candidates that did not renew for too long. @throws StatusError */
  async collect(): Promise<void> {
    const { registries, now } = this.#ctx;
    for (const candidate of registries.lister.list(CANDIDATES)) {
      if (!candidateExpired(candidateOf(candidate), now() * 1000)) continue;
      const { namespace = "", name } = candidate.metadata;
      try {
        const current = await registries.live.get(CANDIDATES, namespace, name!);
        if (current && candidateExpired(candidateOf(current), now() * 1000)) {
          await registries.delete(CANDIDATES, namespace, name!, current.metadata.resourceVersion);
        }
      } catch (e) {
        if (!isConflict(e) && !isNotFound(e)) throw e;
      }
    }
  }

  #candidates(namespace: string, lease: string): readonly Obj[] {
    return this.#ctx.registries.lister.list(CANDIDATES, namespace).filter((c) => c["spec"]?.leaseName === lease);
  }

  #tell(key: string, why: string): void {
    if (this.#told.get(key) === why) return;
    this.#told.set(key, why);
    this.#ctx.log("warn", `no leader for lease ${key}: ${why}`);
  }

  /** A candidate that renewed while it was to be asked answers by that. */
  async #ask(namespace: string, name: string): Promise<void> {
    const { registries, now } = this.#ctx;
    const renewed = registries.lister.get(CANDIDATES, namespace, name)?.["spec"]?.renewTime;
    try {
      await registries.live.update(CANDIDATES, namespace, name, (obj) => {
        const moved = (microsOf(obj["spec"]?.renewTime) ?? 0) > (microsOf(renewed) ?? 0);
        return moved ? undefined : { ...obj, spec: { ...obj["spec"], pingTime: nowMicroTime(now()) } };
      });
    } catch (e) {
      if (!isNotFound(e)) throw e;
    }
  }

  async #write(namespace: string, name: string, outcome: Outcome): Promise<void> {
    const { product, registries: { live, lister }, now, log } = this.#ctx;
    if (lister.get(LEASES, namespace, name)) {
      await live.update(LEASES, namespace, name, (lease) => withOutcome(lease, outcome, now()));
      return;
    }
    const place = lister.get("namespaces", "", namespace);
    if (!place || place.metadata.deletionTimestamp) return;
    const apiVersion = `${product.local("coordination.k8s.io")}/v1`;
    const spec = firstSpec(outcome, now());
    await live.create(LEASES, { apiVersion, kind: "Lease", metadata: { name, namespace }, spec } as Obj);
    log("info", `lease ${keyOf(namespace, name)} is ${outcome.holder ?? "left to who knows its strategy"}`);
  }
}
