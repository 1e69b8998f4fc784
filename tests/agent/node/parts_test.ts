import assert from "node:assert/strict";
import { versionText } from "../../../agent/node/runtime_state.ts";
import { addressesOf, hostIpsOf } from "../../../agent/node/addresses.ts";
import { checkedReservation, hardEviction, nodeAmounts } from "../../../agent/node/capacity.ts";
import { hostNetwork, parseNodeIps } from "../../../agent/node/host_network.ts";
import { hostnameOf, identityOf, inUserNamespace } from "../../../agent/node/identity.ts";
import { annotationsOf } from "../../../agent/node/labels.ts";
import { keepLease } from "../../../agent/node/lease.ts";
import { hasChanged, statusPatch } from "../../../agent/node/patch.ts";
import { initialNode } from "../../../agent/node/registration.ts";
import { RuntimeState } from "../../../agent/node/runtime_state.ts";
import { type Api, ApiError, type Clock } from "../../../agent/types.ts";
import type { LogLine } from "../../../schema/log/log.ts";
import { productOf } from "../../../schema/product.ts";
import { hostWith, MACHINE } from "./_node.ts";

const PRODUCT = productOf("kubernetes");

Deno.test("addresses follow --node-ip, the host's name and the default route", async () => {
  const host = hostWith("192.0.2.7", "fd00::7", "192.0.2.8");
  const named = { ...host, lookup: async () => ["127.0.1.1", "192.0.2.8"] };
  const of = async (
    nodeIp: string,
    o: { hostname?: string; external?: boolean; before?: string[] } = {},
    on = host,
  ) => {
    const terms = { hostname: o.hostname ?? "n", nodeIps: parseNodeIps(nodeIp), external: o.external ?? false };
    const before = (o.before ?? []).map((address) => ({ type: "InternalIP", address }));
    return (await addressesOf(terms, before, on)).map((a) => a.address).join(" ");
  };
  assert.equal(await of(""), "192.0.2.7 n");
  assert.equal(await of("::"), "fd00::7 n");
  assert.equal(await of("0.0.0.0"), "192.0.2.7 n");
  assert.equal(await of("192.0.2.8"), "192.0.2.8 n");
  assert.equal(await of("192.0.2.8,fd00::7"), "192.0.2.8 fd00::7 n");
  assert.equal(await of("", { hostname: "192.0.2.44" }), "192.0.2.44 192.0.2.44");
  assert.equal(await of("", {}, named), "192.0.2.8 n");
  assert.equal(await of("", { external: true }), "n");
  assert.equal(await of("", { external: true, before: ["192.0.2.66"] }), "192.0.2.66");
  assert.equal(await of("::", { external: true }), "fd00::7 n");
  await assert.rejects(of("192.0.2.9"), /failed to validate nodeIP: node IP: "192.0.2.9" not found in the host's/);
  await assert.rejects(of("127.0.0.1"), /nodeIP can't be loopback address/);
  await assert.rejects(of("", {}, hostWith()), /can't get ip address of node n/);
  assert.throws(() => parseNodeIps("192.0.2.1,192.0.2.2"), /dual-stack pair/);
  assert.throws(() => parseNodeIps("0.0.0.0,fd00::1"), /cannot include/);
  const nodes = ["10.0.0.1", "10.0.0.2", "fd00::1"].map((address) => ({ type: "InternalIP", address }));
  assert.deepEqual(hostIpsOf({ status: { addresses: nodes } }), ["10.0.0.1", "fd00::1"]);
});

Deno.test("default routes are read from the kernel's tables", async () => {
  const proc = Deno.makeTempDirSync();
  try {
    Deno.mkdirSync(`${proc}/net`);
    const v4 = "Iface\tDestination\tGateway\neth0\t000200C0\t00000000\neth1\t00000000\t010200C0\n";
    const zero = "0".repeat(32);
    const v6 = [
      `${zero} 00 ${zero} 00 ${zero} f 1 0 2 lo`,
      `${zero} 00 ${zero} 00 ${"fd".padEnd(32, "0")} 4 2 0 3 eth2`,
    ];
    Deno.writeTextFileSync(`${proc}/net/route`, v4);
    Deno.writeTextFileSync(`${proc}/net/ipv6_route`, v6.join("\n"));
    const network = hostNetwork(proc);
    assert.deepEqual([await network.defaultInterfaces(4), await network.defaultInterfaces(6)], [["eth1"], ["eth2"]]);
    assert.deepEqual(await hostNetwork("/nowhere").defaultInterfaces(4), []);
  } finally {
    Deno.removeSync(proc, { recursive: true });
  }
});

Deno.test("what pods may have is what there is, less what is reserved", () => {
  const options = {
    maxPods: 110,
    podsPerCore: 10,
    orchReserved: { cpu: "100m", memory: "1Gi" },
    systemReserved: { cpu: "250m", memory: "500Mi", "ephemeral-storage": "1Gi" },
    reservedCpus: "",
    evictionHard: { "memory.available": "100Mi", "nodefs.available": "10%", "imagefs.available": "15%" },
  };
  const machine = { ...MACHINE, hugePages: [{ size: 2 * 1024 ** 2, count: 512 }] };
  const { capacity, allocatable } = nodeAmounts(machine, 100_000_000_000, options);
  const both = (name: string) => [capacity[name], allocatable[name]];
  assert.deepEqual(both("cpu"), ["2", "1650m"]);
  assert.deepEqual(both("memory"), ["8Gi", "5544Mi"]);
  assert.deepEqual(both("pods"), ["20", "20"]);
  assert.deepEqual(both("ephemeral-storage"), ["100G", "88926258027"]);
  assert.deepEqual(both("hugepages-2Mi"), ["1Gi", "1Gi"]);
  assert.equal(capacity["pid"], undefined);
  const pinned = nodeAmounts(machine, undefined, { ...options, podsPerCore: 0, reservedCpus: "0" });
  assert.deepEqual([pinned.allocatable["cpu"], pinned.allocatable["pods"]], ["1", "110"]);
  assert.equal(pinned.capacity["ephemeral-storage"], undefined);
  const greedy = nodeAmounts(machine, undefined, { ...options, systemReserved: { cpu: "3" } });
  assert.throws(
    () => checkedReservation(machine, { ...options, systemReserved: { cpu: "3" } }),
    /^Error: invalid Node Allocatable configuration\. Resource "cpu" has a reservation of \S+ but capacity of 2\. /,
  );
  checkedReservation(machine, { ...options, systemReserved: {} });
  assert.equal(greedy.allocatable["cpu"], "0");
  assert.equal(hardEviction({ "memory.available": "5%" }, new Map()).get("memory")?.toString(), "0");
});

Deno.test("of a runtime's version the node tells what is one", () => {
  const rows: Readonly<Record<string, string | undefined>> = {
    "1.6.20~ds1": "1.6.20",
    "v2.0.0-rc.1+x.y": "2.0.0-rc.1+x.y",
    "1.36": "1.36",
    "1.02.3_4": "1.2.3",
    "0.1.0": "0.1.0",
    "1": undefined,
    "x1.2": undefined,
  };
  for (const [version, text] of Object.entries(rows)) assert.equal(versionText(version), text, version);
});

Deno.test("a host says who it is by its files", async () => {
  const root = `${Deno.makeTempDirSync()}/`;
  try {
    const none = { machineID: "", systemUUID: "", bootID: "", kernelVersion: "", osImage: "Linux" };
    assert.deepEqual(await identityOf(root), none);
    const write = (path: string, text: string) => {
      Deno.mkdirSync(root + path.replace(/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(root + path, text);
    };
    write("var/lib/dbus/machine-id", "m1\n");
    write("etc/machine-id", "m2\n");
    assert.equal((await identityOf(root)).systemUUID, "m2");
    Deno.removeSync(`${root}etc`, { recursive: true });
    write("sys/class/dmi/id/product_uuid", "U1\n");
    write("proc/sys/kernel/random/boot_id", "b1\n");
    write("proc/sys/kernel/osrelease", "6.1.0\n");
    write("usr/lib/os-release", 'NAME="X"\nPRETTY_NAME="X 1"\n');
    const told = { machineID: "m1", systemUUID: "U1", bootID: "b1", kernelVersion: "6.1.0", osImage: "X 1" };
    assert.deepEqual(await identityOf(root), told);
    assert.equal(await inUserNamespace(root), false);
    write("proc/self/uid_map", "         0          0 4294967295\n");
    assert.equal(await inUserNamespace(root), false);
    write("proc/self/uid_map", "         0       1000          1\n         1     100000      65536\n");
    assert.equal(await inUserNamespace(root), true);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
  assert.equal(hostnameOf(" Node.A "), "node.a");
  assert.throws(() => hostnameOf(" "), /empty hostname/);
});

Deno.test("an external provider gets a taint and the address that was given", () => {
  const o = {
    nodeLabels: {},
    registerWithTaints: [],
    providerId: "",
    cloudProvider: "external",
    enableControllerAttachDetach: false,
  };
  const node = initialNode({ product: PRODUCT, name: "n", nodeIps: parseNodeIps("192.0.2.7,fd00::7") }, o);
  const key = "node.cloudprovider.kubernetes.io/uninitialized";
  assert.deepEqual(node.spec, { taints: [{ key, value: "true", effect: "NoSchedule" }] });
  assert.deepEqual(node.metadata?.annotations, { "alpha.kubernetes.io/provided-node-ip": "192.0.2.7,fd00::7" });
  const terms = { attachDetach: false, external: false, nodeIps: parseNodeIps("192.0.2.7") };
  assert.deepEqual(annotationsOf(PRODUCT, { ...node.metadata?.annotations, x: "y" }, terms), { x: "y" });
});

Deno.test("a patch tells what differs, and heartbeats alone are no change", () => {
  const ready = (lastHeartbeatTime: string, status = "True") => ({ type: "Ready", status, lastHeartbeatTime });
  const before = {
    metadata: { labels: { a: "1", b: "2" } },
    status: {
      capacity: { cpu: "2", gone: "1" },
      conditions: [{ type: "Other", status: "True" }, ready("t1")],
      addresses: [{ type: "InternalIP", address: "192.0.2.1" }],
      images: [],
    },
  };
  const same = { ...before, status: { ...before.status, conditions: [ready("t2"), before.status.conditions[0]!] } };
  assert.equal(hasChanged(before, same), false);
  assert.deepEqual(statusPatch(before, same), { status: { conditions: [ready("t2")] } });
  const after = {
    metadata: { labels: { a: "9" } },
    status: {
      ...before.status,
      capacity: { cpu: "4" },
      conditions: [ready("t2", "False")],
      addresses: [{ type: "InternalIP", address: "192.0.2.2" }],
    },
  };
  assert.equal(hasChanged(before, after), true);
  assert.deepEqual(statusPatch(before, after), {
    metadata: { labels: { a: "9", b: null } },
    status: {
      capacity: { cpu: "4", gone: null },
      conditions: [ready("t2", "False")],
      addresses: [{ type: "InternalIP", address: "192.0.2.2" }, { $patch: "replace" }],
    },
  });
});

Deno.test("a runtime is down when it was not ready for half a minute", async () => {
  let now = 0, answers = true;
  const conditions = [{ type: "RuntimeReady", status: true, reason: "", message: "" }];
  const status = async () => {
    if (!answers) throw new Error("gone");
    return { conditions, handlers: [] };
  };
  const version = () => Promise.reject(new Error("gone"));
  const said: string[] = [];
  const log: LogLine = (_level, text, detail) => said.push(`${text}: ${detail}`);
  const state = new RuntimeState({ status, version }, { ticks: () => now }, log);
  assert.deepEqual(state.faults(), [
    "container runtime status check may not have completed yet",
    "network state unknown",
  ]);
  await state.refresh();
  assert.deepEqual(state.faults(), ["container runtime network not ready: <nil>"]);
  answers = false;
  now = 29_999;
  await state.refresh();
  assert.deepEqual(state.runtimeFaults(), []);
  now++;
  assert.deepEqual(state.runtimeFaults(), ["container runtime is down"]);
  await state.refresh();
  assert.deepEqual(said, ["the container runtime does not tell its status: gone"], "once, until it answers");
  for (answers of [true, false]) await state.refresh();
  assert.equal(said.length, 2);
});

Deno.test("a server of the other dialect is told as one, a node without a lease as such", async () => {
  const saidOf = async (reason: string) => {
    const over = new AbortController(), said: unknown[] = [];
    const request = () => Promise.reject(new ApiError(404, reason, "404 page not found"));
    await keepLease({
      api: { request } as unknown as Api,
      product: productOf("kubernetes"),
      nodeName: "a",
      nodeLeaseDurationSeconds: 40,
      nodeUid: () => "1",
      repeated: () => {},
      clock: { now: Date.now, ticks: () => 0, wait: async () => over.abort() } as Clock,
      random: (bytes) => new Uint8Array(bytes),
      log: (_level, _text, detail) => said.push(detail),
    }, over.signal);
    return said;
  };
  assert.deepEqual(await saidOf(""), [
    "the server serves no group coordination.k8s.io: has it another --api-dialect?",
  ]);
  assert.deepEqual(await saidOf("NotFound"), ["404 page not found"]);
});
