/** kubectl, the API server and the agent's servers with real containers behind them. */
import assert from "node:assert/strict";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { AGENT_CA, AGENT_CLIENT, AGENT_PAIR } from "../../fixture/agent.ts";
import { containerdMissing } from "../../fixture/containerd.ts";
import { freePort } from "../../fixture/free_port.ts";
import { clientMinor, Kubectl, ServerProcess, until } from "../../e2e/_server.ts";
import { type Running, withContainers } from "./_containers.ts";
import { podView, withServers } from "./_parts.ts";

const missing = containerdMissing() ?? (await clientMinor() === undefined ? "kubectl is not installed" : undefined);
if (missing) console.log(`kubectl and containers are not tested: ${missing}`);

const WANTED = [
  {
    name: "main",
    script: "echo begin; httpd -f -p 8080 -h /etc & i=0; while sleep 1; do i=$((i+1)); echo tick $i; done",
  },
  { name: "cat", script: "cat", stdin: true },
];

Deno.test(
  {
    name: "kubectl works on containers through server and agent",
    ignore: missing !== undefined, // no containerd or kubectl on this machine
  },
  async (t) => {
    const dir = await Deno.makeTempDir();
    const file = async (name: string, text: string) => {
      await Deno.writeTextFile(`${dir}/${name}`, text);
      return `${dir}/${name}`;
    };
    const caFile = await file("ca.crt", AGENT_CA);
    const server = await ServerProcess.start("kubernetes", [
      `--kubelet-certificate-authority=${caFile}`,
      `--kubelet-client-certificate=${await file("client.crt", AGENT_CLIENT.cert)}`,
      `--kubelet-client-key=${await file("client.key", AGENT_CLIENT.key)}`,
      "--kubelet-preferred-address-types=InternalIP",
    ]);
    const pods: Pod[] = [];
    try {
      const k = await Kubectl.of(server);
      const options = { clientCaFile: caFile, anonymousAuth: false };
      const uid = await placed(k);
      await withContainers(uid, WANTED, async (running) => {
        pods.push(running.pod);
        const own = { runtime: running.runtime, pods: podView(pods), pair: () => AGENT_PAIR };
        await withServers(own, options, async ({ port }) => {
          await told(k, running, port);
          await t.step("logs", () => logs(k));
          await t.step("exec", () => exec(k));
          await t.step("attach", async () => {
            assert.match(await k.run("attach -i web -c cat", "typed\n"), /^typed\n/m);
          });
          await t.step("cp", () => copy(k, dir));
          await t.step("port-forward", () => forward(k));
        });
      });
    } finally {
      await server.end();
      await Deno.remove(dir, { recursive: true });
    }
  },
);

/** The uid of the pod, once the API server has it on the node. */
async function placed(k: Kubectl): Promise<string> {
  await k.run("create -f -", { apiVersion: "v1", kind: "Node", metadata: { name: "node-a" } });
  const containers = WANTED.map(({ name, stdin = false }) => ({ name, image: "busybox", stdin }));
  const pod = await k.json("create -f -", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web" },
    spec: { nodeName: "node-a", containers },
  });
  return pod.metadata.uid;
}

/** The API server learns of the agent's place and of the containers. */
async function told(k: Kubectl, { pod }: Running, Port: number): Promise<void> {
  const node = {
    addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
    daemonEndpoints: { kubeletEndpoint: { Port } },
  };
  for (const [what, status] of [["node node-a", node], ["pod web", pod.status]] as const) {
    await k.run(`patch ${what} --subresource=status --type=merge --patch=${JSON.stringify({ status })}`);
  }
}

async function logs(k: Kubectl): Promise<void> {
  await until("the container says something", async () => (await k.run("logs web -c main")).startsWith("begin\n"));
  assert.equal(await k.run("logs web -c main --limit-bytes=5"), "begin");
  assert.match(await k.run("logs web -c main --tail=1 --timestamps"), /^\d{4}-\S+\.\d{9}\S+ \S/);
  assert.equal((await k.lines("logs -f web -c main --tail=1", 2, () => Promise.resolve())).length, 2);
}

async function exec(k: Kubectl): Promise<void> {
  assert.equal(await k.run("exec web -c main -- echo a b"), "a b\n");
  assert.equal(await k.run("exec -i web -c main -- cat", "typed\n"), "typed\n");
  const failed = await k.try(["exec", "web", "-c", "main", "--", "sh", "-c", "echo no >&2; exit 3"]);
  assert.deepEqual([failed.code, failed.err.split("\n")[0]], [3, "no"]);
  const large = "0123456789abcdef\n".repeat(100_000);
  const sum = await k.run("exec -i web -c main -- wc -c", large);
  assert.equal(sum.trim(), String(large.length));
  const much = await k.run("exec web -c main -- head -c 3000000 /dev/zero");
  assert.equal(much.length, 3_000_000);
  const gone = await k.try(["exec", "web", "-c", "main", "--", "/none"]);
  assert.notEqual(gone.code, 0);
  assert.match(gone.err, /no such file or directory/);
}

async function copy(k: Kubectl, dir: string): Promise<void> {
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  await Deno.writeFile(`${dir}/there`, bytes);
  await k.run(`cp ${dir}/there web:/tmp/copied -c main`);
  await k.run(`cp web:/tmp/copied ${dir}/back -c main`);
  assert.deepEqual(await Deno.readFile(`${dir}/back`), bytes);
}

async function forward(k: Kubectl): Promise<void> {
  const port = freePort();
  const child = new Deno.Command("kubectl", {
    args: ["--kubeconfig", k.server.kubeconfig, "port-forward", "web", `${port}:8080`],
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await until("the port answers", async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/none`).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.status === 404;
    });
  } finally {
    child.kill();
    await child.status;
  }
}
