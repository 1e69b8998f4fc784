/** The lease by which a server shows that it lives, and the collection of leases of servers that do not any more. */
import type { Obj } from "../../schema/model/types.ts";
import type { Tree } from "../../schema/rules/tree.ts";
import { isNotFound } from "../../schema/status.ts";
import { nowMicroTime } from "../../schema/values/time.ts";
import { serverIdentity } from "../bootstrap/system.ts";
import { ADVERTISED, IDENTITY } from "../peers/address.ts";
import { isConflict } from "./caller.ts";
import type { Controller, ControllerContext } from "./types.ts";

const LEASES = "leases.coordination.k8s.io";
/** How often the lease is renewed, how long it holds (ms, s), and how often old ones are looked for (ms). */
const RENEW_MS = 10_000;
const HOLDS_SECONDS = 3600;
const COLLECT_MS = 60 * 60_000;

/** Whose lease it is. */
export type LeavingServer = Pick<ControllerContext, "registries" | "product" | "hostname" | "port">;

/** Makes the controller; undefined with the gate APIServerIdentity off. */
export function identityLease(ctx: ControllerContext): Controller | undefined {
  if (!ctx.gate("APIServerIdentity") || !ctx.registries.byId(LEASES)) return undefined;
  return {
    start(signal) {
      const guarded = (what: string, run: () => Promise<void>) => async () => {
        try {
          await run();
        } catch (e) {
          if (!isConflict(e) && !isNotFound(e)) ctx.log("warn", `${what} is tried again`, e);
        }
      };
      const renewing = guarded("the identity lease", () => renew(ctx));
      const collecting = guarded("the collection of identity leases", () => collectExpired(ctx));
      const timers = [setInterval(renewing, RENEW_MS), setInterval(collecting, COLLECT_MS)];
      signal.addEventListener("abort", () => timers.forEach(clearInterval), { once: true });
      ctx.atLeave(() => leave(ctx));
      void renewing();
      void collecting();
    },
  };
}

/** Renews this server's lease, or makes it anew. @throws StatusError */
async function renew(ctx: ControllerContext): Promise<void> {
  if (ctx.leaving()) return;
  const { live, lister } = ctx.registries;
  const name = serverIdentity(ctx.hostname, ctx.port);
  const namespace = ctx.product.systemNamespace;
  const spec = {
    holderIdentity: `${name}_${ctx.processId}`,
    leaseDurationSeconds: HOLDS_SECONDS,
    renewTime: nowMicroTime(ctx.now()),
  };
  const labels = {
    [ctx.product.local(IDENTITY[0])]: ctx.product.local(IDENTITY[1]),
    [ctx.product.local("kubernetes.io/hostname")]: ctx.hostname,
  };
  const annotations = ctx.peerAddress ? { [ctx.product.local(ADVERTISED)]: ctx.peerAddress } : {};
  if (lister.get(LEASES, namespace, name)) {
    await live.update(LEASES, namespace, name, (obj) => {
      const { metadata } = obj;
      return {
        ...obj,
        metadata: {
          ...metadata,
          labels: { ...metadata.labels, ...labels },
          annotations: { ...metadata.annotations, ...annotations },
        },
        spec: { ...obj["spec"], ...spec },
      };
    });
    return;
  }
  const apiVersion = `${ctx.product.local("coordination.k8s.io")}/v1`;
  const metadata = { name, namespace, labels, annotations };
  await live.create(LEASES, { apiVersion, kind: "Lease", metadata, spec } as Obj);
}

/** Deletes this server's lease: peers need not wait until it runs out. @throws StatusError */
async function leave({ registries, product, hostname, port }: LeavingServer): Promise<void> {
  const name = serverIdentity(hostname, port);
  if (!registries.lister.get(LEASES, product.systemNamespace, name)) return;
  await registries.delete(LEASES, product.systemNamespace, name);
}

/** Deletes identity leases that nobody renewed for as long as they hold. @throws StatusError */
async function collectExpired(ctx: ControllerContext): Promise<void> {
  const [label, value] = [ctx.product.local(IDENTITY[0]), ctx.product.local(IDENTITY[1])];
  const { registries, product: { systemNamespace } } = ctx;
  for (const lease of registries.lister.list(LEASES, systemNamespace)) {
    const { labels, name } = lease.metadata;
    if (labels?.[label] !== value || !isExpired(lease, ctx.now())) continue;
    // What this server has heard last may be long ago.
    const current = await registries.live.get(LEASES, systemNamespace, name!);
    if (!current || !isExpired(current, ctx.now())) continue;
    try {
      await registries.delete(LEASES, systemNamespace, name!, current.metadata.resourceVersion);
    } catch (e) {
      if (!isConflict(e) && !isNotFound(e)) throw e;
    }
  }
}

/** One that does not say until when it holds is no server's. */
function isExpired({ spec = {} }: Tree, now: number): boolean {
  const until = Date.parse(spec.renewTime ?? "") + spec.leaseDurationSeconds * 1000;
  return !(until >= now);
}
