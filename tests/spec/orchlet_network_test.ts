/** Options of the node agent about names and addresses of pods, by their rows. */
import assert from "node:assert/strict";
import type { PodSpec } from "../../schema/api/core_v1.ts";
import { CLOCK } from "../../agent/clock.ts";
import { keepUtilChains } from "../../agent/network/util_chains.ts";
import type { PodSandboxConfig } from "../../agent/runtime/types.ts";
import { until } from "../listen/_fixture.ts";
import { accepted, onHost, withHost } from "./_host.ts";
import { faultsOf, optionsOf, withFront } from "./_orchlet.ts";
import { MERGE, ok, patchOf, spec } from "./_spec.ts";

/** What the sandbox of a pod is made of. */
async function sandboxOf(
  flags: readonly string[] | ((host: string) => readonly string[]),
  pod: Partial<PodSpec>,
): Promise<PodSandboxConfig> {
  let config: PodSandboxConfig | undefined;
  await withHost(flags, async ({ running, memory }) => {
    await running("a");
    config = memory.sandboxes[0]!.config;
  }, { pods: { a: pod } });
  return config!;
}

const FIRST = { dnsPolicy: "ClusterFirst" } as const;
const DNS = ["--cluster-dns=10.0.0.10,10.0.0.11", "--cluster-domain=own.test"];

spec(
  "Node agent options",
  onHost({
    "--cluster-dns": async () => {
      assert.deepEqual((await sandboxOf(DNS, FIRST)).dnsConfig!.servers, ["10.0.0.10", "10.0.0.11"]);
      const host = (await sandboxOf([], { dnsPolicy: "Default" })).dnsConfig!.servers;
      assert.deepEqual((await sandboxOf([], FIRST)).dnsConfig!.servers, host);
      assert.match(faultsOf("--cluster-dns=dns.test"), /cluster-dns/);
    },
    "--cluster-domain": async () => {
      const { dnsConfig } = await sandboxOf(DNS, FIRST);
      const own = ["default.svc.own.test", "svc.own.test", "own.test"];
      assert.deepEqual(dnsConfig!.searches.slice(0, 3), own);
      const subdomain = { ...FIRST, hostname: "h", subdomain: "s", setHostnameAsFQDN: true };
      assert.equal((await sandboxOf(DNS, subdomain)).hostname, "h.s.default.svc.own.test");
    },
    "--resolv-conf": async () => {
      const own = (host: string) => {
        Deno.writeTextFileSync(`${host}/resolv.conf`, "nameserver 192.0.2.53\nsearch lan.test\noptions ndots:2\n");
        return [`--resolv-conf=${host}/resolv.conf`];
      };
      const pod = { dnsPolicy: "Default" } as const;
      assert.deepEqual((await sandboxOf(own, pod)).dnsConfig, {
        servers: ["192.0.2.53"],
        searches: ["lan.test"],
        options: ["ndots:2"],
      });
      assert.deepEqual((await sandboxOf(["--resolv-conf="], pod)).dnsConfig!.searches, ["."]);
      assert.equal(optionsOf().resolvConf, "/etc/resolv.conf");
    },
    "--hairpin-mode": () => {
      accepted("--hairpin-mode=hairpin-veth");
      assert.match(faultsOf("--hairpin-mode=some"), /hairpin-mode/);
      return Promise.resolve();
    },
    "--make-iptables-util-chains": async () => {
      for (const flags of [[], ["--make-iptables-util-chains=false"]]) {
        const life = new AbortController(), made: string[] = [];
        const run = (command: string, args: readonly string[]) => {
          if (args.includes("-N")) made.push(`${command} ${args[args.indexOf("-N") + 1]}`);
          if (made.includes("ip6tables KUBE-KUBELET-CANARY")) life.abort();
          return Promise.resolve("");
        };
        await keepUtilChains(optionsOf(...flags), { run, clock: CLOCK, say: assert.fail }, life.signal);
        assert.equal(made.includes("iptables KUBE-FIREWALL"), flags.length === 0);
        assert.equal(made.includes("ip6tables KUBE-IPTABLES-HINT"), flags.length === 0);
      }
    },
    "--pod-cidr": async () => {
      const flag = "--pod-cidr=10.9.0.0/24";
      await withHost([flag], async ({ memory }) => {
        await until("the runtime is told", () => memory.ranges.length > 0);
        assert.deepEqual(memory.ranges, ["10.9.0.0/24"]);
      });
      await withFront(["--api-dialect=kubernetes"], async (front) => {
        await withHost([flag], async ({ node, memory }) => {
          await node();
          const given = patchOf(MERGE, { spec: { podCIDR: "10.8.0.0/24", podCIDRs: ["10.8.0.0/24"] } });
          await ok(front.t, "/api/v1/nodes/localhost", given);
          await until("the runtime is told", () => memory.ranges.length > 0);
          assert.deepEqual(memory.ranges, ["10.8.0.0/24"]);
        }, { front });
      });
    },
  }),
);
