import assert from "node:assert/strict";
import { device, ill } from "../../fixture/device_plugin.ts";
import { mountsMissing, unmountBelow } from "../../fixture/mounts.ts";
import { until } from "../../listen/_fixture.ts";
import { asking, podWith, RESOURCE, Room } from "./_room.ts";

Deno.test("devices: plugins are counted, their devices given, kept over a restart and a damaged end, gone after the grace", async () => {
  await using room = await new Room().start();
  const mounts = [{ containerPath: "/lib/dev", hostPath: "/tmp", readOnly: true }];
  const plugin = room.plugin({
    allocation: { mounts, annotations: { "example.com/a": "1" }, cdiDevices: [{ name: "example.com/dev=x" }] },
  });
  await plugin.tell(device("a"), device("b"), ill("z"));
  await until("it is counted", () => room.amounts() === "3 2");
  const pod = podWith("one", [asking(1)]);
  await room.give(pod);
  assert.deepEqual(room.ids("one"), ["a"]);
  const given = {
    envs: [{ key: "DEVICES", value: "a" }],
    mounts: [{ containerPath: "/lib/dev", hostPath: "/tmp", readonly: true }],
    devices: [],
    annotations: { "example.com/a": "1" },
    cdiDevices: [{ name: "example.com/dev=x" }],
  };
  assert.deepEqual(await room.devices.of(pod, pod.spec!.containers![0]!), given);
  await assert.rejects(
    room.give(podWith("greedy", [asking(2)])),
    /^Error: requested number of devices unavailable for example.com\/dev. Requested: 2, Available: 1$/,
  );

  await plugin.tell(ill("a"), device("b"), device("z"));
  await until("it is told", () => room.changed.includes("one"));
  assert.deepEqual(room.devices.health("one", "c"), [
    { name: RESOURCE, resources: [{ resourceID: "a", health: "Unhealthy" }] },
  ]);
  await assert.rejects(room.give(pod), /previously allocated devices are no longer healthy; cannot allocate/);

  await room.stop();
  await room.start();
  assert.deepEqual(room.ids("one"), ["a"]);
  assert.deepEqual(await room.devices.of(pod, pod.spec!.containers![0]!), given);
  await assert.rejects(room.give(podWith("early", [asking(1)])), /no healthy devices present; cannot allocate/);
  const node = { status: { allocatable: { [RESOURCE]: "0" } } };
  assert.equal(room.devices.seenBy(pod, node).status!.allocatable![RESOURCE], "1");
  assert.equal(room.devices.seenBy(podWith("other", []), node), node);
  await until("the plugin comes again", () => room.amounts() === "3 2");
  await until("it was told so", () => plugin.of("registered").join() === ",");

  await room.end(plugin);
  await until("it is gone", () => room.amounts() === "3 0");
  room.clock.pass(5 * 60_000 - 10_000);
  assert.equal(room.amounts(), "3 0");
  room.clock.pass(20_000);
  assert.equal(room.amounts(), "0 0");
  await assert.rejects(room.give(pod), /cannot allocate unregistered device example.com\/dev/);
  room.pods = [];
  room.devices.giver.release();
  assert.deepEqual(room.ids("one"), []);
  assert.match(
    await room.metrics.metrics(),
    /kubelet_device_plugin_registration_total\{resource_name="example.com\/dev"\} 1/,
  );
});

Deno.test("devices: init containers' are had again, sidecars keep theirs, what the plugin likes comes first, near ones before", async () => {
  await using room = await new Room().start();
  const plugin = room.plugin({ preferred: true, preStart: true });
  await plugin.tell(...["a", "b", "c", "d", "e"].map((id) => device(id)));
  await until("it is counted", () => room.amounts() === "5 5");
  const pod = podWith("p", [asking(2)], [
    asking(1, "first"),
    asking(1, "beside", { restartPolicy: "Always" }),
    asking(2, "second"),
  ]);
  await room.give(pod);
  assert.deepEqual(["first", "beside", "second", "c"].map((name) => room.ids("p", name)), [
    ["e"],
    // As the public agent does: what a sidecar has of one before it is lost to others.
    ["e"],
    ["c", "d"],
    ["c", "d"],
  ]);
  await room.devices.of(pod, pod.spec!.containers![0]!);
  assert.deepEqual(plugin.of("preStart").map((told) => (told as { ids: string[] }).ids.toSorted()), [["c", "d"]]);
  room.pods = [];

  await plugin.tell(device("a", 0), device("b", 1), device("c", 1), device("d", 0, 1), device("e"));
  await until("they lie somewhere", () => room.devices.registry.stock(RESOURCE)!.isPlaced);
  const wide = podWith("wide", [asking(3)]);
  assert.deepEqual([...room.devices.giver.hints(wide, wide.spec!.containers![0]!)!.values()], [[
    { nodes: [1], preferred: true },
    { nodes: [0, 1], preferred: false },
  ]]);
  await room.give(wide);
  assert.deepEqual(room.ids("wide"), ["b", "c", "d"]);
  assert.deepEqual([...room.devices.given("wide", "c").get(RESOURCE)!.byNode.keys()].sort(), [0, 1]);
  assert.deepEqual(room.devices.giver.podHints(podWith("more", [asking(3)]))!.get(RESOURCE), []);
});

Deno.test("devices: what is wrong with a plugin is told", async () => {
  await using room = await new Room().start();
  const wrong: [Parameters<Room["plugin"]>[0], string][] = [
    [{ version: "v1" }, 'requested API version "v1" is not supported by kubelet. Supported version is ["v1beta1"]'],
    [{ resource: "cpu" }, 'the ResourceName "cpu" is invalid'],
    [{ resource: "kubernetes.io/dev" }, 'the ResourceName "kubernetes.io/dev" is invalid'],
  ];
  await Promise.all(wrong.map(async ([options, expected], i) => {
    const plugin = room.plugin({ endpoint: `${i}.sock`, ...options });
    await plugin.tell(device("a"));
    await until("it is answered", () => plugin.of("registered").length > 0);
    assert.equal(plugin.of("registered")[0], expected);
  }));
  const { handler } = room.devices, socket = `${room.plugins}/example.sock`;
  assert.throws(
    () => handler.validate({ name: "cpu", endpoint: socket, versions: ["v1beta1"] }),
    /^Error: invalid name of device plugin socket: the ResourceName "cpu" is invalid$/,
  );
  assert.throws(
    () => handler.validate({ name: RESOURCE, endpoint: socket, versions: ["v1"] }),
    /manager version, v1beta1, is not among plugin supported versions \[v1\]/,
  );
  const refusing = room.plugin({ refuses: "not today" });
  await refusing.tell(device("a"));
  await until("it is counted", () => room.amounts() === "1 1");
  await assert.rejects(
    room.give(podWith("p", [asking(1)])),
    /^Error: rpc error: code = Unknown desc = not today$/,
  );
  assert.deepEqual(room.ids("p"), []);
  const plugin = { name: RESOURCE, endpoint: socket, versions: ["v1beta1"] };
  await assert.rejects(handler.register(plugin, AbortSignal.timeout(60_000)), /already connected/);
  await handler.deregister(plugin);
  await until("it is gone", () => room.amounts() === "1 0");
  await handler.register(plugin, AbortSignal.timeout(60_000));
  await until("it is back", () => room.amounts() === "1 1");
});

Deno.test("devices: the agent starts while plugins take their sockets away", async () => {
  await using room = new Room();
  Deno.mkdirSync(room.plugins);
  const listeners = Array.from({ length: 200 }, (_, i) => {
    return Deno.listen({ transport: "unix", path: `${room.plugins}/${i}` });
  });
  const names = [...Deno.readDirSync(room.plugins)].map(({ name }) => name).reverse();
  const taking = async () => {
    for (const name of names) await Deno.remove(`${room.plugins}/${name}`).catch(() => {});
  };
  await Promise.all([room.start(), taking()]);
  for (const listener of listeners) listener.close();
});

Deno.test({
  name: "devices: what earlier plugins have left and cannot be removed is named",
  ignore: mountsMissing() !== undefined, // root, and mounts
}, async () => {
  await using room = new Room();
  await Deno.mkdir(room.plugins);
  using _ = Deno.listen({ transport: "unix", path: `${room.plugins}/left.sock` });
  for (const how of [["--bind", room.plugins], ["-o", "remount,ro,bind"]]) {
    assert.ok(new Deno.Command("mount", { args: [...how, room.plugins] }).outputSync().success);
  }
  try {
    await assert.rejects(room.start(), { message: `cannot remove "${room.plugins}/left.sock": read-only file system` });
  } finally {
    unmountBelow(room.plugins);
  }
});
