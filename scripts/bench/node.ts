/**
 * What the node agent costs, and how soon pods run: a server, an agent and a containerd of their own.
 *
 *     deno run -A scripts/bench/node.ts [pods]
 *
 * Processor time and memory are the agent's. What a pod takes beside it is the runtime's: containerd and runc make
 * a sandbox and a container in it. Needs root, containerd, runc and a static BusyBox.
 */
import { AgentProcess, NODE } from "../../tests/e2e/_agent.ts";
import { Kubectl, ServerProcess } from "../../tests/e2e/_server.ts";
import { containerdMissing, startContainerd } from "../../tests/fixture/containerd.ts";
import type { Loose } from "../../tests/fixture/loose.ts";
import { processorMs, resident } from "./process.ts";

const PODS = Number(Deno.args[0] ?? 30);
const REST_MS = 20_000;

async function bench(): Promise<void> {
  const missing = containerdMissing();
  if (missing) throw new Error(missing);
  const containerd = await startContainerd(), dir = await Deno.makeTempDir({ prefix: "orchlet-bench-" });
  const server = await ServerProcess.start("kubernetes", ["--kubelet-preferred-address-types=Hostname"]);
  const agent = new AgentProcess(dir, containerd, [`--orchconfig=${server.kubeconfig}`]);
  try {
    await measure(await Kubectl.of(server), agent);
  } finally {
    await agent.stop();
    await server.end();
    await containerd.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

async function measure(k: Kubectl, agent: AgentProcess): Promise<void> {
  await agent.run();
  await k.run(`wait --for=condition=Ready --timeout=60s node/${NODE}`);
  say("start, ms", Number(/ready in (\d+) ms/.exec(agent.log)?.[1]));
  await atRest(agent, "without pods");
  const before = processorMs([agent.pid]);
  await k.run("apply -f -", { apiVersion: "v1", kind: "List", items: Array.from({ length: PODS }, (_, i) => pod(i)) });
  const created = performance.now();
  while (await ready(k) < PODS) await new Promise((done) => setTimeout(done, 50));
  say(`${PODS} pods created at once: all ready after, s`, (performance.now() - created) / 1000);
  say("the agent's processor time a pod, ms", (processorMs([agent.pid]) - before) / PODS);
  await atRest(agent, `with ${PODS} pods`);
  const ending = processorMs([agent.pid]), ended = performance.now();
  await k.run("delete pods -l app=bench");
  say("all gone after, s", (performance.now() - ended) / 1000);
  say("the agent's processor time a pod that ends, ms", (processorMs([agent.pid]) - ending) / PODS);
}

async function atRest({ pid }: AgentProcess, when: string): Promise<void> {
  const before = processorMs([pid]);
  await new Promise((done) => setTimeout(done, REST_MS));
  say(`at rest ${when}: memory, MB`, resident([pid]) / 1e6);
  say(`at rest ${when}: of a core, %`, (processorMs([pid]) - before) / REST_MS * 100);
}

async function ready(k: Kubectl): Promise<number> {
  const { items } = await k.json("get pods -l app=bench");
  const isReady = ({ status }: Loose) =>
    status.conditions?.some((c: Loose) => c.type === "Ready" && c.status === "True");
  return items.filter(isReady).length;
}

const pod = (i: number): Loose => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: `bench-${i}`, labels: { app: "bench" } },
  spec: {
    nodeName: NODE,
    terminationGracePeriodSeconds: 1,
    containers: [{ name: "main", image: "docker.io/library/busybox:1.35", command: ["sleep", "100000"] }],
  },
});

function say(what: string, figure: number): void {
  console.log(`${what.padEnd(56)} ${figure >= 100 ? Math.round(figure) : figure.toPrecision(2)}`);
}

if (import.meta.main) await bench();
