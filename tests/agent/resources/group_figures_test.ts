/** Figures of control groups, of both versions. */
import assert from "node:assert/strict";
import { groupFigures } from "../../../agent/resources/group_figures.ts";
import { Hierarchy } from "../../../agent/resources/hierarchy.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { files } from "./parts.ts";

Deno.test("groups of version 1 tell their figures", () =>
  withDirectory(async (root) => {
    const needed = ["cpu", "cpuacct", "cpuset", "memory", "pids", "hugetlb", "devices", "freezer"];
    await files(root, Object.fromEntries(needed.map((name) => [`${name}/cgroup.procs`, ""])));
    await files(root, {
      "cpu/a/cpu.stat": "nr_periods 5\nnr_throttled 2\nthrottled_time 1500000000\n",
      "cpu/a/cpu.cfs_quota_us": "20000\n",
      "cpu/a/cpu.cfs_period_us": "100000\n",
      "cpu/a/cpu.shares": "102\n",
      "cpuacct/a/cpuacct.stat": "user 150\nsystem 50\n",
      "memory/a/memory.stat": "cache 1\ntotal_cache 7\ntotal_swap 3\n",
      "memory/a/memory.max_usage_in_bytes": "90\n",
      "memory/a/memory.failcnt": "4\n",
      "memory/a/memory.limit_in_bytes": "1000\n",
      "pids/a/pids.current": "6\n",
      "cpu/b/cpu.cfs_quota_us": "-1\n",
      "memory/b/memory.limit_in_bytes": "9223372036854771712\n",
    });
    const hierarchy = await Hierarchy.open(root, root);
    assert.deepEqual(await groupFigures(hierarchy, "/a"), {
      ...{ userSeconds: 1.5, systemSeconds: 0.5, periods: 5, throttledPeriods: 2, throttledSeconds: 1.5 },
      ...{ cpuPeriod: 100_000, cpuQuota: 20_000, cpuShares: 102, memoryLimit: 1000 },
      ...{ cache: 7, swap: 3, mostMemory: 90, memoryFailures: 4, threads: 6 },
    });
    assert.deepEqual(await groupFigures(hierarchy, "/b"), { memoryLimit: 0 });
  }));

Deno.test("groups of version 2 tell the same", () =>
  withDirectory(async (root) => {
    await files(root, {
      "cgroup.controllers": "cpu memory pids\n",
      "a/cpu.stat": "user_usec 1500000\nsystem_usec 500000\nnr_periods 5\nnr_throttled 2\nthrottled_usec 1500000\n",
      "a/cpu.max": "20000 100000\n",
      "a/cpu.weight": "100\n",
      "a/memory.stat": "anon 1\nfile 7\n",
      "a/memory.swap.current": "3\n",
      "a/memory.peak": "90\n",
      "a/memory.events": "low 0\nmax 4\n",
      "a/memory.max": "1000\n",
      "a/pids.current": "6\n",
      "b/cpu.max": "max 100000\n",
    });
    const hierarchy = await Hierarchy.open(root, root);
    assert.deepEqual(await groupFigures(hierarchy, "/a"), {
      ...{ userSeconds: 1.5, systemSeconds: 0.5, periods: 5, throttledPeriods: 2, throttledSeconds: 1.5 },
      ...{ cpuPeriod: 100_000, cpuQuota: 20_000, cpuShares: 2597, memoryLimit: 1000 },
      ...{ cache: 7, swap: 3, mostMemory: 90, memoryFailures: 4, threads: 6 },
    });
    assert.deepEqual(await groupFigures(hierarchy, "/b"), { cpuPeriod: 100_000, memoryLimit: 0 });
  }));
