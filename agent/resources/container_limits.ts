/** Limits of a container, and of a pod as the runtime's sandbox is told. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { parseQuantity, type Quantity } from "../../schema/values/quantity.ts";
import type { LinuxContainerResources, Strings } from "../runtime/types.ts";
import type { AnyContainer, SandboxLimits } from "../types.ts";
import { amount, amountIn, amountsOf, hasPodLevel, podLimits, podRequests, resourcesOf } from "./amounts.ts";
import { quotaOf, sharesOf } from "./cpu.ts";
import { everyPageSize, hugePagesIn } from "./huge_pages.ts";
import { memoryHigh, protection } from "./memory_qos.ts";
import { oomScoreAdj } from "./oom_score.ts";
import type { PodTerms } from "./pod_settings.ts";
import { isCritical, qosOf } from "./qos.ts";

/** Processors and memory that a container does not share; empty texts: any. */
export interface Pinned {
  readonly cpus: string;
  readonly mems: string;
  /** The processors are its own. */
  readonly exclusive: boolean;
}

/** What the limits follow besides pod and container. */
export interface ContainerTerms extends PodTerms {
  readonly product: Product;
  /** Of the machine, bytes. */
  readonly memory: number;
  /** Of all pods, bytes. */
  readonly allocatableMemory: number;
  /** The kernel counts swap by group. */
  readonly swapLimits: boolean;
  /** What containers may swap together, bytes. */
  readonly swap: number;
  /** The kernel kills one process of a container, not all. */
  readonly singleProcessOOMKill: boolean;
}

type CpuTerms = Pick<PodTerms, "cpuCfsQuota" | "cpuCfsQuotaPeriod">;

function limits(
  terms: CpuTerms,
  request: Quantity | undefined,
  cpu: Quantity,
  memory: Quantity,
  unlimitedCpu = false,
): LinuxContainerResources {
  const period = terms.cpuCfsQuotaPeriod * 1000;
  return {
    cpuShares: sharesOf(Number((request ?? cpu).milliValue())),
    ...memory.isZero() ? {} : { memoryLimitInBytes: Number(memory.value()) },
    ...terms.cpuCfsQuota
      ? { cpuQuota: unlimitedCpu ? -1 : quotaOf(Number(cpu.milliValue()), period), cpuPeriod: period }
      : {},
  };
}

/** See the top of the file. @throws ValueError */
export function containerLimits(
  pod: Pod,
  container: AnyContainer,
  terms: ContainerTerms,
  pinned?: Pinned,
): LinuxContainerResources {
  const { gate } = terms, own = resourcesOf(container);
  const whole = hasPodLevel(pod, gate) ? pod.spec?.resources?.limits : undefined;
  const limit = (name: string) => {
    const said = amountIn(own.limits, name);
    return said.isZero() ? amountIn(whole, name) : said;
  };
  const { cpu } = own.requests ?? {};
  const unlimitedCpu = gate("DisableCPUQuotaWithExclusiveCPUs") && (pinned?.exclusive ?? false);
  const base = limits(
    terms,
    cpu === undefined ? undefined : parseQuantity(cpu),
    limit("cpu"),
    limit("memory"),
    unlimitedCpu,
  );
  const pages = new Map([...hugePagesIn(amountsOf(whole)), ...hugePagesIn(amountsOf(own.limits))]);
  return {
    ...base,
    oomScoreAdj: oomScoreAdj(pod, container, terms.memory, gate, terms.product),
    hugepageLimits: [...everyPageSize(pages, terms.pageSizes, 0)].map(([pageSize, limit]) => ({ pageSize, limit })),
    // Memory and swap together no more than memory: none of it is swapped on the container's own account.
    ...terms.version === 1 && terms.swapLimits && base.memoryLimitInBytes !== undefined
      ? { memorySwapLimitInBytes: base.memoryLimitInBytes }
      : {},
    ...terms.version === 2 ? { unified: unifiedOf(pod, container, terms, limit("memory")) } : {},
    ...pinned?.cpus ? { cpusetCpus: pinned.cpus } : {},
    ...pinned?.mems ? { cpusetMems: pinned.mems } : {},
  };
}

/** Bytes: the part of all swap that a container's request is of all memory. None for classes that are to be sure of their memory. */
function swapOf(pod: Pod, container: AnyContainer, { swap, memory, gate, product }: ContainerTerms): number {
  const { requests, limits } = resourcesOf(container), request = amountIn(requests, "memory");
  const may = swap > 0 && !isCritical(pod, product) && qosOf(pod, gate) === "Burstable" &&
    request.cmp(amountIn(limits, "memory")) !== 0;
  const part = Number(request.value()) / memory;
  return may && part <= 1 ? Math.floor(part * swap) : 0;
}

function unifiedOf(pod: Pod, container: AnyContainer, terms: ContainerTerms, effective: Quantity): Strings {
  const always: Strings = {
    // With one process of a container killed the rest seldom makes sense: all go together.
    ...terms.singleProcessOOMKill ? {} : { "memory.oom.group": "1" },
    ...terms.swapLimits ? { "memory.swap.max": `${swapOf(pod, container, terms)}` } : {},
  };
  if (!terms.gate("MemoryQoS")) return { ...always, "memory.high": "max" };
  const { requests, limits } = resourcesOf(container);
  const request = Number(amountIn(requests, "memory").value()), limit = Number(amountIn(limits, "memory").value());
  const kept = protection(terms.memoryQos, qosOf(pod, terms.gate), request);
  const high = limit === 0 && !effective.isZero()
    ? {}
    : memoryHigh(terms.memoryQos, request, limit || terms.allocatableMemory);
  return { ...always, ...Object.keys(kept).length > 0 ? kept : { "memory.min": "0", "memory.low": "0" }, ...high };
}

/** What the sandbox is told of a pod: its resources without overhead, and that overhead. @throws ValueError */
export function sandboxLimits(
  pod: Pod,
  terms: PodTerms,
  unlimitedCpu = false,
): SandboxLimits {
  const requests = podRequests(pod, terms.gate, false), most = podLimits(pod, terms.gate, false);
  const overhead = amountsOf(pod.spec?.overhead);
  const extra = (name: string) => amount(overhead, name);
  return {
    resources: limits(terms, requests.get("cpu"), amount(most, "cpu"), amount(most, "memory"), unlimitedCpu),
    overhead: pod.spec?.overhead ? limits(terms, extra("cpu"), extra("cpu"), extra("memory")) : {},
  };
}
