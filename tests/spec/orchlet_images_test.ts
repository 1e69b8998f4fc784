/** Options of the node agent about images, ended containers and logs of containers, by their rows. */
import assert from "node:assert/strict";
import { faultOf, open, podOf } from "../agent/images/_fixture.ts";
import { until } from "../listen/_fixture.ts";
import { type Host, onHost, sized, withHost } from "./_host.ts";
import { MemoryRuntime } from "./_memory_runtime.ts";
import { faultsOf, optionsOf } from "./_orchlet.ts";
import { spec } from "./_spec.ts";
import { withDirectory } from "../fixture/directory.ts";

const MINUTE = 60_000;

/** Images of 100 bytes each on a disk of 1000, of which so many percent are in use: how many go. */
function removed(flags: readonly string[], percent: number, minutes = 60): Promise<number> {
  return withDirectory(async (rootDir) => {
    const memory = new MemoryRuntime();
    const agent = await open(memory.client(), rootDir, { ...optionsOf(...flags), rootDir });
    for (const name of ["a", "b", "c", "d"]) memory.images.set(name, 100);
    await agent.collector.collect(); // they are seen for the first time
    agent.clock.at += minutes * MINUTE;
    agent.disk = { capacity: 1000, available: 1000 - percent * 10 };
    await agent.collector.collect().catch((e) => assert.match(e.message, /Insufficient free disk space/));
    agent.end();
    return 4 - memory.images.size;
  });
}

/** How many of four pulls that come at once begin, and how many a second later. */
function begun(...flags: string[]): Promise<readonly number[]> {
  return withDirectory(async (rootDir) => {
    const agent = await open(new MemoryRuntime().client(), rootDir, { ...optionsOf(...flags), rootDir });
    const pull = async (round: number) => {
      const pods = [1, 2, 3, 4].map((n) =>
        podOf(`p${round}${n}`, `registry.test/${round}${n}:1`, { imagePullPolicy: "Always" })
      );
      const faults = await Promise.all(pods.map((pod) => faultOf(agent, pod).catch(() => ["", ""])));
      assert.ok(faults.every(([, message]) => message === "" || message === "pull QPS exceeded"));
      return faults.filter(([reason]) => reason === "").length;
    };
    const first = await pull(1);
    agent.clock.at += 1000;
    const counts = [first, await pull(2)];
    agent.end();
    return counts;
  });
}

/** Most pulls at a time, of three pods that are started with each other. */
async function pullsAtATime(flag: string, ended: (running: number) => boolean): Promise<number> {
  let now = 0, most = 0;
  const pull = (name: string) => ({ containers: [{ ...sized(name), imagePullPolicy: "Always" as const }] });
  await withHost([flag], async ({ memory }) => {
    await until("all run", () => memory.containers.filter(({ state }) => state === "RUNNING").length === 3);
  }, {
    pods: { a: pull("a"), b: pull("b"), c: pull("c") },
    base(base, memory) {
      memory.pulling = async () => {
        most = Math.max(most, ++now);
        await until("pulls may end", () => ended(most));
        now--;
      };
      return base;
    },
  });
  return most;
}

/** Checks how many ended tries stay of two containers that have four each. */
async function keeps(total: number, ...flags: string[]): Promise<void> {
  await withHost(flags, async ({ running, memory }) => {
    for (const container of [await running("a"), await running("b")]) {
      for (let nth = 1n; nth <= 4n; nth++) memory.add(container, { state: "EXITED", createdAt: -nth });
    }
    const dead = () => memory.containers.filter(({ state }) => state === "EXITED");
    await until("some are taken away", () => dead().length === total);
    const lists = memory.lists;
    await until("it was looked at again", () => memory.lists > lists + 9);
    assert.equal(dead().length, total);
    // The newest of each is there in any case.
    assert.equal(dead().filter(({ createdAt }) => createdAt === -1n).length, 2);
  }, { pods: { p: { containers: [sized("a"), sized("b")] } } });
}

/** Directory of a container's log. */
const logsOf = ({ memory }: Host, name: string): string => `${memory.sandboxes[0]!.config.logDirectory}/${name}`;
const filesIn = (dir: string): string[] => [...Deno.readDirSync(dir)].map((e) => e.name).sort();

spec(
  "Node agent options",
  onHost({
    "--image-gc-high-threshold": async () => {
      const flags = ["--image-gc-high-threshold=60", "--image-gc-low-threshold=40"];
      assert.deepEqual([await removed(flags, 59), await removed(flags, 60)], [0, 2]);
      assert.equal(await removed(["--image-gc-high-threshold=100"], 99), 0);
      assert.match(faultsOf("--image-gc-high-threshold=101"), /image-gc-high-threshold/);
    },
    "--image-gc-low-threshold": async () => {
      assert.equal(await removed(["--image-gc-low-threshold=60"], 90), 3);
      assert.equal(await removed(["--image-gc-low-threshold=75"], 90), 2);
      assert.match(faultsOf("--image-gc-low-threshold=85"), /image-gc-low-threshold/);
    },
    "--minimum-image-ttl-duration": async () => {
      const flags = ["--minimum-image-ttl-duration=10m"];
      assert.deepEqual([await removed(flags, 100, 9), await removed(flags, 100, 10)], [0, 2]);
    },
    "--maximum-dead-containers": async () => {
      const flags = ["--maximum-dead-containers-per-container=4"];
      await keeps(2, ...flags, "--maximum-dead-containers=0");
      await keeps(5, ...flags, "--maximum-dead-containers=5");
    },
    "--maximum-dead-containers-per-container": async () => {
      await keeps(2);
      await keeps(6, "--maximum-dead-containers-per-container=3");
    },
    "--container-log-max-files": async () => {
      await withHost(["--container-log-max-size=10", "--container-log-max-files=3"], async (host) => {
        await host.running("a");
        const dir = logsOf(host, "a");
        for (let day = 1; day <= 5; day++) await Deno.writeTextFile(`${dir}/0.log.2020010${day}-000000.gz`, "old");
        await Deno.writeTextFile(`${dir}/0.log`, "long enough");
        await until("it is put aside", () => /^0\.log,.*0\.log\.\d{8}-\d{6}$/.test(filesIn(dir).join()));
        const [now, old, fresh] = filesIn(dir);
        assert.deepEqual([now, old], ["0.log", "0.log.20200105-000000.gz"]);
        assert.equal(await Deno.readTextFile(`${dir}/${fresh}`), "long enough");
      }, { pods: { a: {} } });
      assert.match(faultsOf("--container-log-max-files=1"), /container-log-max-files/);
    },
    "--container-log-max-size": async () => {
      await withHost(["--container-log-max-size=1Ki"], async (host) => {
        for (const [name, size] of [["short", 1023], ["long", 1024]] as const) {
          await host.running(name);
          await Deno.writeTextFile(`${logsOf(host, name)}/0.log`, "x".repeat(size));
        }
        await until("the long one is put aside", () => filesIn(logsOf(host, "long")).length === 2);
        // It was looked at before.
        assert.deepEqual(filesIn(logsOf(host, "short")), ["0.log"]);
      }, { pods: { p: { containers: [sized("short"), sized("long")] } } });
      assert.match(faultsOf("--container-log-max-size=much"), /container-log-max-size/);
    },
    "--serialize-image-pulls": async () => {
      assert.equal(await pullsAtATime("--serialize-image-pulls=true", () => true), 1);
      assert.equal(await pullsAtATime("--serialize-image-pulls=false", (most) => most === 3), 3);
    },
    "--registry-qps": async () => {
      assert.deepEqual(await begun("--registry-qps=2", "--registry-burst=3"), [3, 2]);
      assert.deepEqual(await begun("--registry-qps=0", "--registry-burst=1"), [4, 4]);
    },
    "--registry-burst": async () => {
      assert.deepEqual(await begun("--registry-qps=9", "--registry-burst=1"), [1, 1]);
      assert.deepEqual(await begun("--registry-qps=9", "--registry-burst=2"), [2, 2]);
    },
    "--image-credential-provider-bin-dir, --image-credential-provider-config": async () => {
      const config = {
        apiVersion: "kubelet.config.k8s.io/v1",
        kind: "CredentialProviderConfig",
        providers: [{
          name: "helper",
          apiVersion: "credentialprovider.kubelet.k8s.io/v1",
          matchImages: ["registry.test"],
          defaultCacheDuration: "1m",
        }],
      };
      const answer = {
        apiVersion: "credentialprovider.kubelet.k8s.io/v1",
        kind: "CredentialProviderResponse",
        cacheKeyType: "Registry",
        auth: { "registry.test": { username: "joe", password: "secret" } },
      };
      const flags = (host: string) => {
        Deno.mkdirSync(`${host}/bin`);
        Deno.writeTextFileSync(`${host}/bin/helper`, `#!/bin/sh\ncat <<'END'\n${JSON.stringify(answer)}\nEND\n`, {
          mode: 0o755,
        });
        Deno.writeTextFileSync(`${host}/providers.yaml`, JSON.stringify(config));
        return [
          `--image-credential-provider-bin-dir=${host}/bin`,
          `--image-credential-provider-config=${host}/providers.yaml`,
        ];
      };
      const pods = { a: { containers: [{ ...sized("a"), imagePullPolicy: "Always" as const }] } };
      for (const [given, user] of [[flags, "joe"], [[], undefined]] as const) {
        await withHost(given, async ({ running, memory }) => {
          await running("a");
          assert.deepEqual(memory.pulls.map(([image, auth]) => [image, auth?.username]), [["registry.test/a:1", user]]);
        }, { pods });
      }
      assert.notEqual(faultsOf("--image-credential-provider-bin-dir=/bin"), "");
    },
  }),
);
