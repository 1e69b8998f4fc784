/** The node's lease: a heartbeat that costs the server little. */
import type { Lease } from "../../schema/api/coordination.k8s.io_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import { fraction, type RandomBytes } from "../../schema/values/random.ts";
import { nowMicroTime } from "../../schema/values/time.ts";
import { growing } from "../client/mod.ts";
import { type Api, type Clock, hasCode, unlessNotFound } from "../types.ts";

/** A lease is renewed at each such part of its time. */
const PART = 4;
const JITTER = 0.04;
/** How soon it is looked whether the node is known. */
const UNKNOWN_MS = 1_000;
/** Attempts to renew before it is looked at anew. */
const TRIES = 5;
const PAUSE_MS = 200;
const MAX_PAUSE_MS = 7_000;

/** What the lease goes by. */
export interface LeaseParts {
  readonly api: Api;
  readonly product: Product;
  readonly nodeName: string;
  readonly nodeLeaseDurationSeconds: number;
  /** The uid of the node's object; undefined: it is not known yet. */
  readonly nodeUid: () => string | undefined;
  /** Attempts fail again and again: the connections may be dead. */
  readonly repeated: () => void;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
}

/** Renews the lease until the signal ends it. */
export async function keepLease(p: LeaseParts, signal: AbortSignal): Promise<void> {
  const { clock, random, nodeLeaseDurationSeconds } = p;
  let latest: Lease | undefined;
  while (!signal.aborted) {
    latest = latest && await renew(p, latest, signal);
    if (!latest) {
      const { lease, made } = await ensure(p, signal);
      latest = lease && !made ? await renew(p, lease, signal) : lease;
    }
    const every = latest ? nodeLeaseDurationSeconds * 1000 / PART : UNKNOWN_MS;
    await clock.wait(every * (1 + JITTER * fraction(random)), signal);
  }
}

/** As it should be now. */
function asserted({ clock, nodeName, nodeUid, nodeLeaseDurationSeconds }: LeaseParts, lease: Lease): Lease {
  const uid = nodeUid();
  const owned = (lease.metadata?.ownerReferences ?? []).length > 0 || uid === undefined
    ? {}
    : { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: nodeName, uid }] };
  return {
    ...lease,
    metadata: { ...lease.metadata, ...owned },
    spec: {
      ...lease.spec,
      leaseDurationSeconds: nodeLeaseDurationSeconds,
      renewTime: nowMicroTime(clock.now()),
    },
  };
}

const groupOf = (product: Product): string => product.local("coordination.k8s.io");

const collection = ({ product }: LeaseParts): string =>
  `/apis/${groupOf(product)}/v1/namespaces/${product.nodeLeaseNamespace}/leases`;

/** The lease after it was renewed; undefined: it could not be, and is to be looked at anew. */
async function renew(p: LeaseParts, lease: Lease, signal: AbortSignal): Promise<Lease | undefined> {
  const path = `${collection(p)}/${p.nodeName}`;
  for (let tries = 0; tries < TRIES && !signal.aborted; tries++) {
    try {
      return await p.api.request<Lease>("PUT", path, { body: asserted(p, lease), signal });
    } catch (e) {
      if (signal.aborted) break;
      p.log("warn", "the node's lease is not renewed", e instanceof Error ? e.message : e);
      // Someone else has written it, or it is gone.
      if (hasCode(e, 404, 409)) return undefined;
      if (tries > 0) p.repeated();
    }
  }
  return undefined;
}

/** Gets the lease, or makes it once the node is known. Tries until it is there or the signal ends it. */
async function ensure(p: LeaseParts, signal: AbortSignal): Promise<{ lease?: Lease; made?: boolean }> {
  const pauses = growing(PAUSE_MS, MAX_PAUSE_MS, p.random);
  while (!signal.aborted) {
    try {
      return await found(p, signal) ?? (p.nodeUid() === undefined ? {} : { lease: await make(p, signal), made: true });
    } catch (e) {
      if (signal.aborted) break;
      p.log("warn", "the node has no lease", whyNot(p, e));
      await p.clock.wait(pauses.next(), signal);
    }
  }
  return {};
}

function whyNot({ product }: LeaseParts, e: unknown): unknown {
  // The page is not there, not an object of it.
  if (hasCode(e, 404) && e.reason !== "NotFound") {
    return `the server serves no group ${groupOf(product)}: has it another --api-dialect?`;
  }
  return e instanceof Error ? e.message : e;
}

async function found(p: LeaseParts, signal: AbortSignal): Promise<{ lease: Lease } | undefined> {
  const lease = await unlessNotFound(p.api.request<Lease>("GET", `${collection(p)}/${p.nodeName}`, { signal }));
  return lease && { lease };
}

function make(p: LeaseParts, signal: AbortSignal): Promise<Lease> {
  const { product, nodeName } = p;
  const body = asserted(p, {
    apiVersion: product.local("coordination.k8s.io/v1"),
    kind: "Lease",
    metadata: { name: nodeName, namespace: product.nodeLeaseNamespace },
    spec: { holderIdentity: nodeName },
  });
  return p.api.request<Lease>("POST", collection(p), { body, signal });
}
