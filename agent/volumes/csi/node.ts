/** What drivers say of this node, told in its object and in its CSINode. */
import type { Node } from "../../../schema/api/core_v1.ts";
import type { CSINode, CSINodeDriver } from "../../../schema/api/storage.k8s.io_v1.ts";
import type { Product } from "../../../schema/product.ts";
import { aggregateText } from "../../../schema/values/aggregate_text.ts";
import { type Api, type Clock, unlessNotFound } from "../../types.ts";
import { within } from "../../pods/within.ts";
import { Turns } from "../turns.ts";
import type { NodeInfo } from "./calls.ts";

const NODE_ID = "csi.volume.kubernetes.io/nodeid";
const STRATEGIC = "application/strategic-merge-patch+json";
const MAX_COUNT = 2 ** 31 - 1;
/** Pauses between attempts, ms. */
const PAUSES = [10, 50, 250];
/** Pauses while the node is made known for the first time, ms. */
const FIRST_MS = 100, MOST_MS = 10_000;

/** What it works with. */
export interface CsiNodeParts {
  /** Undefined: there is no API server. */
  readonly api: Api | undefined;
  readonly product: Product;
  readonly clock: Clock;
  readonly node: { readonly name: string; uid(): string };
}

type Ids = Readonly<Record<string, string>>;

/** See the top of the file. One change after the other. */
export class CsiNode {
  readonly #turns = new Turns();
  readonly #known = Promise.withResolvers<void>();
  #fault: string | undefined;

  constructor(readonly p: CsiNodeParts) {
    if (p.api) this.#fault = "CSINode is not yet initialized";
  }

  /** Why the node is not ready; undefined: the object is there. */
  fault(): string | undefined {
    return this.#fault;
  }

  /** Makes the object, until it is there or the signal ends. Never throws. */
  async initialize(signal: AbortSignal): Promise<void> {
    if (!this.p.api) return;
    for (let pause = FIRST_MS; !signal.aborted; pause = Math.min(pause * 2, MOST_MS)) {
      try {
        // Until it is known there is nothing to be told.
        if (this.p.node.uid() !== "") {
          await this.#turns.take("", () => this.#object());
          this.#fault = undefined;
          return this.#known.resolve();
        }
      } catch (e) {
        this.#fault = `failed to initialize CSINode: ${(e as Error).message}`;
      }
      await this.p.clock.wait(pause, signal);
    }
  }

  /** Once the object is there. @throws Error: it cannot be told, or a label says something else; AbortError */
  async install(driver: string, info: NodeInfo, signal: AbortSignal): Promise<void> {
    // Whose node it is is not known before that.
    if (this.p.api) await within(this.#known.promise, signal);
    if (!info.nodeId) throw new Error("error adding CSI driver node info: driverNodeID must not be empty");
    const topology: Ids = this.p.product.localKeys(info.accessibleTopology?.segments ?? {});
    await this.#tell(
      "error updating Node object with CSI driver node info: error updating node",
      (api) =>
        this.#patchNode(api, (node) => ({
          annotations: this.#annotation(node, { [driver]: info.nodeId }),
          labels: labelsOf(node, topology),
        })),
    );
    await this.update(driver, info);
  }

  /** @throws Error: it cannot be told */
  async update(driver: string, info: NodeInfo): Promise<void> {
    const wanted = this.#entry(driver, info);
    await this.#tell("error updating CSINode object with CSI driver node info: error updating CSINode", async (api) => {
      const object = await this.#object(), drivers = object.spec.drivers ?? [];
      if (drivers.some((d) => d.name === driver && isSame(d, wanted))) return;
      await this.#put(api, object, [...drivers.filter((d) => d.name !== driver), wanted]);
    });
  }

  /** @throws Error: it cannot be told */
  async uninstall(driver: string): Promise<void> {
    await this.#tell("error uninstalling CSI driver from CSINode object error updating CSINode", async (api) => {
      const object = await unlessNotFound(api.request<CSINode>("GET", this.#path())),
        drivers = object?.spec.drivers ?? [];
      if (!object || !drivers.some((d) => d.name === driver)) return;
      await this.#put(api, object, drivers.filter((d) => d.name !== driver));
    });
    await this.#tell(
      "error removing CSI driver node info from Node object error updating node",
      (api) => this.#patchNode(api, (node) => ({ annotations: this.#annotation(node, { [driver]: undefined }) })),
    );
  }

  #path(): string {
    return this.p.product.local("/apis/storage.k8s.io/v1/csinodes/") + encodeURIComponent(this.p.node.name);
  }

  #entry(name: string, { nodeId, accessibleTopology, maxVolumesPerNode }: NodeInfo): CSINodeDriver {
    const keys = Object.keys(this.p.product.localKeys(accessibleTopology?.segments ?? {})).sort();
    const count = Math.min(maxVolumesPerNode, MAX_COUNT);
    return { name, nodeID: nodeId, topologyKeys: keys, ...(count > 0 ? { allocatable: { count } } : {}) };
  }

  /** A few attempts. */
  async #tell(what: string, change: (api: Api) => Promise<void>): Promise<void> {
    const faults: string[] = [];
    for (const pause of [...PAUSES, undefined]) {
      try {
        if (!this.p.api) throw new Error("error getting kube client");
        const { api } = this.p;
        return await this.#turns.take("", () => change(api));
      } catch (e) {
        faults.push((e as Error).message);
        if (pause !== undefined) await this.p.clock.wait(pause);
      }
    }
    throw new Error(`${what}: timed out waiting for the condition; caused by: ${aggregateText(faults)}`);
  }

  /** @param wanted members of the metadata that differ; null or undefined ones go; an empty object: nothing */
  async #patchNode(api: Api, wanted: (node: Node) => Record<string, object>): Promise<void> {
    const path = `/api/v1/nodes/${encodeURIComponent(this.p.node.name)}`;
    const metadata = wanted(await api.request<Node>("GET", path));
    if (Object.values(metadata).every((changes) => Object.keys(changes).length === 0)) return;
    await api.request("PATCH", `${path}/status`, { body: { metadata }, patch: STRATEGIC });
  }

  #annotation(node: Node, changes: Readonly<Record<string, string | undefined>>): Record<string, string | null> {
    const key = this.p.product.local(NODE_ID), before = node.metadata?.annotations?.[key];
    const ids = Object.entries({ ...parsed(key, before), ...changes }).filter(([, id]) => id !== undefined).sort();
    const after = ids.length > 0 ? JSON.stringify(Object.fromEntries(ids)) : undefined;
    return after === before ? {} : { [key]: after ?? null };
  }

  /** The object, made where there is none. @throws ApiError, and Error: it was another node's, and is gone now */
  async #object(): Promise<CSINode> {
    const { api, node, product } = this.p, { name } = node, uid = node.uid();
    const found = await unlessNotFound(api!.request<CSINode>("GET", this.#path()));
    if (!found) {
      const body: CSINode = {
        apiVersion: product.local("storage.k8s.io/v1"),
        kind: "CSINode",
        metadata: { name, ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }] },
        spec: { drivers: [] },
      };
      const path = this.#path();
      return await api!.request<CSINode>("POST", path.slice(0, path.lastIndexOf("/")), { body });
    }
    const owners = found.metadata?.ownerReferences?.filter((o) => o.kind === "Node") ?? [];
    if (owners.some((o) => o.name === name && o.uid === uid)) return found;
    await api!.request("DELETE", this.#path());
    throw new Error(
      `CSINode "${name}" was owned by different node (oldNodeID="${
        owners.at(-1)?.uid ?? ""
      }", newNodeID="${uid}"), deleted it`,
    );
  }

  async #put(api: Api, object: CSINode, drivers: CSINodeDriver[]): Promise<void> {
    const { product } = this.p;
    const typed = { apiVersion: product.local("storage.k8s.io/v1"), kind: "CSINode" };
    await api.request("PUT", this.#path(), { body: { ...object, ...typed, spec: { ...object.spec, drivers } } });
  }
}

function parsed(key: string, text: string | undefined): Ids {
  if (!text) return {};
  try {
    return JSON.parse(text) ?? {};
  } catch (e) {
    throw new Error(`failed to parse node's "${key}" annotation value ("${text}") err=${(e as Error).message}`);
  }
}

function labelsOf(node: Node, topology: Ids): Ids {
  const labels = node.metadata?.labels ?? {};
  const news = Object.entries(topology).filter(([key, value]) => labels[key] !== value);
  for (const [key, value] of news) {
    if (Object.hasOwn(labels, key)) {
      throw new Error(
        `detected topology value collision: driver reported "${key}":"${value}" but existing label is "${key}":"${
          labels[key]
        }"`,
      );
    }
  }
  return Object.fromEntries(news);
}

const isSame = (a: CSINodeDriver, b: CSINodeDriver): boolean =>
  a.nodeID === b.nodeID && a.allocatable?.count === b.allocatable?.count &&
  new Set([...a.topologyKeys ?? [], ...b.topologyKeys ?? []]).size === b.topologyKeys?.length &&
  (a.topologyKeys ?? []).length === b.topologyKeys.length;
