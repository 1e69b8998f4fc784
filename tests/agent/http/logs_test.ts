/** Logs of containers, from files as the runtime writes them. */
import assert from "node:assert/strict";
import https from "node:https";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { CLOCK } from "../../../agent/clock.ts";
import { readLog } from "../../../agent/http/logs/read.ts";
import type { Runtime, RuntimeContainerStatus } from "../../../agent/runtime/types.ts";
import { ca, soon } from "../../listen/_fixture.ts";
import { get, podView, withServers } from "./_parts.ts";

const at = (second: number, rest: string) => `2026-01-02T03:04:0${second}.5Z ${rest}\n`;
const LINES = [
  at(1, "stdout F one"),
  at(2, "stdout P tw"),
  at(2, "stdout F o"),
  at(3, "stderr F three é"),
  at(4, "stdout F "),
  at(5, "stdout F five"),
];

/** A log in a directory of its own, of a container that runs until it is said to have ended. */
async function withLog(
  run: (log: {
    readonly path: string;
    readonly port: number;
    end(): void;
  }) => Promise<void>,
  gates: readonly string[] = [],
): Promise<void> {
  const directory = await Deno.makeTempDir(), path = `${directory}/0.log`;
  await Deno.writeTextFile(path, LINES.join(""));
  let state = "RUNNING";
  const runtime = {
    containerStatus: (id: string) => {
      if (id !== "c1" && id !== "c0") return Promise.reject(new Error("no such container"));
      return Promise.resolve({ logPath: id === "c1" ? path : `${directory}/none`, state });
    },
  } as Runtime;
  const main = { name: "main", image: "i", imageID: "", ready: true, restartCount: 1 };
  const pods = [{
    metadata: { name: "web", namespace: "default", uid: "u1" },
    spec: { containers: [{ name: "main" }, { name: "idle" }, { name: "late" }] },
    status: {
      containerStatuses: [
        {
          ...main,
          containerID: "containerd://c1",
          state: { running: {} },
          lastState: { terminated: { containerID: "containerd://c0" } },
        },
        { ...main, name: "idle", containerID: "", state: { waiting: { reason: "ImagePullBackOff" } } },
      ],
    },
  } as Pod];
  const own = { runtime, pods: podView(pods), gate: (name: string) => gates.includes(name) };
  try {
    await withServers(own, {}, ({ port }) => run({ path, port, end: () => state = "EXITED" }));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("agent logs: options of a query", async () => {
  await withLog(async ({ port }) => {
    const text = async (query: string) => (await get(port, `/containerLogs/default/web/main${query}`)).text;
    assert.equal(await text(""), "one\ntwo\nthree é\n\nfive\n");
    assert.equal(await text("?tailLines=3"), "three é\n\nfive\n");
    assert.equal(await text("?tailLines=0"), "");
    assert.equal(await text("?tailLines=100&limitBytes=6"), "one\ntw");
    assert.equal(await text("?tail=all&sinceTime=2026-01-02T03:04:04Z"), "\nfive\n");
    assert.equal(await text("?sinceSeconds=3"), "");
    const stamp = (second: number) => `2026-01-02T03:04:0${second}.500000000Z`;
    assert.equal(
      await text("?timestamps=true&limitBytes=100"),
      `${stamp(1)} one\n${stamp(2)} two\n${stamp(3)} three é\n${stamp(4)} \n`.slice(0, 100),
    );
  });
});

Deno.test("agent logs: what cannot be answered", async () => {
  await withLog(async ({ port }) => {
    const rows: [path: string, status: number, text: string][] = [
      ["web/main?tailLines=x", 400, '{"message": "Unable to decode query."}'],
      ["web/main?sinceTime=soon", 400, '{"message": "Unable to decode query."}'],
      ["web/main?tailLines=-1", 422, '{"message": "Invalid request."}'],
      ["web/main?limitBytes=0", 422, '{"message": "Invalid request."}'],
      ["web/main?sinceSeconds=5&sinceTime=2026-01-02T03:04:04Z", 422, '{"message": "Invalid request."}'],
      ["web/main?stream=Both", 422, '{"message": "Invalid request."}'],
      ["none/main", 404, 'pod "none" does not exist'],
      ["web/none", 404, 'container "none" not found in pod "web"'],
      ["web/late", 400, 'container "late" in pod "web" is not available'],
      ["web/idle", 400, 'container "idle" in pod "web" is waiting to start: trying and failing to pull image'],
      ["web/idle?previous=true", 400, 'previous terminated container "idle" in pod "web" not found'],
    ];
    for (const [path, status, text] of rows) {
      const got = await get(port, `/containerLogs/default/${path}`);
      assert.deepEqual([got.status, got.text], [status, text], path);
    }
    const gone = await get(port, "/containerLogs/default/web/main?previous=true");
    assert.equal(gone.status, 200);
    assert.match(gone.text, /^failed to try resolving symlinks in path ".*\/none": /);
    const closed = await get(port, "/containerLogs/default/web/main?stream=Stderr");
    assert.match(closed.text, /^unable to return the given log stream: "Stderr"\. /);
  });
  await withLog(async ({ port }) => {
    const one = await get(port, "/containerLogs/default/web/main?stream=Stderr");
    assert.equal(one.text, "three é\n");
  }, ["PodLogsQuerySplitStreams"]);
});

Deno.test("agent logs: a log is followed over rotations until its container ends", async () => {
  await withLog(async ({ path, port, end }) => {
    const append = (text: string) => Deno.writeTextFile(path, text, { append: true });
    let text = "";
    let wait: { until: (text: string) => boolean; done: () => void } | undefined;
    const shown = (what: string) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      wait = { until: (t) => t.endsWith(what), done: resolve };
      if (wait.until(text)) resolve();
      return soon(promise, `${JSON.stringify(what)} after ${JSON.stringify(text)}`);
    };
    const ended = Promise.withResolvers<void>();
    const asked = https.get({
      host: "127.0.0.1",
      port,
      path: "/containerLogs/default/web/main?follow=true&tailLines=1",
      ca: ca.cert,
      agent: false,
    }, (response) => {
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (wait?.until(text)) wait.done();
      });
      response.on("end", () => ended.resolve());
    });
    asked.on("error", ended.reject);
    await shown("five\n");
    await append("2026-01-02T03:04:06Z stdout F si");
    await append("x\n");
    await shown("six\n");
    await Deno.rename(path, `${path}.20260102-030407`);
    await Deno.writeTextFile(`${path}.20260102-030407`, at(7, "stdout F seven"), { append: true });
    await Deno.writeTextFile(path, at(8, "stdout F eight"));
    await shown("eight\n");
    await append(at(9, "stderr F nine"));
    end();
    await soon(ended.promise, "the end");
    assert.equal(text, "five\nsix\nseven\neight\nnine\n");
  });
});

Deno.test("agent logs: of a reader who leaves as the followed file is replaced no file stays open", async () => {
  const directory = await Deno.makeTempDir(), line = (text: string) => at(1, `stdout F ${text}`);
  const isOwn = ({ name }: Deno.DirEntry) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`).startsWith(directory);
    } catch {
      return false;
    }
  };
  const runtime = { containerStatus: () => Promise.resolve({ state: "RUNNING" } as RuntimeContainerStatus) };
  for (let i = 0; i < 100; i++) {
    const path = `${directory}/${i}`, old = `${path}.old`, gone = new AbortController();
    Deno.writeTextFileSync(path, line("one"));
    let late: Promise<void> | undefined;
    /** Replaces the file, and writes to the old one some steps later: now and then between two looks. */
    const replace = async () => {
      Deno.renameSync(path, old);
      Deno.writeTextFileSync(path, line("new"));
      for (let step = 0; step < i % 5; step++) await Deno.stat(directory);
      Deno.writeTextFileSync(old, line("late"), { append: true });
    };
    const wait = () => Promise.resolve(void (late ??= replace()));
    const write = (bytes: Uint8Array | string) => {
      const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
      if (text.includes("new")) gone.abort();
      return text.includes("late") ? Promise.reject(new Error("gone")) : Promise.resolve();
    };
    const options = { follow: true, previous: false, timestamps: false };
    await readLog({ runtime, clock: { ...CLOCK, wait } }, path, "c1", options, { write }, gone.signal).catch(() => {});
    await late;
  }
  assert.deepEqual([...Deno.readDirSync("/proc/self/fd")].filter(isOwn), []);
  await Deno.remove(directory, { recursive: true });
});
