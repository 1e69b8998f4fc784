/** The node agent: where its pods come from, how many there may be, and how they are looked after. */
import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Puller } from "../../agent/images/pull.ts";
import { LogRotation } from "../../agent/logs/rotate.ts";
import { startOnce } from "../../agent/once.ts";
import type { Runtime } from "../../agent/runtime/types.ts";
import { IMAGES } from "../fixture/busybox_image.ts";
import type { Loose } from "../fixture/loose.ts";
import { until } from "../listen/_fixture.ts";
import {
  faultsOf,
  HeldClock,
  MovedClock,
  noAgent,
  noContainers,
  optionsOf,
  sharedContainerd,
  type Whole,
  withAgent,
  withBase,
  withFront,
  withGroup,
} from "./_orchlet.ts";
import { spec } from "./_spec.ts";
import { withDirectory } from "../fixture/directory.ts";

const containerd = sharedContainerd();
const HOUR = 3_600_000;

const CONTAINER = { name: "c", image: IMAGES[0], command: ["sleep", "3600"] };

/** A manifest of a pod that waits for its end. */
const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      hostNetwork: true,
      terminationGracePeriodSeconds: 0,
      containers: [CONTAINER],
      ...more,
    },
  });

const namesOf = ({ agent }: Whole): string => agent.pods.pods().map((pod) => pod.metadata!.name).sort().join();
const named = (whole: Whole, names: string) => until(`pods ${names}`, () => namesOf(whole) === names);

/** A page of manifests. */
interface Page {
  readonly url: string;
  text: string;
  readonly asked: http.IncomingHttpHeaders[];
}

async function withPage(text: string, run: (page: Page) => Promise<void>): Promise<void> {
  const asked: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.headers);
    response.end(page.text);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const page: Page = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pods`, text, asked };
  try {
    await run(page);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

/** Runs with a path and a page that are looked at every so many hours: the one of them that is to be first is. */
async function checked(fileHours: number, pageHours: number): Promise<void> {
  const clock = new MovedClock();
  await withDirectory((dir) =>
    withPage("", async (page) => {
      const flags = [
        `--pod-manifest-path=${dir}/pods`,
        `--file-check-frequency=${fileHours}h`,
        `--manifest-url=${page.url}`,
        `--http-check-frequency=${pageHours}h`,
      ];
      await withAgent(flags, async (whole) => {
        await until("both have looked", () => whole.agent.delivered());
        await Deno.mkdir(`${dir}/pods`);
        await Deno.writeTextFile(`${dir}/pods/a.json`, manifest("a"));
        const fileSeen = () => namesOf(whole) === "a-localhost", pageAsked = () => page.asked.length > 1;
        const [first, second] = fileHours < pageHours ? [fileSeen, pageAsked] : [pageAsked, fileSeen];
        clock.pass(HOUR);
        await until("one is looked at", first);
        assert.equal(second(), false);
        clock.pass(2 * HOUR);
        await until("the other is, too", second);
      }, { clock });
    })
  );
}

spec("What the service does, Node agent", {
  "rule 1": () =>
    withDirectory(async (dir) => {
      const clock = new MovedClock();
      await withAgent([`--pod-manifest-path=${dir}/pods`], async (whole) => {
        assert.equal(whole.options.fileCheckFrequency, 20_000);
        await until("it has looked", () => whole.agent.delivered());
        await Deno.mkdir(`${dir}/pods`);
        await Deno.writeTextFile(`${dir}/pods/a.json`, manifest("a"));
        clock.pass(20_000);
        await named(whole, "a-localhost");
      }, { clock });
    }),
  "rule 2": () =>
    withPage(manifest("a"), async (page) => {
      const clock = new MovedClock();
      await withAgent([`--manifest-url=${page.url}`], async (whole) => {
        assert.equal(whole.options.httpCheckFrequency, 20_000);
        await named(whole, "a-localhost");
        page.text = manifest("b");
        clock.pass(20_000);
        await named(whole, "b-localhost");
      }, { clock });
    }),
}, noAgent);

spec("Node agent options", {
  "--pod-manifest-path": () =>
    withDirectory(async (dir) => {
      await Deno.mkdir(`${dir}/pods`);
      const put = (path: string, name: string) => Deno.writeTextFile(`${dir}/${path}`, manifest(name));
      await put("pods/a.json", "a");
      await put("pods/.hidden", "hidden");
      await put("one", "one");
      await withAgent([`--pod-manifest-path=${dir}/pods`], async (whole) => {
        await named(whole, "a-localhost");
        await put("pods/b.yaml", "b");
        await named(whole, "a-localhost,b-localhost");
      });
      await withAgent([`--pod-manifest-path=${dir}/one`], (whole) => named(whole, "one-localhost"));
    }),
  "--manifest-url": () =>
    withPage(
      manifest("a"),
      (page) => withAgent([`--manifest-url=${page.url}`], (whole) => named(whole, "a-localhost")),
    ),
  "--manifest-url-header": () =>
    withPage(manifest("a"), async (page) => {
      const flags = ["--manifest-url-header=X-A:1,X-B:2", "--manifest-url-header=X-A:3"];
      await withAgent([`--manifest-url=${page.url}`, ...flags], (whole) => named(whole, "a-localhost"));
      const { "x-a": a, "x-b": b } = page.asked[0]!;
      assert.deepEqual([a, b], ["1, 3", "2"]);
    }),
  "--file-check-frequency, --http-check-frequency": async () => {
    for (const [file, page] of [[3, 1], [1, 3]] as const) await checked(file, page);
  },
}, noAgent);

/** Runs with an agent whose pods have these manifests. */
async function withPods(
  manifests: readonly string[],
  flags: readonly string[],
  run: (whole: Whole) => Promise<void>,
  clock = new MovedClock(),
): Promise<void> {
  await withDirectory(async (dir) => {
    for (const [i, text] of manifests.entries()) await Deno.writeTextFile(`${dir}/${i}.json`, text);
    await withAgent([`--pod-manifest-path=${dir}`, ...flags], run, { containerd: await containerd(), clock });
  });
}

const runs = ({ status }: Loose): boolean => status?.phase === "Running";

spec("Node agent options", {
  "--sync-frequency": async () => {
    const clock = new MovedClock();
    await withPods([manifest("a")], ["--sync-frequency=100h"], async (whole) => {
      await whole.pod("a-localhost", runs);
      const count = async (operation: string) => {
        const { text } = await whole.get("/metrics");
        return Number(new RegExp(`operations_total\\{operation_type="${operation}"\\} (\\d+)`).exec(text)![1]);
      };
      /** How often the pod was looked at, once so long has passed and the runtime was listed since. */
      const looksAfter = async (ms: number) => {
        const lists = await count("list_podsandbox");
        clock.pass(ms);
        await until("the runtime is listed", async () => await count("list_podsandbox") >= lists + 2);
        return await count("podsandbox_status");
      };
      let looks = 0;
      await until("nothing happens any more", async () => looks === (looks = await looksAfter(1_000)));
      assert.equal(await looksAfter(90 * HOUR), looks);
      clock.pass(70 * HOUR);
      await until("the pod is looked at", async () => await count("podsandbox_status") > looks);
    }, clock);
  },
  "--runonce": () =>
    withDirectory(async (dir) => {
      await Deno.writeTextFile(`${dir}/a.json`, manifest("a"));
      const runtime = await containerd(), client = runtime.runtime();
      await withBase(["--runonce", `--pod-manifest-path=${dir}`], async ({ base, end }) => {
        await startOnce(base, base.log, end);
        const listed = await client.listContainers();
        assert.deepEqual(listed.map(({ metadata, state }) => [metadata!.name, state]), [["c", "RUNNING"]]);
      }, { containerd: runtime });
      const { enableServer, readOnlyPort, healthzPort } = optionsOf("--runonce");
      assert.deepEqual([enableServer, readOnlyPort, healthzPort], [false, 0, 0]);
      assert.match(faultsOf("--runonce", "--enable-server"), /cannot go with --enable-server/);
    }),
  "--pod-max-pids": () =>
    withGroup((group) =>
      withPods(
        [manifest("a")],
        ["--pod-max-pids=42", "--cgroups-per-qos=true", `--cgroup-root=${group}`],
        async (whole) => {
          const { metadata } = await whole.pod("a-localhost", runs);
          const { version } = whole.base.hierarchy;
          const own = `/sys/fs/cgroup${version === 1 ? "/pids" : ""}${group}/kubepods/besteffort/pod${metadata!.uid}`;
          assert.equal((await Deno.readTextFile(`${own}/pids.max`)).trim(), "42");
        },
      )
    ),
}, noContainers);

spec("Limits", {
  "node agent --max-pods": async () => {
    assert.equal(optionsOf().maxPods, 110);
    const flags = ["--max-pods=1"], runtime = await containerd();
    await withFront([], (front) =>
      withAgent(flags, async ({ node }) => {
        await node(({ status }) => status?.capacity);
        const pods = "/api/v1/namespaces/default/pods";
        for (const name of ["a", "b"]) {
          const body = JSON.parse(manifest(name, { nodeName: "localhost", automountServiceAccountToken: false }));
          assert.equal((await front.t.fetch(pods, { body })).status, 201);
        }
        const told = async () => {
          const { items } = (await front.t.fetch(pods)).body;
          return items.map(({ status }: Loose) => `${status.phase} ${status.reason ?? ""}`.trim()).sort().join();
        };
        await until("one runs, one is refused", async () => await told() === "Failed OutOfpods,Running");
      }, { front, containerd: runtime }));
  },
}, noContainers);

spec("Limits", {
  "node agent --registry-qps / burst": async () => {
    const clock = new HeldClock(), { signal } = new AbortController();
    const runtime: Pick<Runtime, "pullImage" | "imageStatus"> = {
      pullImage: () => Promise.resolve("ref"),
      imageStatus: () => Promise.resolve(undefined),
    };
    const puller = new Puller(runtime, optionsOf(), clock, signal);
    const pull = () =>
      puller.pull({ image: "i", annotations: {} }, [], {} as Loose).then(() => true, (e) => {
        assert.match(e.message, /pull QPS exceeded/);
        return false;
      });
    const pulled = async (count: number) => (await Promise.all(Array.from({ length: count }, pull))).filter(Boolean);
    assert.equal((await pulled(20)).length, 10);
    clock.pass(1_000);
    assert.equal((await pulled(20)).length, 5);
  },
  "node agent --container-log-max-size / files": () =>
    withDirectory(async (dir) => {
      const clock = new HeldClock(), life = new AbortController(), path = `${dir}/0.log`;
      let reopened = 0;
      const runtime = {
        listContainers: () => Promise.resolve([{ id: "c", state: "RUNNING" }] as Loose),
        containerStatus: () => Promise.resolve({ logPath: path } as Loose),
        reopenContainerLog: async () => {
          await Deno.writeTextFile(path, "");
          reopened++;
        },
      };
      await Deno.writeFile(path, new Uint8Array(10 * 1024 * 1024 - 1));
      const options = optionsOf();
      const rotation = new LogRotation(options, { runtime, clock, log: () => {} }).run(life.signal);
      try {
        for (let n = 1; n <= 6; n++) {
          clock.pass(options.containerLogMonitorInterval);
          await Deno.writeTextFile(path, "x", { append: true });
          await until("the log is put aside", () => {
            clock.pass(options.containerLogMonitorInterval);
            return reopened === n;
          });
          assert.ok((await Array.fromAsync(Deno.readDir(dir))).length <= 5);
          await Deno.writeFile(path, new Uint8Array(10 * 1024 * 1024 - 1));
        }
        assert.equal((await Array.fromAsync(Deno.readDir(dir))).length, 5);
      } finally {
        life.abort();
        await rotation;
      }
    }),
});
