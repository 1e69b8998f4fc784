/**
 * What admission costs: the whole default chain on a config map and on a pod, and the rate of creating pods with it and without.
 *
 *     deno run -A scripts/bench/admission.ts [rounds]
 *
 * Times are of this process's processor; run on a quiet machine.
 */
import { buildAdmission } from "../../server/admission/build.ts";
import { AdmissionChain } from "../../server/admission/chain.ts";
import { resourcesOf } from "../../server/admission/resources_of.ts";
import { HookMetrics } from "../../server/admission/webhooks/metrics.ts";
import type { HookTransport } from "../../server/admission/webhooks/transport.ts";
import { AdmissionCounts } from "../../server/admission/counts.ts";
import { PluginTimes } from "../../server/admission/times.ts";
import type { Attributes } from "../../server/admission/types.ts";
import { ALWAYS_ALLOW } from "../../server/authorization/simple.ts";
import type { Obj } from "../../schema/model/types.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import { pooled } from "../../schema/values/random.ts";
import { Scheme } from "../../schema/scheme.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { pause } from "../../server/pause.ts";
import { startTestServer, type TestServer } from "../../tests/fixture/server.ts";
import { freePort } from "../../tests/fixture/free_port.ts";

const ROUNDS = Number(Deno.args[0] ?? 20_000);
const NAMESPACES = 500;
const FLAGS = ["--service-cluster-ip-range=10.0.0.0/24", "--api-dialect=kubernetes"];

async function fill(s: TestServer): Promise<void> {
  const create = async (path: string, body: unknown) => {
    const { status, text } = await s.fetch(path, { body });
    if (status !== 201) throw new Error(text);
  };
  for (let i = 0; i < NAMESPACES; i++) {
    const name = `n${i}`;
    await create("/api/v1/namespaces", {
      metadata: { name, labels: { "pod-security.kubernetes.io/enforce": "baseline" } },
    });
    await create(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: "default" } });
    if (i % 2) {
      await create(`/api/v1/namespaces/${name}/limitranges`, {
        metadata: { name: "l" },
        spec: { limits: [{ type: "Container", default: { cpu: "1" }, max: { cpu: "2" } }] },
      });
    }
  }
}

function configMap(i: number): Obj {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `m${i}`, namespace: `n${i % NAMESPACES}` } };
}

function pod(i: number): Obj {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `p${i}`, namespace: `n${i % NAMESPACES}` },
    spec: {
      containers: [
        { name: "a", image: "i", resources: { requests: { cpu: "100m" } }, volumeMounts: [] },
        { name: "b", image: "i", resources: { limits: { cpu: "1" } } },
      ],
      priorityClassName: "system-node-critical",
    },
  } as Obj;
}

function unasked(): never {
  throw new Error("not asked for");
}

/** Microseconds of both phases of one creation. */
async function chainCost(s: TestServer, id: string, make: (i: number) => Obj): Promise<number> {
  const parsed = parseOptions(FLAGS);
  if (parsed.kind !== "run") throw new Error("wrong flags");
  const { registries, catalog } = s.server;
  const chain = new AdmissionChain(
    buildAdmission(parsed.options, {
      counts: new AdmissionCounts(),
      lister: registries.lister,
      live: registries.live,
      authorizer: ALWAYS_ALLOW,
      configs: new Map(),
      now: Date.now,
      random: pooled((n) => crypto.getRandomValues(new Uint8Array(n))),
      resourcesOf: (apiVersion, kind) => resourcesOf(catalog, apiVersion, kind),
      // No policy and no webhook is there that would need them.
      kinds: { of: () => undefined, convert: (obj) => obj, read: unasked },
      hooks: {
        scheme: new Scheme(parsed.options.product),
        rules: { product: parsed.options.product, gate: () => false, now: Date.now } as unknown as RuleContext,
        metrics: new HookMetrics(),
        sharing: (resource) => [resource],
        transport: () => ({ close() {}, post: unasked }) as HookTransport,
        post: () => unasked,
      },
    }),
    new PluginTimes(Date.now),
  );
  const resource = catalog.resource(id)!;
  const run = async (object: Obj) => {
    const a: Attributes = {
      operation: "CREATE",
      resource,
      version: "v1",
      subresource: "",
      namespace: object.metadata.namespace!,
      name: object.metadata.name!,
      object,
      oldObject: undefined,
      options: {},
      user: { name: "u", groups: [] },
      dryRun: false,
      warn: () => {},
      annotate: () => {},
      signal: new AbortController().signal,
    };
    const first = chain.admit(a);
    if (first) await first;
    const second = chain.validate(a);
    if (second) await second;
  };
  for (let i = 0; i < ROUNDS / 4; i++) await run(make(i));
  const objects = Array.from({ length: ROUNDS }, (_, i) => make(i));
  const start = performance.now();
  for (const object of objects) await run(object);
  return (performance.now() - start) * 1000 / ROUNDS;
}

/** Two servers of their own process, one with the default chain and one without: processor time of a creation, in turns. */
async function rates(): Promise<void> {
  const variants = [await Variant.start([]), await Variant.start(["--admission-control=AlwaysAdmit"])];
  const least = [Infinity, Infinity];
  for (let round = 0; round < 6; round++) {
    for (const [i, v] of variants.entries()) least[i] = Math.min(least[i]!, await v.cost(round));
  }
  const [a, b] = least as [number, number];
  console.log(
    `creating a pod, default chain: ${a.toFixed(0)} µs; without: ${b.toFixed(0)} µs; rate ${(b / a).toFixed(2)}`,
  );
  for (const v of variants) await v.stop();
}

const TOKEN = "bench-token";

/** A server as a process, reached without TLS. */
class Variant {
  private constructor(readonly url: string, readonly process: Deno.ChildProcess, readonly dir: string) {}

  static async start(flags: string[]): Promise<Variant> {
    const dir = await Deno.makeTempDir();
    const port = freePort();
    const args = ["run", "-A", "main.ts", `--data-dir=${dir}`, "--storage-backend=memory", "--plain-http"];
    const where = ["--bind-address=127.0.0.1", "--advertise-address=192.0.2.1", `--secure-port=${port}`];
    const root = new URL("../..", import.meta.url);
    await Deno.writeTextFile(`${dir}/tokens.csv`, `${TOKEN},bench,1,system:masters\n`);
    const who = [`--token-auth-file=${dir}/tokens.csv`, "--authorization-mode=RBAC"];
    const more = [...who, "--controllers=-*", ...FLAGS, ...flags];
    const command = new Deno.Command(Deno.execPath(), {
      args: [...args, ...where, ...more],
      cwd: root,
      stdout: "null",
      stderr: "null",
    });
    const v = new Variant(`http://127.0.0.1:${port}/api/v1/namespaces/default`, command.spawn(), dir);
    while (!await v.#post("serviceaccounts", { metadata: { name: "default" } }).catch(() => false)) {
      await pause(100);
    }
    return v;
  }

  async #post(resource: string, body: unknown): Promise<boolean> {
    const headers = { "content-type": "application/json", "authorization": `Bearer ${TOKEN}` };
    const answer = await fetch(`${this.url}/${resource}`, { method: "POST", headers, body: JSON.stringify(body) });
    await answer.body?.cancel();
    return answer.status === 201;
  }

  /** Processor time of the process, microseconds (Linux). */
  #cpu(): number {
    const fields = Deno.readTextFileSync(`/proc/${this.process.pid}/stat`).split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  }

  /** Microseconds of a creation, 32 in flight. */
  async cost(round: number): Promise<number> {
    const count = 3000, before = this.#cpu();
    let next = 0;
    const work = async () => {
      while (next < count) {
        const metadata = { name: `r${round}-${next++}` };
        if (!await this.#post("pods", { metadata, spec: { containers: [{ name: "c", image: "img" }] } })) {
          throw new Error("a pod was refused");
        }
      }
    };
    await Promise.all(Array.from({ length: 32 }, work));
    return (this.#cpu() - before) / count;
  }

  async stop(): Promise<void> {
    this.process.kill("SIGTERM");
    await this.process.status;
    await Deno.remove(this.dir, { recursive: true });
  }
}

const server = await startTestServer(["--controllers=-*", "--admission-control=AlwaysAdmit"]);
await fill(server);
for (const [what, id, make] of [["config map", "configmaps", configMap], ["pod", "pods", pod]] as const) {
  console.log(`whole default chain, ${what}: ${(await chainCost(server, id, make)).toFixed(2)} µs`);
}
await server.stop();
await rates();
