/** Tells others on the host who has which devices, processors and memory (`podresources`, `v1`). */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Container, Pod } from "../../schema/api/core_v1.ts";
import { GrpcError } from "../../schema/grpc/status.ts";
import type { Table } from "../../schema/grpc/wire.ts";
import type { NodeClaims } from "../claims/mod.ts";
import type { Claim } from "../claims/store.ts";
import { paced } from "../grpc_pace.ts";
import { type GrpcServer, type Method, serveGrpc } from "../grpc_server.ts";
import { isSidecar } from "../resources/amounts.ts";
import type { Block } from "../resources/managers/memory_nodes.ts";
import type { Clock } from "../types.ts";
import { idsOf } from "./allocations.ts";
import type { EndpointMethod } from "./metrics.ts";
import type { NodeDevices } from "./mod.ts";

/** What it tells from. */
export interface PodResourcesParts {
  readonly rootDir: string;
  /** Those that may have something running. */
  readonly pods: () => readonly Pod[];
  /** Undefined: there is none. */
  readonly find: (namespace: string, name: string) => Pod | undefined;
  readonly devices: NodeDevices;
  readonly claims: NodeClaims;
  /** Processors and memory of containers of their own, and all that there are for that. */
  readonly pinned: {
    cpusOf(pod: Pod, container: Container): readonly number[];
    memoryOf(pod: Pod, container: Container): readonly Block[];
    allocatable(): { readonly cpus: readonly number[]; readonly memory: readonly Block[] };
  };
  readonly clock: Clock;
}

// What tools look for, in every dialect.
const DIRECTORY = "pod-resources", SOCKET = "kubelet.sock";

const TOPOLOGY: Table = [[1, "nodes", [[1, "id", "int"]], "repeated"]];
const DEVICES: Table = [
  [1, "resourceName", "string"],
  [2, "deviceIds", "string", "repeated"],
  [3, "topology", TOPOLOGY],
];
const MEMORY: Table = [[1, "memoryType", "string"], [2, "size", "uint64"], [3, "topology", TOPOLOGY]];
const CLAIM: Table = [[2, "name", "string"], [3, "namespace", "string"], [4, "resources", [
  [1, "cdiDevices", [[1, "name", "string"]], "repeated"],
  [2, "driverName", "string"],
  [3, "poolName", "string"],
  [4, "deviceName", "string"],
  [5, "shareId", "string"],
], "repeated"]];
const CONTAINER: Table = [
  [1, "name", "string"],
  [2, "devices", DEVICES, "repeated"],
  [3, "cpuIds", "int", "repeated"],
  [4, "memory", MEMORY, "repeated"],
  [5, "dynamicResources", CLAIM, "repeated"],
];
const POD: Table = [[1, "name", "string"], [2, "namespace", "string"], [3, "containers", CONTAINER, "repeated"]];
const NOTHING: Table = [];

/** Serves it. @throws Error: it cannot */
export async function servePodResources(parts: PodResourcesParts): Promise<GrpcServer> {
  const directory = join(parts.rootDir, DIRECTORY);
  await mkdir(directory, { recursive: true, mode: 0o750 });
  return serveGrpc(join(directory, SOCKET), methodsOf(parts));
}

function methodsOf(parts: PodResourcesParts): readonly Method[] {
  const { metrics, giver } = parts.devices, mayAsk = paced(parts.clock);
  const method = <Q>(
    name: EndpointMethod,
    request: Table,
    response: Table,
    answer: (request: Q) => object,
  ): Method => ({
    path: `/v1.PodResourcesLister/${name}`,
    request,
    response,
    answer: (asked: Q) => {
      if (!mayAsk()) throw new GrpcError("ResourceExhausted", "rejected by rate limit");
      metrics.asked(name);
      try {
        return answer(asked);
      } catch (fault) {
        metrics.failed(name);
        throw fault;
      }
    },
  });
  return [
    method("List", NOTHING, [[1, "podResources", POD, "repeated"]], () => {
      giver.release();
      return { podResources: parts.pods().map((pod) => podOf(pod, parts)) };
    }),
    method(
      "GetAllocatableResources",
      NOTHING,
      [[1, "devices", DEVICES, "repeated"], [2, "cpuIds", "int", "repeated"], [3, "memory", MEMORY, "repeated"]],
      () => {
        const { cpus, memory } = parts.pinned.allocatable();
        const devices = parts.devices.healthy().flatMap(([resource, all]) =>
          all.map(({ id, nodes }) => deviceOf(resource, id, nodes))
        );
        return { devices, cpuIds: cpus, memory: memory.map(memoryOf) };
      },
    ),
    method<{ podName: string; podNamespace: string }>(
      "Get",
      [[1, "podName", "string"], [2, "podNamespace", "string"]],
      [[1, "podResources", POD]],
      ({ podName, podNamespace }) => {
        const pod = parts.find(podNamespace, podName);
        if (!pod) throw new Error(`pod ${podName} in namespace ${podNamespace} not found`);
        return { podResources: podOf(pod, parts) };
      },
    ),
  ];
}

function podOf(pod: Pod, parts: PodResourcesParts): object {
  const { name = "", namespace = "", uid = "" } = pod.metadata ?? {};
  const sidecars = (pod.spec?.initContainers ?? []).filter((c) => isSidecar(pod, c));
  const containers = [...sidecars, ...pod.spec?.containers ?? []].map((container) => ({
    name: container.name,
    devices: devicesOf(uid, container.name, parts.devices),
    cpuIds: parts.pinned.cpusOf(pod, container),
    memory: parts.pinned.memoryOf(pod, container).map(memoryOf),
    dynamicResources: parts.claims.of(pod, container).map(claimOf),
  }));
  return { name, namespace, containers };
}

const devicesOf = (uid: string, container: string, devices: NodeDevices): readonly object[] =>
  [...devices.given(uid, container)].flatMap(([resource, given]) =>
    [...idsOf(given)].map((id) => {
      const nodes = [...given.byNode].filter(([node, ids]) => node >= 0 && ids.includes(id)).map(([node]) => node);
      return deviceOf(resource, id, nodes);
    })
  );

const topologyOf = (nodes: readonly number[]) => ({ nodes: nodes.map((id) => ({ id })) });

const deviceOf = (resourceName: string, id: string, nodes: readonly number[]) => ({
  resourceName,
  deviceIds: [id],
  ...(nodes.length > 0 ? { topology: topologyOf(nodes) } : {}),
});

const memoryOf = ({ type, size, numaAffinity }: Block) => ({
  memoryType: type,
  size: BigInt(size),
  topology: topologyOf(numaAffinity),
});

const claimOf = ({ name, namespace, devices }: Claim) => ({
  name,
  namespace,
  resources: [...devices].flatMap(([driverName, all]) =>
    all.map(({ poolName, deviceName, cdiDeviceIds, shareId }) => ({
      cdiDevices: cdiDeviceIds.map((id) => ({ name: id })),
      driverName,
      poolName,
      deviceName,
      ...(shareId ? { shareId } : {}),
    }))
  ),
});
