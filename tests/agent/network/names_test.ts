import assert from "node:assert/strict";
import { hasHostsFile, hostsFileFor, writeHostsFile } from "../../../agent/network/hosts_file.ts";
import { kernelHostname, podName } from "../../../agent/network/hostname.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { podOf } from "../volumes/_fixture.ts";

const name = (spec: Parameters<typeof podOf>[1], pod = "p") => {
  const made = podOf("u", spec);
  made.metadata!.name = pod;
  return podName(made, "cluster.local");
};

Deno.test("a pod is called as it says, in at most 63 characters", () => {
  assert.deepEqual(name({}), { hostname: "p", domain: "" });
  assert.deepEqual(name({ hostname: "h", subdomain: "s" }), { hostname: "h", domain: "s.default.svc.cluster.local" });
  assert.deepEqual(name({ hostname: "h", subdomain: "s", hostnameOverride: "o.example" }), {
    hostname: "o.example",
    domain: "",
  });
  assert.equal(name({}, `${"x".repeat(62)}-.abc`).hostname, "x".repeat(62));
  assert.throws(() => name({ hostname: "A.b" }), /^Error: pod Hostname "A.b" is not a valid DNS label: /);
  assert.throws(() => name({ subdomain: "_" }), /^Error: pod Subdomain "_" is not a valid DNS label: /);
});

Deno.test("the kernel is told the whole name if the pod wants it so", () => {
  const pod = podOf("u", { setHostnameAsFQDN: true });
  assert.equal(kernelHostname(pod, { hostname: "h", domain: "" }), "h");
  assert.equal(kernelHostname(pod, { hostname: "h", domain: "s.d" }), "h.s.d");
  assert.equal(kernelHostname(podOf("u", {}), { hostname: "h", domain: "s.d" }), "h");
  assert.throws(() => kernelHostname(pod, { hostname: "h", domain: "d".repeat(63) }), {
    message: `failed to construct FQDN from pod hostname and cluster domain, FQDN h.${
      "d".repeat(63)
    } is too long (64 characters is the max, 65 characters requested)`,
  });
});

Deno.test("the hosts file names the pod's addresses and aliases", () => {
  const hostAliases = [{ ip: "192.0.2.9", hostnames: ["a", "b"] }];
  const pod = podOf("u", { hostAliases });
  const facts = { hostname: "h", domain: "s.d", podIPs: ["10.1.2.3", "2001:db8::5"], host: "127.0.0.1 box\n" };
  const head = "# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n" +
    "fe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n";
  const aliases = "\n# Entries added by HostAliases.\n192.0.2.9\ta\tb\n";
  assert.equal(hostsFileFor(pod, facts), `${head}10.1.2.3\th.s.d\th\n2001:db8::5\th.s.d\th\n${aliases}`);
  assert.equal(hostsFileFor(podOf("u", {}), { ...facts, domain: "", podIPs: ["10.1.2.3"] }), `${head}10.1.2.3\th\n`);
  pod.spec!.hostNetwork = true;
  assert.equal(
    hostsFileFor(pod, facts),
    `# Kubernetes-managed hosts file (host network).\n127.0.0.1 box\n${aliases}`,
  );
  assert.deepEqual([hasHostsFile(podOf("u", {}), []), hasHostsFile(pod, [])], [false, true]);
});

Deno.test("the hosts file is written where it lies", () =>
  withDirectory(async (dir) => {
    const path = `${dir}/etc-hosts`, facts = { hostname: "h", domain: "", podIPs: ["10.1.2.3"] };
    await writeHostsFile(path, podOf("u", {}), facts);
    const { ino, mode } = Deno.statSync(path);
    await writeHostsFile(path, podOf("u", {}), { ...facts, podIPs: ["10.1.2.4"] });
    assert.equal(Deno.statSync(path).ino, ino);
    assert.equal(mode! & 0o777, 0o644);
    assert.match(Deno.readTextFileSync(path), /10\.1\.2\.4\th\n$/);
  }));

Deno.test("a container that looks while its hosts file is written finds all of it", () =>
  withDirectory(async (dir) => {
    const path = `${dir}/etc-hosts`, facts = { hostname: "h", domain: "", podIPs: ["10.1.2.3"] };
    const write = () => writeHostsFile(path, podOf("u", {}), facts);
    await write();
    const reader = new Worker(new URL("_reader.ts", import.meta.url), { type: "module" });
    const read = Promise.withResolvers<number[]>();
    reader.onmessage = ({ data }) => read.resolve(data);
    reader.postMessage(path);
    let isRead = false;
    read.promise.then(() => isRead = true);
    while (!isRead) await write();
    assert.deepEqual(await read.promise, [Deno.statSync(path).size]);
    reader.terminate();
  }));
