/** Options of the node agent about its own process, the kernel, and what containers may do there, by their rows. */
import assert from "node:assert/strict";
import type { Base } from "../../agent/base.ts";
import type { PodSpec } from "../../schema/api/core_v1.ts";
import { accepted, type HostParts, onHost, withHost } from "./_host.ts";
import { faultsOf, optionsOf } from "./_orchlet.ts";
import { spec } from "./_spec.ts";

/** A kernel that is set as the agent needs it, but for one. */
const KERNEL = {
  "sys/vm/overcommit_memory": "0\n",
  "sys/vm/panic_on_oom": "0\n",
  "sys/kernel/panic": "10\n",
  "sys/kernel/panic_on_oops": "1\n",
  "sys/kernel/keys/root_maxkeys": "1000000\n",
  "sys/kernel/keys/root_maxbytes": "25000000\n",
};

const openFiles = (): number => Number(/^Max open files +(\d+)/m.exec(Deno.readTextFileSync("/proc/self/limits"))![1]);

/** Settings of the kernel for a pod's sandbox, or why the node does not take the pod. */
async function sysctlsOf(flags: readonly string[], ...names: readonly string[]) {
  let found: unknown;
  const securityContext = { sysctls: names.map((name) => ({ name, value: "1" })) };
  await withHost(flags, async ({ pod, memory }) => {
    const { status } = await pod("a-localhost", ({ status }) => status?.phase !== "Pending");
    found = status!.phase === "Failed" ? status!.reason : Object.keys(memory.sandboxes[0]!.config.linux!.sysctls!);
  }, { pods: { a: { securityContext } } });
  return found;
}

async function seccompOf(flags: readonly string[], pod: Partial<PodSpec> = {}): Promise<string> {
  let type: string | undefined;
  const o: HostParts = { pods: { a: pod } };
  await withHost(flags, async ({ running }) => {
    type = (await running("a")).config.linux!.securityContext!.seccomp!.profileType;
  }, o);
  return type!;
}

spec(
  "Node agent options",
  onHost({
    "--max-open-files": async () => {
      // Not far from what it is: none but root in full can undo it.
      const most = openFiles() - 1;
      await withHost([`--max-open-files=${most}`], async () => assert.equal(openFiles(), most));
      assert.equal(optionsOf().maxOpenFiles, 1_000_000);
      assert.match(faultsOf("--max-open-files=-1"), /max-open-files/);
    },
    "--oom-score-adj": async () => {
      await withHost(["--oom-score-adj=-500"], async ({ base }) => {
        assert.equal(await Deno.readTextFile(`${base.roots.proc}/self/oom_score_adj`), "-500");
      });
      const inContainer = (opened: Base): Base => {
        Deno.removeSync(`${opened.roots.proc}/1/ns/pid`);
        Deno.symlinkSync("pid:[2]", `${opened.roots.proc}/1/ns/pid`);
        return opened;
      };
      await withHost(["--oom-score-adj=400"], async ({ base }) => {
        assert.equal(await Deno.readTextFile(`${base.roots.proc}/self/oom_score_adj`), "400");
      }, { base: inContainer });
      assert.equal(optionsOf().oomScoreAdj, -999);
      assert.match(faultsOf("--oom-score-adj=1001"), /oom-score-adj/);
    },
    "--protect-kernel-defaults": async () => {
      const o = { proc: KERNEL };
      await assert.rejects(
        withHost(["--protect-kernel-defaults"], async () => {}, o),
        /invalid kernel flag: vm\/overcommit_memory, expected value: 1, actual value: 0/,
      );
      await withHost([], async ({ base }) => {
        assert.equal(await Deno.readTextFile(`${base.roots.proc}/sys/vm/overcommit_memory`), "1");
      }, o);
      const right = { ...KERNEL, "sys/vm/overcommit_memory": "1\n" };
      await withHost(["--protect-kernel-defaults"], async () => {}, { proc: right });
    },
    "--allowed-unsafe-sysctls": async () => {
      const flags = ["--allowed-unsafe-sysctls=net.core.*,kernel.msgmax"];
      assert.deepEqual(await sysctlsOf(flags, "net.core.somaxconn", "kernel.msgmax"), [
        "net.core.somaxconn",
        "kernel.msgmax",
      ]);
      assert.equal(await sysctlsOf(flags, "kernel.sem"), "SysctlForbidden");
      assert.equal(await sysctlsOf([], "net.core.somaxconn"), "SysctlForbidden");
      assert.deepEqual(await sysctlsOf([], "kernel.shm_rmid_forced"), ["kernel.shm_rmid_forced"]);
      assert.match(faultsOf("--allowed-unsafe-sysctls=*"), /allowed-unsafe-sysctls/);
    },
    "--seccomp-default": async () => {
      assert.equal(await seccompOf(["--seccomp-default"]), "RuntimeDefault");
      assert.equal(await seccompOf([]), "Unconfined");
      const own = { securityContext: { seccompProfile: { type: "Unconfined" } } } as const;
      assert.equal(await seccompOf(["--seccomp-default"], own), "Unconfined");
    },
    "--kernel-memcg-notification": () => Promise.resolve(accepted("--kernel-memcg-notification")),
    "--contention-profiling": () => Promise.resolve(accepted("--contention-profiling")),
  }),
);
