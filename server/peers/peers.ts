/**
 * Requests for what this server does not serve and another server on the same store does are passed on to that one (gate
 * UnknownVersionInteroperabilityProxy): while servers of two versions, or of two settings, work side by side, clients see
 * all that any of them serves.
 */
import type { JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { StatusError } from "../../schema/status.ts";
import { type HostPort, hostPort } from "../../schema/values/host_port.ts";
import { splitUrl } from "../filters/url.ts";
import { follow } from "../controllers/follow.ts";
import { WorkQueue } from "../controllers/queue.ts";
import { bodyText } from "../options/body_text.ts";
import { forward } from "../proxy/forward.ts";
import { mistakable, userHeaders } from "../proxy/user.ts";
import type { ProxyTarget, ProxyTls, ProxyTransport } from "../proxy/types.ts";
import type { Lister } from "../admission/types.ts";
import type { Store } from "../registry/store.ts";
import type { RequestScope, User } from "../request.ts";
import { PATHS, readDocuments, resourceKey } from "./documents.ts";
import { ExcludedVersions } from "./excluded.ts";
import { KnownPeers, type Peer } from "./known.ts";
import { mergedGroups } from "./merge.ts";
import type { Asked, PeerMetrics } from "./metrics.ts";

/** What peers are made of. */
export interface PeersOptions {
  readonly product: Product;
  /** This server's own identity: the name of its lease. */
  readonly identity: string;
  /** How peers are verified, and who this server is to them. */
  readonly tls: () => ProxyTls;
  readonly transport: ProxyTransport;
  readonly metrics: PeerMetrics;
  readonly lister: Lister;
  /** Whether a client's header, by its lower-case name, says who somebody is. */
  tellsUser(name: string): boolean;
  /** The registry of leases; undefined where they are not served. */
  leases(): Store | undefined;
  /** ms since whenever, never going back. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  log(level: "info" | "warn", text: string, detail?: unknown): void;
}

/** How long a peer may take to tell what it serves, ms, and bytes of one document. */
const DISCOVERY_MS = 30_000;
const DISCOVERY_BYTES = 16 * 1024 * 1024;
/** Waits between attempts to learn it, ms. */
const RETRY = { retryMs: 50, retryMaxMs: 60_000 };

/** See the top of the file. */
export class Peers {
  readonly #o: PeersOptions;
  readonly #known: KnownPeers;
  readonly #excluded: ExcludedVersions;
  readonly #queue: WorkQueue;
  /** Says that a request was passed on once. */
  readonly #header: string;
  readonly #accept: string;
  #changes = 0;
  #merged: { readonly of: JsonMap; readonly at: string; readonly tree: JsonMap } | undefined;

  constructor(o: PeersOptions) {
    this.#o = o;
    this.#header = o.product.dialect === "orch" ? "x-orch-peer-proxied" : "x-kubernetes-peer-proxied";
    const aggregated = `application/json;g=${o.product.local("apidiscovery.k8s.io")};v=v2;as=APIGroupDiscoveryList`;
    this.#accept = `${aggregated};profile=nopeer,${aggregated}`;
    this.#excluded = new ExcludedVersions(o.lister, o.now);
    this.#queue = new WorkQueue({
      workers: 2,
      random: o.random,
      ...RETRY,
      onError: (name, e) => o.log("info", `what the peer ${name} serves is asked later`, textOf(e)),
      work: (name) => this.#learn(name),
    });
    this.#known = new KnownPeers({
      product: o.product,
      own: o.identity,
      now: o.now,
      arrived: (name) => this.#queue.add(name),
      left: () => this.#changes++,
    });
  }

  /** Begins to look for peers; ends when the signal aborts. */
  start(signal: AbortSignal): void {
    this.#queue.start(signal);
    const leases = this.#o.leases(), known = this.#known;
    const loaded = () => known.keep((namespace, name) => leases!.cache.get(namespace, name) !== undefined);
    follow(leases, signal, known.follower, loaded);
  }

  /** Asks a peer what it serves. @throws Error when it does not say */
  async #learn(name: string): Promise<void> {
    const peer = this.#known.get(name);
    if (!peer) return;
    if (!peer.address) {
      this.#o.metrics.undiscovered("hostport_resolution");
      throw new Error(`the lease of the peer ${name} names no address`);
    }
    const { address } = peer;
    const texts: string[] = [];
    let failed: unknown;
    for (const path of PATHS) {
      try {
        texts.push(await this.#document(address, path));
      } catch (e) {
        this.#o.metrics.undiscovered("fetch_discovery");
        failed ??= e;
      }
    }
    const documents = readDocuments(texts);
    const current = this.#known.get(name);
    if (current) current.documents = documents;
    this.#changes++;
    if (failed !== undefined) throw failed;
    if (current && current.holder !== peer.holder) this.#queue.add(name);
  }

  async #document(address: HostPort, path: string): Promise<string> {
    const { product, transport, metrics } = this.#o;
    const user: User = {
      name: product.local("system:apiserver"),
      uid: product.local("system:apiserver"),
      groups: ["system:authenticated"],
    };
    const headers = [["accept", this.#accept], [this.#header, "true"], ...userHeaders(user, true)] as const;
    const answer = await transport.send(
      this.#target(address, path),
      { method: "GET", headers, body: null },
      AbortSignal.timeout(DISCOVERY_MS),
    );
    metrics.rerouted(answer.status, { group: "", version: "", resource: "" });
    const text = await bodyText(answer.body, DISCOVERY_BYTES);
    if (answer.status !== 200) throw new Error(`${path} of the peer was answered with ${answer.status}`);
    return text;
  }

  #target({ host, port }: HostPort, path: string): ProxyTarget {
    return { host, port, network: "controlplane", tls: this.#o.tls(), authority: hostPort(host, port), path };
  }

  /** Passes a request on whose resource this server does not serve; undefined when no peer does either. */
  pass(scope: RequestScope): Promise<Response> | undefined {
    const { info, headers } = scope;
    const { group, version, resource } = info;
    if (headers.get(this.#header) === "true") return undefined;
    const able = this.#serving({ group, version, resource });
    if (able.length === 0) return undefined;
    const reachable = this.#known.alive(able.filter((p) => p.address !== undefined));
    if (reachable.length === 0) {
      this.#o.metrics.unresolved({ group, version, resource });
      throw new StatusError(503, "ServiceUnavailable", "no address is known of a server that serves this", undefined);
    }
    if (mistakable(scope.user)) {
      const why = "groups with a comma and a blank, or blanks at an end, cannot be told to the server that serves this";
      throw new StatusError(403, "Forbidden", `forbidden: ${why}`, {});
    }
    const chosen = reachable[Math.floor(this.#o.random() * reachable.length)]!;
    return this.#send(scope, chosen.address!, { group, version, resource });
  }

  #serving({ group, version, resource }: Asked): Peer[] {
    const key = resourceKey(group, version, resource);
    const able = [...this.#known.all()].filter((p) => p.documents?.resources.has(key));
    return able.length > 0 && !this.#excluded.has(group, version) ? able : [];
  }

  async #send(scope: RequestScope, address: HostPort, asked: Asked): Promise<Response> {
    const { path, query } = splitUrl(scope.request.url);
    let response: Response;
    try {
      response = await forward(scope, {
        transport: this.#o.transport,
        target: this.#target(address, query === "" ? path : `${path}?${query}`),
        set: [[this.#header, "true"], ...userHeaders(scope.user, true)],
        drop: this.#o.tellsUser,
      });
    } catch (e) {
      if (scope.signal.aborted) throw e;
      this.#o.log("info", `the peer at ${hostPort(address.host, address.port)} did not answer`, textOf(e));
      response = unreachable(e);
    }
    this.#o.metrics.rerouted(response.status, asked);
    return response;
  }

  /** Aggregated discovery of `/apis`: what this server serves, which is given, and what its peers do. */
  aggregated(own: JsonMap): JsonMap {
    const at = `${this.#changes} ${this.#excluded.generation()}`;
    if (this.#merged?.of === own && this.#merged.at === at) {
      this.#o.metrics.served("hits");
      return this.#merged.tree;
    }
    this.#o.metrics.served("misses");
    const items = own["items"] as JsonMap[];
    const peers = new Map<string, readonly JsonMap[]>();
    for (const { identity, documents } of this.#known.all()) {
      if (documents) peers.set(identity, documents.groups.map((g) => this.#kept(g)).filter((g) => g !== undefined));
    }
    const merged = mergedGroups(this.#o.identity, items, peers);
    const tree = merged === items ? own : { ...own, items: [...merged] };
    this.#merged = { of: own, at, tree };
    return tree;
  }

  /** A peer's group without the versions that are excluded; undefined when none is left. */
  #kept(group: JsonMap): JsonMap | undefined {
    const name = String((group["metadata"] as JsonMap)["name"]);
    const versions = group["versions"] as JsonMap[];
    const kept = versions.filter((v) => !this.#excluded.has(name, String(v["version"])));
    if (kept.length === versions.length) return group;
    return kept.length > 0 ? { ...group, versions: kept } : undefined;
  }
}

const textOf = (error: unknown): string => error instanceof Error ? error.message : String(error);

/** 503 as proxies say it. */
function unreachable(error: unknown): Response {
  return new Response(`${textOf(error)}\n`, {
    status: 503,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  });
}
