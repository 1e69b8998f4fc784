/** The node agent: its configuration, its servers, its files and its log. */
import assert from "node:assert/strict";
import { takeLock } from "../../agent/lock.ts";
import { CLOCK } from "../../agent/clock.ts";
import { hostFiles } from "../../agent/config/mod.ts";
import { parseOrchletOptions } from "../../agent/options/mod.ts";
import { logOf } from "../../schema/log/settings.ts";
import { get } from "../agent/http/_parts.ts";
import { freePort } from "../fixture/free_port.ts";
import { servingPair, until } from "../listen/_fixture.ts";
import { sized, withHost } from "./_host.ts";
import { faultsOf, noAgent, optionsOf, type Whole, withAgent, withFront } from "./_orchlet.ts";
import { spec } from "./_spec.ts";
import { withDirectory } from "../fixture/directory.ts";

/** A configuration file by which nobody is asked who may call. */
const configuration = (more: object): string =>
  JSON.stringify({
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: "AlwaysAllow" },
    ...more,
  });

const podsOf = ({ agent }: Whole) => agent.node.node().status?.capacity?.["pods"];
const plain = { plain: true };
const status = async (port: number, path: string, o: Parameters<typeof get>[2] = {}) =>
  (await get(port, path, { rejectUnauthorized: false, ...o })).status;

/** What a log by these flags says of a line of each level and of verbose ones; and how often it is flushed. */
function written(...flags: string[]) {
  const lines: string[] = [], every: number[] = [];
  const write = (line: string) => void lines.push(line);
  const { log, streams } = logOf(optionsOf(...flags), () => 0, {
    out: write,
    err: write,
    every: (ms) => void every.push(ms),
  });
  log("info", "said");
  for (const level of [1, 3]) log.verbose("probes", level)?.(`probes ${level}`);
  log.verbose("other", 3)?.("other 3");
  return { lines, every, flush: () => streams.flush() };
}

spec("Node agent options", {
  "--config": () =>
    withDirectory(async (dir) => {
      const config = `${dir}/config.yaml`;
      await Deno.writeTextFile(config, configuration({ maxPods: 7, podsPerCore: 0 }));
      await withAgent([`--config=${config}`], async (whole) => {
        assert.equal(podsOf(whole), "7");
        assert.equal(JSON.parse((await whole.get("/configz")).text).kubeletconfig.maxPods, 7);
      });
      await withAgent([`--config=${config}`, "--max-pods=9"], async (whole) => assert.equal(podsOf(whole), "9"));
      await withAgent([], async (whole) => assert.equal(podsOf(whole), "110"));
      assert.match(faultsOf(`--config=${dir}/none`), /none/);
    }),
  "--config-dir": () =>
    withDirectory(async (dir) => {
      await Deno.mkdir(`${dir}/drops/b`, { recursive: true });
      const put = (path: string, more: object) => Deno.writeTextFile(`${dir}/${path}`, configuration(more));
      await put("config", { maxPods: 7, registryBurst: 1 });
      await put("drops/a.conf", { maxPods: 8, eventBurst: 8 });
      await put("drops/b/x.conf", { maxPods: 9 });
      await put("drops/c.yaml", { maxPods: 10 });
      await withAgent([`--config=${dir}/config`, `--config-dir=${dir}/drops`], async (whole) => {
        assert.equal(podsOf(whole), "9");
        const { eventBurst, registryBurst } = whole.options;
        assert.deepEqual([eventBurst, registryBurst], [8, 1]);
      });
    }),
  "--address": () =>
    withAgent(["--address=127.0.0.2"], async ({ options: { port } }) => {
      assert.equal(await status(port, "/healthz/ping", { host: "127.0.0.2" }), 200);
      await assert.rejects(status(port, "/healthz/ping", { host: "127.0.0.1" }), /ECONNREFUSED/);
    }),
  "--port": async () => {
    const port = freePort();
    await withAgent([`--port=${port}`], async ({ agent }) => {
      assert.equal(await status(port, "/healthz/ping"), 200);
      assert.equal(agent.node.node().status?.daemonEndpoints?.kubeletEndpoint?.Port, port);
    });
    assert.notEqual(faultsOf("--port=0"), "");
    assert.equal(optionsOf().port, 10250);
  },
  "--read-only-port": async () => {
    const port = freePort();
    await withAgent([`--read-only-port=${port}`, "--anonymous-auth=false"], async ({ agent, get: ask }) => {
      assert.equal((await ask("/pods")).status, 401);
      assert.equal(await status(port, "/pods", plain), 200);
      assert.equal(await status(port, "/configz", plain), 404);
      assert.equal(agent.servers.readOnlyPort, port);
    });
    await withAgent(["--read-only-port=0"], async ({ agent }) => assert.equal(agent.servers.readOnlyPort, 0));
  },
  "--healthz-bind-address": async () => {
    const port = freePort();
    await withAgent([`--healthz-port=${port}`, "--healthz-bind-address=127.0.0.3"], async () => {
      assert.equal(await status(port, "/healthz", { ...plain, host: "127.0.0.3" }), 200);
      await assert.rejects(status(port, "/healthz", plain), /ECONNREFUSED/);
    });
  },
  "--healthz-port": async () => {
    const port = freePort();
    await withAgent([`--healthz-port=${port}`], async () => assert.equal(await status(port, "/healthz", plain), 200));
    await withAgent(["--healthz-port=0"], async ({ agent }) => assert.equal(agent.servers.healthzPort, 0));
  },
  "--enable-server": async () => {
    const port = freePort(), readOnly = freePort();
    const ports = [`--port=${port}`, `--read-only-port=${readOnly}`];
    await withAgent(["--enable-server=false", ...ports], async ({ agent }) => {
      assert.equal(agent.servers.port, 0);
      await assert.rejects(status(port, "/healthz"), /ECONNREFUSED/);
      assert.equal(await status(readOnly, "/metrics", plain), 200); // a server of its own: 0 disables it
    });
  },
  "--enable-debugging-handlers": async () => {
    const paths = ["/logs/", "/runningpods/", "/containerLogs/default/none/c"];
    const answers = async (flag: string) => {
      const codes: number[] = [];
      await withAgent([flag], async ({ get: ask }) => {
        for (const path of paths) codes.push((await ask(path)).status);
        assert.equal((await ask("/pods")).status, 200);
        codes.push((await ask("/exec/default/none/c?command=true", { method: "POST" })).status);
      });
      return codes;
    };
    assert.deepEqual(await answers("--enable-debugging-handlers=false"), [405, 405, 405, 405]);
    const on = await answers("--enable-debugging-handlers");
    assert.ok(on.every((code) => code !== 405), on.join());
  },
  "--root-dir": () =>
    withDirectory(async (dir) => {
      await withAgent([`--root-dir=${dir}/deep/lib`], async () => {
        for (const name of ["cpu_manager_state", "image_manager"]) await Deno.stat(`${dir}/deep/lib/${name}`);
      });
    }),
  "--cert-dir": async () => {
    await withDirectory((certs) =>
      withAgent([`--cert-dir=${certs}/own`], async ({ get: ask }) => {
        const ca = await Deno.readTextFile(`${certs}/own/kubelet.crt`);
        const name = { rejectUnauthorized: true, ca, servername: "localhost", checkServerIdentity: () => undefined };
        assert.equal((await ask("/healthz/ping", name)).status, 200);
      })
    );
    await withDirectory(async (files) => {
      const { cert, key } = servingPair("named");
      await Deno.writeTextFile(`${files}/crt`, cert);
      await Deno.writeTextFile(`${files}/key`, key);
      const named = [`--tls-cert-file=${files}/crt`, `--tls-private-key-file=${files}/key`];
      await withAgent(named, async ({ dir }) => {
        assert.throws(() => Deno.statSync(`${dir}/pki/kubelet.crt`), Deno.errors.NotFound);
      });
    });
  },
  "--feature-gates": () =>
    withAgent(["--feature-gates=PodLogsQuerySplitStreams=False,NodeLogQuery=True"], async ({ base, get: ask }) => {
      assert.deepEqual([base.gate("PodLogsQuerySplitStreams"), base.gate("NodeLogQuery")], [false, true]);
      const { featureGates } = JSON.parse((await ask("/configz")).text).kubeletconfig;
      assert.deepEqual([featureGates.PodLogsQuerySplitStreams, featureGates.NodeLogQuery], [false, true]);
      const period = "--cpu-cfs-quota-period=5ms";
      assert.equal(faultsOf(period, "--feature-gates=CustomCPUCFSQuotaPeriod=True"), "");
      const closed = faultsOf(period, "--feature-gates=CustomCPUCFSQuotaPeriod=False");
      assert.match(closed, /needs the feature gate CustomCPUCFSQuotaPeriod/);
      assert.match(faultsOf("--feature-gates=NoSuchGate=true"), /NoSuchGate/);
    }),
}, noAgent);

spec("Node agent options", {
  "--lock-file, --exit-on-lock-contention": () =>
    withDirectory(async (dir) => {
      const { signal } = new AbortController();
      const flags = [`--lock-file=${dir}/lock`];
      const first = (await takeLock(optionsOf(...flags, "--exit-on-lock-contention"), CLOCK, signal))!;
      let held = false;
      const second = takeLock(optionsOf(...flags), CLOCK, signal).then((lock) => (held = true, lock));
      await first.contended;
      assert.equal(held, false);
      first.close();
      (await second)!.close();
      assert.match(faultsOf("--exit-on-lock-contention"), /needs --lock-file/);
    }),
  "--log-flush-frequency": () => {
    const buffered = [
      "--feature-gates=LoggingAlphaOptions=true",
      "--log-text-split-stream",
      "--log-text-info-buffer-size=1Ki",
      "--log-flush-frequency=9s",
    ];
    const { lines, every, flush } = written(...buffered);
    assert.deepEqual([lines, every], [[], [9_000]]);
    flush();
    assert.equal(lines.length, 1);
    assert.equal(optionsOf().logFlushFrequency, 5_000);
    assert.notEqual(faultsOf("--log-flush-frequency=0s"), "");
  },
  "--logging-format": () => {
    assert.deepEqual(written().lines, ["info: said"]);
    assert.equal(JSON.parse(written("--logging-format=json").lines[0]!).msg, "said");
    assert.notEqual(faultsOf("--logging-format=xml"), "");
  },
  "--version, -v, --vmodule, -h": () => {
    const printed = (...flags: string[]) => {
      const parsed = parseOrchletOptions(flags, hostFiles);
      return parsed.kind === "print" ? parsed.text : "";
    };
    assert.match(printed("--version"), /^Orch v1\.37\.\d+$/);
    assert.match(printed("--version=raw"), /gitVersion/);
    assert.match(printed("-h"), /--node-labels/);
    assert.equal(optionsOf("--version=v1.37.9").gitVersion, "v1.37.9");
    const verbose = (...flags: string[]) => written(...flags).lines.slice(1).map((line) => line.split(": ").at(-1));
    assert.deepEqual(verbose(), []);
    assert.deepEqual(verbose("-v=1"), ["probes 1"]);
    assert.deepEqual(verbose("-v", "3"), ["probes 1", "probes 3", "other 3"]);
    assert.deepEqual(verbose("--vmodule=pro*=3"), ["probes 1", "probes 3"]);
  },
});

/** Lines of a module that a whole agent with one pod says by these flags. */
async function saidBy(flags: readonly string[]): Promise<(module: string) => readonly string[]> {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const probe = { tcpSocket: { host: "127.0.0.1", port: listener.addr.port }, periodSeconds: 1 };
  const pods = { a: { containers: [{ ...sized("a"), readinessProbe: probe }] } };
  let said: readonly string[] = [];
  await withFront([], (front) =>
    withHost(flags, async ({ node, pod, put, host, get: ask, logged }) => {
      await put("b", { containers: [sized("b", { cpu: "1000" })] });
      await node();
      await pod("a-localhost", ({ status }) => status?.containerStatuses?.[0]?.ready);
      await pod("b-localhost", ({ status }) => status?.phase === "Failed");
      await ask("/pods?who=me");
      await Deno.remove(`${host}/manifests/a.json`);
      await until("the pod has ended", async () => !(await ask("/pods")).text.includes("a-localhost"));
      said = [...logged];
    }, { front, pods }));
  return (module) => said.filter((line) => line.startsWith(`${module} `)).map((line) => line.slice(module.length + 1));
}

Deno.test({
  name: "the verbose hear of pods, probes and requests, by module and level",
  ignore: noAgent !== undefined, // no agent can run on this machine
  fn: async () => {
    const modules = ["client", "httplog", "pods", "probes"];
    const quiet = await saidBy([]);
    assert.deepEqual(modules.flatMap(quiet), []);
    const all = await saidBy(["-v=6"]);
    const shows = (module: string, what: RegExp) => assert.match(all(module).join("\n"), what);
    shows("client", /^POST \/api\/v1\/nodes \{"latency":"\d+ms","resp":201\}$/m);
    shows(
      "httplog",
      /^HTTP \{"verb":"GET","URI":"\/pods\?who=me","latency":"\d+ms",.*"srcIP":"127\.0\.0\.1","resp":200\}$/m,
    );
    shows("pods", /^a-localhost_default\([^)]+\) is begun $/m);
    shows("pods", /^b-localhost_default\([^)]+\) is refused \{"reason":"\w+",.*$/m);
    shows("pods", /^a-localhost_default\([^)]+\) is wanted no more $/m);
    shows(
      "probes",
      /^Readiness probe \{"pod":"a-localhost_default.*"container":"a","result":"success",/m,
    );
    const some = await saidBy(["--v=2", "--vmodule=prob*=3"]);
    assert.deepEqual(modules.filter((module) => some(module).length > 0), ["pods", "probes"]);
  },
});

Deno.test({
  name: "the verbose hear what the runtime is asked, and why it fails",
  ignore: noAgent !== undefined, // no agent can run on this machine
  fn: () =>
    withAgent(["--vmodule=runtime=6"], async ({ logged }) => {
      const listed = /^runtime listContainers \{"latency":"\d+ms","err":".*no\.sock.*"\}$/;
      await until("a call has failed", () => logged.some((line) => listed.test(line)));
    }),
});
