/** What the host must be like before the agent starts. */
import { aggregateText } from "../../schema/values/aggregate_text.ts";
import type { Hierarchy } from "./hierarchy.ts";
import { textAt } from "./hierarchy.ts";

/** Options on what is refused. */
export interface HostOptions {
  readonly failCgroupv1: boolean;
  readonly failSwapOn: boolean;
  readonly protectKernelDefaults: boolean;
  /** Undefined: as the version of control groups has it. */
  readonly singleProcessOOMKill?: boolean | undefined;
  /** `LimitedSwap`: containers get of the host's swap. */
  readonly swapBehavior?: string;
}

/** Said on each start on cgroup v1 that is not refused. */
export const CGROUP_V1_WARNING =
  "cgroup v1 detected. cgroup v1 support is deprecated and will be removed in a future release. Please migrate to cgroup v2. " +
  "More information at https://git.k8s.io/enhancements/keps/sig-node/5573-remove-cgroup-v1";

const CGROUP_V1_REFUSED =
  "kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is unsupported and will be removed in a future release; " +
  "--fail-cgroupv1=false starts all the same";
const OOM_GROUP_REFUSED =
  "invalid configuration: singleProcessOOMKill must not be explicitly set to false when using cgroup v1";
const LIMITED_SWAP_REFUSED = "swap feature is enabled and LimitedSwap but it is only supported with cgroupv2";
const SWAP_REFUSED = "running with swap on is not supported, please disable swap or set --fail-swap-on flag to false";

/** What the kernel must be set to, below /proc/sys. */
const TUNABLES: Readonly<Record<string, number>> = {
  "vm/overcommit_memory": 1,
  "vm/panic_on_oom": 0,
  "kernel/panic": 10,
  "kernel/panic_on_oops": 1,
  "kernel/keys/root_maxkeys": 1_000_000,
  "kernel/keys/root_maxbytes": 25_000_000,
};

/** @throws Error: the version is refused, or cannot do what is asked, or swap is refused */
export async function checkHost(hierarchy: Hierarchy, options: HostOptions, proc: string): Promise<void> {
  if (hierarchy.version === 1 && options.failCgroupv1) throw new Error(CGROUP_V1_REFUSED);
  if (hierarchy.version === 1 && options.singleProcessOOMKill === false) throw new Error(OOM_GROUP_REFUSED);
  if (hierarchy.version === 1 && options.swapBehavior === "LimitedSwap") throw new Error(LIMITED_SWAP_REFUSED);
  if (options.failSwapOn && await isSwapOn(proc)) throw new Error(SWAP_REFUSED);
}

/** The first line of the table of swaps is its head. */
async function isSwapOn(proc: string): Promise<boolean> {
  return (await textAt(`${proc}/swaps`) ?? "").split("\n").length > 1;
}

/** Sets what the kernel is to do, or refuses a kernel that does otherwise. @throws Error with all that is wrong */
export async function tuneKernel(options: Pick<HostOptions, "protectKernelDefaults">, proc: string): Promise<void> {
  const faults: string[] = [];
  for (const [flag, wanted] of Object.entries(TUNABLES)) {
    const file = `${proc}/sys/${flag}`;
    try {
      const actual = Number((await Deno.readTextFile(file)).trim());
      if (actual === wanted) continue;
      if (options.protectKernelDefaults) {
        faults.push(`invalid kernel flag: ${flag}, expected value: ${wanted}, actual value: ${actual}`);
      } else await Deno.writeTextFile(file, `${wanted}`);
    } catch (e) {
      faults.push(`${file}: ${(e as Error).message}`);
    }
  }
  if (faults.length > 0) throw new Error(aggregateText(faults));
}
