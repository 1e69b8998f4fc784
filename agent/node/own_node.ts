/** This node: its object at the API server, its status and its lease. */
import { Registry } from "prom-client";
import type { Node } from "../../schema/api/core_v1.ts";
import type { Ip } from "../../schema/values/ip.ts";
import { fraction } from "../../schema/values/random.ts";
import { growing } from "../client/mod.ts";
import type { HandlerFeatures } from "../runtime/types.ts";
import { type Api, ApiError, type Follower } from "../types.ts";
import { hostIpsOf } from "./addresses.ts";
import { NodeComputer } from "./computer.ts";
import { isReady } from "./conditions.ts";
import { parseNodeIps } from "./host_network.ts";
import { hostnameOf } from "./identity.ts";
import { NodeEvents } from "./node_events.ts";
import { keepLease } from "./lease.ts";
import type { NodeOptions, NodeParts } from "./options.ts";
import { hasChanged, statusPatch } from "./patch.ts";
import { initialNode, NODES, register, STRATEGIC } from "./registration.ts";
import { RuntimeState } from "./runtime_state.ts";
import { NodeStartup } from "./startup.ts";

/** Attempts to send a status, pauses while registering, ms. */
const TRIES = 5;
const REGISTER_MS = 200;
const MAX_REGISTER_MS = 7_000;
const JITTER = 0.04;
/** How often the runtime is asked; and until the node is ready, for so long, ms. */
const RUNTIME_MS = 5_000;
const FAST_MS = 100;
const GRACE_MS = 120_000;

/** See the top of the file. Without an API server it only knows itself. */
export class OwnNode {
  readonly name: string;
  readonly #nodeIps: readonly Ip[];
  readonly #events: NodeEvents;
  readonly #state: RuntimeState;
  readonly #computer: NodeComputer;
  readonly #heartbeat: Api | undefined;
  readonly #startup: NodeStartup;
  #node: Node;
  /** The object is there, as far as is known. */
  #there = false;
  /** It was there once. */
  readonly #known = Promise.withResolvers<void>();
  /** The uid of one that was deleted, or that a server with another store does not have. */
  #gone: string | undefined;
  #registered = false;
  #reportedAt: number | undefined;
  #delay = 0;
  #podCidr = "";
  #syncing: Promise<void> = Promise.resolve();

  /** @throws Error for options that make no node */
  constructor(private readonly o: NodeOptions, private readonly p: NodeParts) {
    this.name = hostnameOf(o.hostnameOverride);
    this.#nodeIps = parseNodeIps(o.nodeIp);
    this.#events = new NodeEvents(this.name, p.events);
    this.#startup = new NodeStartup(p.metrics ?? new Registry(), () => p.clock.now());
    this.#state = new RuntimeState(p.runtime, p.clock, p.log);
    const timeoutMs = Math.min(o.nodeStatusUpdateFrequency, o.nodeLeaseDurationSeconds * 1000);
    this.#heartbeat = p.client?.paced({ qps: -1, burst: 0, timeoutMs });
    this.#node = initialNode({ product: p.product, name: this.name, nodeIps: this.#nodeIps }, o);
    this.#computer = new NodeComputer(this.name, this.#nodeIps, o, p, this.#state);
  }

  /** The object as it is known: before it is registered, as it would be. */
  node(): Node {
    return this.#node;
  }

  /** Fulfilled once the API server has told of the object, or with the signal. */
  async known(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    await Promise.race([this.#known.promise, promise]);
  }

  /** Undefined until the API server has told it. */
  uid(): string | undefined {
    return this.#node.metadata?.uid;
  }

  /** The same while the object can own others: it is there, and is not being deleted. Those of one that is gone are collected. */
  ownerUid(): string | undefined {
    const { uid, deletionTimestamp } = this.#node.metadata ?? {};
    return uid === this.#gone || deletionTimestamp ? undefined : uid;
  }

  /** Addresses of pods in the host's network: one, or one of each family. */
  hostIPs(): readonly string[] {
    return hostIpsOf(this.#node);
  }

  /** Why no pod can be run now; empty when they can. */
  runtimeFaults(): readonly string[] {
    return this.#state.runtimeFaults();
  }

  /** Why no pod with a network of its own can be run now; undefined when they can. */
  networkFault(): string | undefined {
    return this.#state.networkFault();
  }

  /** Names of what the node can do, as its object tells them. */
  features(): readonly string[] {
    return this.p.features(this.#state.features());
  }

  /** What a handler of the runtime can do; undefined: nobody knows of it. */
  handler(name: string): HandlerFeatures | undefined {
    return this.#state.handler(name);
  }

  /** Computes the status once, so that {@linkcode node} and {@linkcode hostIPs} tell something before it is registered. */
  async prepare(): Promise<void> {
    await this.#state.refresh();
    if (this.#there) return;
    this.#node = (await this.#computer.next(this.#node)).node;
  }

  /** Registers, reports and renews, until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const { client, events, product, clock, random, log } = this.p;
    events.node("Normal", "Starting", `Starting ${product.dialect === "orch" ? "orchlet" : "kubelet"}.`);
    if (!client) return await this.#alone(signal);
    const lease = keepLease({
      api: this.#heartbeat!,
      product,
      nodeName: this.name,
      nodeLeaseDurationSeconds: this.o.nodeLeaseDurationSeconds,
      // A lease of a node that was deleted would be collected, and made again, on and on.
      nodeUid: () => this.uid() === this.#gone ? undefined : this.uid(),
      repeated: () => client.renew(),
      clock,
      random,
      log,
    }, signal);
    const own = { fieldSelector: `metadata.name=${this.name}` };
    await Promise.all([
      lease,
      client.follow(NODES, own, this.#follower, signal),
      this.#watchRuntime(signal),
      this.#report(signal),
    ]);
  }

  /** Registers if need be, and sends the status if it has changed or was not sent for long. Never throws. */
  sync(signal: AbortSignal): Promise<void> {
    return this.#syncing = this.#syncing.then(() => this.#sync(signal));
  }

  async #alone(signal: AbortSignal): Promise<void> {
    await this.#usePodCidr(this.o.podCidr);
    while (!signal.aborted) {
      await this.prepare();
      await this.p.clock.wait(this.o.nodeStatusUpdateFrequency, signal);
    }
  }

  async #watchRuntime(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.p.clock.wait(RUNTIME_MS, signal);
      await this.#state.refresh();
    }
  }

  async #report(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.p;
    const grace = clock.ticks() + GRACE_MS;
    for (let wasReady = false; !signal.aborted;) {
      await this.sync(signal);
      wasReady ||= isReady(this.#node.status?.conditions);
      const every = this.o.nodeStatusUpdateFrequency * (1 + JITTER * fraction(random));
      if (wasReady || clock.ticks() >= grace) await clock.wait(every, signal);
      else await this.#whenReady(clock.ticks() + every, signal);
    }
  }

  /** Waits until nothing is in the way of a ready node, at most until that time. */
  async #whenReady(end: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.p;
    while (!signal.aborted && clock.ticks() < end) {
      await clock.wait(FAST_MS, signal);
      await this.#state.refresh();
      if (this.#state.faults().length + this.p.faults().length === 0) return;
    }
  }

  readonly #follower: Follower<Node> = {
    replace: ([node]) => {
      this.#look(node !== undefined, node ?? this.#node);
      if (node) this.#node = node;
    },
    changed: (type, node) => {
      this.#look(type !== "DELETED", node);
      if (!isOlder(node, this.#node)) this.#node = node;
    },
  };

  #look(there: boolean, { metadata }: Node): void {
    if (there) {
      this.#isThere();
      if (metadata?.uid === this.#gone) this.#gone = undefined;
    } else {
      this.#there = false;
      this.#gone = metadata?.uid;
    }
  }

  #isThere(): void {
    this.#there = true;
    this.#known.resolve();
  }

  async #sync(signal: AbortSignal): Promise<void> {
    if (!this.p.client) return;
    await this.#state.refresh();
    if (this.o.registerNode && !this.#registered) await this.#register(signal);
    for (let tries = 0; tries < TRIES && !signal.aborted; tries++) {
      try {
        return await this.#update(tries > 0 || !this.#there, signal);
      } catch (e) {
        if (signal.aborted) return;
        this.p.log("warn", "the node's status is not sent", e instanceof Error ? e.message : e);
        if (tries > 0 && !(e instanceof ApiError)) this.p.client!.renew();
      }
    }
  }

  async #register(signal: AbortSignal): Promise<void> {
    const { client, product, log, clock, random } = this.p;
    const pauses = growing(REGISTER_MS, MAX_REGISTER_MS, random);
    const who = { product, name: this.name, nodeIps: this.#nodeIps };
    while (!signal.aborted) {
      try {
        const { node, events } = await this.#computer.next(initialNode(who, this.o));
        this.#startup.attempted();
        const registered = await register(client!, who, this.o, node, this.p.emptied(), signal);
        if (registered.made) this.#startup.registered();
        this.#node = registered.node;
        this.#registered = true;
        this.#isThere();
        this.#events.states(events);
        return log("info", `the node is registered as ${this.name}`);
      } catch (e) {
        if (signal.aborted) return;
        log("error", "the node is not registered", e instanceof Error ? e.message : e);
        await clock.wait(pauses.next(), signal);
      }
    }
  }

  /** @param ask the object is not known as it is now. @throws ApiError, or Error without answer */
  async #update(ask: boolean, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.p;
    const path = `${NODES}/${this.name}`;
    const before = ask ? await this.#heartbeat!.request<Node>("GET", path, { signal }) : this.#node;
    const { podCIDRs, podCIDR, unschedulable = false } = before.spec ?? {};
    await this.#usePodCidr((podCIDRs ?? [podCIDR ?? ""]).join(","));
    const { node, events } = await this.#computer.next(before);
    this.#events.schedulable(!unschedulable);
    const changed = hasChanged(before, node), now = clock.ticks();
    const every = this.o.nodeStatusReportFrequency;
    if (!changed && this.#reportedAt !== undefined && now - this.#reportedAt < every + this.#delay) return;
    // Nodes that changed together, as at the start of a cluster, do not report together from then on.
    this.#delay = changed || this.#reportedAt === undefined ? every * (fraction(random) - 0.5) : 0;
    // Before it is sent: where the answer is lost, the next attempt sees what this one has written.
    this.#events.reboot(before, node);
    this.#events.states(events);
    const body = statusPatch(before, node);
    const sent = await this.#heartbeat!.request<Node>("PATCH", `${path}/status`, { body, patch: STRATEGIC, signal });
    if (isReady(sent.status?.conditions)) this.#startup.ready();
    this.#reportedAt = now;
    if (!isOlder(sent, this.#node)) this.#node = sent;
    this.#isThere();
  }

  async #usePodCidr(cidr: string): Promise<void> {
    if (cidr === "" || cidr === this.#podCidr) return;
    try {
      await this.p.runtime.updateRuntimeConfig(cidr);
      this.#podCidr = cidr;
    } catch (e) {
      this.p.log("warn", "the runtime does not take the range of pods", e instanceof Error ? e.message : e);
    }
  }
}

/** Whether a version of an object comes before one that is known: answers and watches do not keep an order. */
function isOlder(node: Node, known: Node): boolean {
  const [a, b] = [node, known].map(({ metadata }) => metadata?.resourceVersion ?? "");
  return node.metadata?.uid === known.metadata?.uid && /^\d+$/.test(a!) && /^\d+$/.test(b!) && BigInt(a!) < BigInt(b!);
}
