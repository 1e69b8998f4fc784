/** Logs in real files, of a runtime that the test plays, and of containerd. */
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { cleanLogs, linkLog, logLink, removeLogs } from "../../../agent/logs/places.ts";
import { LogRotation, type LogRotationOptions } from "../../../agent/logs/rotate.ts";
import { askExec } from "../../../agent/probes/exec.ts";
import { type Runtime, type RuntimeContainer, RuntimeError } from "../../../agent/runtime/types.ts";
import { IMAGES } from "../../fixture/busybox_image.ts";
import { containerdMissing, startContainerd } from "../../fixture/containerd.ts";
import { realClock, target, TestClock } from "../probes/parts.ts";
import { until } from "../sources/test_api.ts";
import { withDirectory } from "../../fixture/directory.ts";

const options: LogRotationOptions = {
  containerLogMaxSize: "10",
  containerLogMaxFiles: 4,
  containerLogMaxWorkers: 2,
  containerLogMonitorInterval: 10_000,
};
const log = () => {};

/** Containers by id; each writes to a file of its id. */
function runtimeOf(dir: string, states: Record<string, RuntimeContainer["state"]>) {
  const reopened: string[] = [];
  const listed = Object.entries(states).map(([id, state]) => ({ id, state }) as RuntimeContainer);
  const runtime: Pick<Runtime, "listContainers" | "containerStatus" | "reopenContainerLog"> & { broken?: boolean } = {
    listContainers: () => Promise.resolve(listed),
    containerStatus: (id) =>
      states[id]
        ? Promise.resolve({ id, state: states[id], logPath: `${dir}/${id}` } as never)
        : Promise.reject(new RuntimeError("NotFound", "none")),
    reopenContainerLog: (id) => {
      if (runtime.broken) return Promise.reject(new RuntimeError("Unavailable", "broken"));
      reopened.push(id);
      Deno.writeTextFileSync(`${dir}/${id}`, "", { append: true });
      return Promise.resolve();
    },
  };
  return { runtime, reopened };
}

const filesIn = (dir: string) => [...Deno.readDirSync(dir)].map((e) => e.name).sort();

Deno.test("a long log is put aside, older ones are compressed, the oldest go", async () => {
  await withDirectory(async (dir) => {
    const { runtime, reopened } = runtimeOf(dir, { a: "RUNNING", short: "RUNNING", dead: "EXITED", new: "RUNNING" });
    const clock = new TestClock();
    const stop = new AbortController();
    Deno.writeTextFileSync(`${dir}/dead`, "long enough, but dead");
    Deno.writeTextFileSync(`${dir}/short`, "short");
    Deno.writeTextFileSync(`${dir}/a`, "just long.");
    Deno.writeTextFileSync(`${dir}/a.20200101-000000.tmp`, "left over");
    for (const end of ["", ".gz"]) Deno.writeTextFileSync(`${dir}/a.20200102-000000${end}`, "compressed, not removed");
    const done = new LogRotation(options, { runtime, clock, log }).run(stop.signal);
    // The look that rotated is over, and waits for the next.
    const rotations = async (n: number) => {
      await until(() => reopened.filter((id) => id === "a").length === n);
      await until(() => clock.waiting);
    };
    try {
      const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
      const at = [clock.now()];
      await rotations(1);
      const first = ["a", "a.20200102-000000.gz", `a.${stamp(at[0]!)}`, "dead", "new", "short"];
      assert.deepEqual(filesIn(dir), first);
      for (let n = 2; n <= 4; n++) {
        Deno.writeTextFileSync(`${dir}/a`, `number ${n}, long`);
        await clock.pass(10_000);
        at.push(clock.now());
        await rotations(n);
      }
      assert.deepEqual(filesIn(dir).filter((name) => name.startsWith("a")), [
        "a",
        `a.${stamp(at[1]!)}.gz`,
        `a.${stamp(at[2]!)}.gz`,
        `a.${stamp(at[3]!)}`,
      ]);
      const packed = gunzipSync(Deno.readFileSync(`${dir}/a.${stamp(at[1]!)}.gz`));
      assert.equal(new TextDecoder().decode(packed), "number 2, long");
      // The container goes on writing to the old file: it gets its name back.
      runtime.broken = true;
      Deno.writeTextFileSync(`${dir}/a`, "number 5, long");
      await clock.pass(10_000);
      await until(() => clock.waiting);
      assert.equal(Deno.readTextFileSync(`${dir}/a`), "number 5, long");
      await removeLogs(`${dir}/a`);
      await removeLogs(`${dir}/a`);
      assert.deepEqual(filesIn(dir), ["dead", "new", "short"]);
    } finally {
      stop.abort();
      await done;
    }
  });
});

Deno.test("rotation says what is wrong with its options, and can be off", async () => {
  const parts = { runtime: runtimeOf("", {}).runtime, clock: new TestClock(), log };
  const make = (more: Partial<LogRotationOptions>) => new LogRotation({ ...options, ...more }, parts);
  assert.throws(() => make({ containerLogMaxFiles: 1 }), /invalid MaxFiles 1, must be > 1/);
  assert.throws(() => make({ containerLogMaxSize: "much" }), /failed to parse container log max size "much"/);
  await make({ containerLogMaxSize: "-1" }).run(new AbortController().signal);
});

Deno.test("links lead to logs, and go with them; directories go with their pods", async () => {
  await withDirectory(async (dir) => {
    const podLogsDir = `${dir}/pods`, containerLogsDir = `${dir}/containers`;
    const ref = { namespace: "ns", name: "p", uid: "u1" };
    Deno.mkdirSync(`${podLogsDir}/ns_p_u1/c`, { recursive: true });
    Deno.mkdirSync(`${podLogsDir}/ns_q_u2`);
    const file = `${podLogsDir}/ns_p_u1/c/0.log`;
    const ids = ["running1", "exited1", "unknown1"];
    const links = ids.map((id) => logLink(containerLogsDir, ref, "c", id));
    assert.equal(links[0], `${containerLogsDir}/p_ns_c-running1.log`);
    assert.equal(logLink("", ref, "c".repeat(300), "id").length, 255);
    await linkLog(links[0]!, file);
    assert.throws(() => Deno.lstatSync(links[0]!));
    Deno.writeTextFileSync(file, "said");
    for (const link of links) await linkLog(link, file);
    await linkLog(links[0]!, file);
    assert.equal(Deno.readTextFileSync(links[0]!), "said");
    let delivered = false;
    const { runtime } = runtimeOf(dir, { running1: "RUNNING", exited1: "EXITED" });
    const parts = { runtime, log, podLogsDir, containerLogsDir, allDelivered: () => delivered };
    await cleanLogs({ ...parts, gone: () => true });
    assert.equal(filesIn(podLogsDir).length, 2);
    assert.equal(filesIn(containerLogsDir).length, 3);
    delivered = true;
    await cleanLogs({ ...parts, gone: (uid) => uid === "u1" });
    assert.deepEqual(filesIn(podLogsDir), ["ns_q_u2"]);
    assert.deepEqual(filesIn(containerLogsDir), ["p_ns_c-running1.log"]);
  });
});

const missing = containerdMissing();

Deno.test(
  { name: `logs and probes of a real container${missing ? `: ${missing}` : ""}`, ignore: !!missing },
  async () => {
    const containerd = await startContainerd();
    const stop = new AbortController();
    let done: Promise<void> | undefined;
    try {
      const runtime = containerd.runtime();
      const dir = `${containerd.directory}/logs`;
      Deno.mkdirSync(dir);
      const sandbox = {
        metadata: { name: "p", uid: "u", namespace: "ns" },
        logDirectory: dir,
        linux: { securityContext: { namespaceOptions: { network: "NODE" as const } } },
      };
      const pod = await runtime.runPodSandbox(sandbox, "");
      const id = await runtime.createContainer(pod, {
        metadata: { name: "c" },
        image: { image: IMAGES[0] },
        command: ["sh", "-c", "n=0; while true; do n=$((n+1)); echo line $n; sleep 0.01; done"],
        logPath: "0.log",
      }, sandbox);
      await runtime.startContainer(id);
      const to = { ...target({ env: [{ name: "N", value: "3" }] }), id };
      const exec = (script: string, seconds = 10) =>
        askExec(runtime, { command: ["sh", "-c", script] }, to, seconds, new AbortController().signal);
      assert.deepEqual(await exec("echo yes; echo no >&2"), { result: "success", output: "yes\nno\n" });
      assert.deepEqual(await exec("exit $(N)"), { result: "failure", output: "" });
      assert.equal((await exec("sleep 60", 1)).output, 'command timed out: "sh -c sleep 60" timed out after 1s');
      const often = { ...options, containerLogMaxSize: "1Ki", containerLogMonitorInterval: 1_100 };
      done = new LogRotation(often, { runtime, clock: realClock, log }).run(stop.signal);
      await until(() => filesIn(dir).some((name) => name.endsWith(".gz")));
      stop.abort();
      await done;
      await until(() => Deno.readTextFileSync(`${dir}/0.log`).includes("line"));
      await runtime.stopContainer(id, 0);
      const old = filesIn(dir).filter((name) => name !== "0.log").map((name) => {
        const bytes = Deno.readFileSync(`${dir}/${name}`);
        return new TextDecoder().decode(name.endsWith(".gz") ? gunzipSync(bytes) : bytes);
      });
      const lines = [...old, Deno.readTextFileSync(`${dir}/0.log`)].join("").match(/line \d+/g)!;
      const numbers = lines.map((line) => Number(line.slice(5)));
      // No line is lost between one file and the next.
      assert.deepEqual(numbers, numbers.map((_, i) => numbers[0]! + i));
    } finally {
      stop.abort();
      await done;
      await containerd.stop();
    }
  },
);
