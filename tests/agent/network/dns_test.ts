import assert from "node:assert/strict";
import type { PodSpec } from "../../../schema/api/core_v1.ts";
import { dnsFor, type DnsOptions, PodDns, resolverFault } from "../../../agent/network/dns.ts";
import { parseResolvConf } from "../../../agent/network/resolv_conf.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { listedEvents, podOf } from "../volumes/_fixture.ts";

const OPTIONS: DnsOptions = {
  clusterDns: ["10.0.0.10"],
  clusterDomain: "cluster.local",
  resolvConf: "/etc/resolv.conf",
};
const HOST = parseResolvConf(
  "# of the host\nnameserver 192.0.2.53\nnameserver 2001:db8::53\nsearch old.example\nsearch example.com. lan .\noptions ndots:2 rotate\noptions ndots:3\n",
);
const of = (spec: Partial<PodSpec>, options: Partial<DnsOptions> = {}, nodeIPs: readonly string[] = []) =>
  dnsFor(podOf("u", spec), { ...OPTIONS, ...options }, { resolver: HOST, nodeIPs });

Deno.test("a resolver file is read line by line, the last search and option counting", () => {
  assert.deepEqual(HOST, {
    servers: ["192.0.2.53", "2001:db8::53"],
    searches: ["example.com", "lan"],
    options: ["ndots:3", "rotate"],
  });
  assert.throws(() => parseResolvConf("nameserver\n"), { message: "nameserver list is empty " });
});

Deno.test("a pod's policy chooses between the cluster, the host and nothing", () => {
  const cluster = {
    servers: ["10.0.0.10"],
    searches: ["default.svc.cluster.local", "svc.cluster.local", "cluster.local", "example.com", "lan"],
    options: ["ndots:5"],
  };
  assert.deepEqual(of({ dnsPolicy: "ClusterFirst" }).config, cluster);
  assert.deepEqual(of({ dnsPolicy: "ClusterFirst", hostNetwork: true }).config, HOST);
  assert.deepEqual(of({ dnsPolicy: "ClusterFirstWithHostNet", hostNetwork: true }).config, cluster);
  assert.deepEqual(of({ dnsPolicy: "Default" }).config, HOST);
  assert.deepEqual(of({ dnsPolicy: "None", dnsConfig: { nameservers: ["1.1.1.1"] } }).config, {
    servers: ["1.1.1.1"],
    searches: [],
    options: [],
  });
  const dnsConfig = {
    nameservers: ["10.0.0.10", "1.1.1.1"],
    searches: ["lan", "my.own"],
    options: [{ name: "ndots", value: "1" }, { name: "edns0" }],
  };
  assert.deepEqual(of({ dnsPolicy: "ClusterFirst", dnsConfig }).config, {
    servers: ["10.0.0.10", "1.1.1.1"],
    searches: [...cluster.searches, "my.own"],
    options: ["ndots:1", "edns0"],
  });
  assert.deepEqual(of({ dnsPolicy: "Default" }, { resolvConf: "" }, ["192.0.2.1", "2001:db8::1"]).config, {
    servers: ["127.0.0.1", "::1"],
    searches: ["."],
    options: [],
  });
});

Deno.test("without servers of the cluster the host's are used, and it is told", () => {
  const { config, warnings } = of({ dnsPolicy: "ClusterFirst" }, { clusterDns: [] });
  assert.deepEqual(config, HOST);
  assert.deepEqual(warnings.map((w) => `${w.about} ${w.reason}`), ["node MissingClusterDNS", "pod MissingClusterDNS"]);
  assert.match(warnings[1]!.message, /^pod: "p_default\(u\)"\. kubelet does not have ClusterDNS IP configured/);
});

Deno.test("what resolvers cannot take is left out, and it is told", () => {
  const many = (n: number, length: number) =>
    Array.from({ length: n }, (_, i) => `${i}`.padStart(2, "0").padEnd(length, "x"));
  const cut = (searches: string[], nameservers: string[] = []) => {
    const { config, warnings } = of({ dnsPolicy: "None", dnsConfig: { searches, nameservers } });
    return [config.servers.length, config.searches.length, warnings.map((w) => w.message.slice(0, 6))];
  };
  assert.deepEqual(cut(many(32, 20), many(3, 4)), [3, 32, []]);
  assert.deepEqual(cut(many(33, 20), many(4, 4)), [3, 32, ["Namese", "Search"]]);
  assert.deepEqual(cut(["a", "x".repeat(254)]), [0, 1, ["Search"]]);
  assert.deepEqual(cut(many(10, 250)), [0, 8, ["Search"]]);
});

Deno.test("the host's own file is checked at the start", () =>
  withDirectory(async (dir) => {
    const path = `${dir}/resolv.conf`;
    const searches = Array.from({ length: 30 }, (_, i) => `s${i}`);
    Deno.writeTextFileSync(path, `search ${searches.join(" ")}\n`);
    const events = listedEvents();
    await new PodDns({ ...OPTIONS, resolvConf: path }, events, () => []).checkHost();
    assert.deepEqual(events.said, [
      `Warning CheckLimitsForResolvConf: Resolv.conf file '${path}' contains search line consisting of more than 29 domains!`,
    ]);
    assert.equal(
      resolverFault(parseResolvConf(Deno.readTextFileSync(path)), { ...OPTIONS, clusterDomain: "" }),
      undefined,
    );
    const dns = new PodDns({ ...OPTIONS, resolvConf: `${dir}/none` }, events, () => []);
    await assert.rejects(dns.of(podOf("u", { dnsPolicy: "ClusterFirst" })), /resolv conf file/);
  }));
