import assert from "node:assert/strict";
import { join } from "node:path";
import type { FlexVolumeSource } from "../../../schema/api/core_v1.ts";
import { mountedAt } from "../../../agent/volumes/mounts.ts";
import { podOf } from "./_fixture.ts";
import { REF, type Room, test, UID } from "./_room.ts";

const SUCCESS = `echo '{"Status":"Success"}'`;

/** Puts a driver there that does so for each command, and notes how it was called. */
function install({ dir }: Room, commands: Readonly<Record<string, string>>): string {
  const place = join(dir, "drivers/acme~disk"), calls = join(dir, "calls"), path = join(place, "disk");
  const all = { init: `echo '{"status":"Success","capabilities":{"attach":false}}'`, ...commands };
  const cases = Object.entries(all).map(([command, does]) => `${command}) ${does};;`);
  const lines = [
    "#!/bin/sh",
    `printf '%s\\n' "$*" >> ${calls}`,
    `case $1 in`,
    ...cases,
    `*) echo '{"status":"Not supported"}'; exit 1;;`,
    "esac",
  ];
  Deno.mkdirSync(place, { recursive: true });
  Deno.writeTextFileSync(`${path}.new`, lines.join("\n"), { mode: 0o755 });
  Deno.renameSync(`${path}.new`, path);
  return calls;
}

const podWith = (flexVolume: Partial<FlexVolumeSource>) =>
  podOf(UID, {
    volumes: [{ name: "v", flexVolume: { driver: "acme/disk", ...flexVolume } }],
    securityContext: { fsGroup: 77 },
    serviceAccountName: "sa",
  });

test("a driver mounts a volume by what it is told, and takes it back", async (room) => {
  const { volumes, t, dir } = room, data = join(dir, "data");
  Deno.mkdirSync(data);
  Deno.writeTextFileSync(join(data, "f"), "precious");
  const calls = install(room, {
    mount: `mount --bind ${data} "$2" && ${SUCCESS}`,
    unmount: `umount "$2" && rmdir "$2" && ${SUCCESS}`,
  });
  const made = await t.fetch("/api/v1/namespaces/default/secrets", {
    body: { metadata: { name: "s" }, type: "acme/disk", data: { key: btoa("hidden") } },
  });
  assert.equal(made.status, 201, made.text);
  const pod = podWith({
    fsType: "ext4",
    secretRef: { name: "s" },
    options: { size: "1", "kubernetes.io/pod.name": "x" },
  });
  const { path, readOnly } = (await volumes.mount(pod)).get("v")!;
  assert.deepEqual([path, readOnly], [join(dir, "pods", UID, "volumes/acme~disk/v"), false]);
  assert.equal(Deno.readTextFileSync(join(path, "f")), "precious");
  assert.equal(Deno.statSync(join(data, "f")).gid, 77);
  const part = await volumes.subPath(REF, "v", "c", 0, "f");
  await volumes.unmount(REF);
  assert.equal(await mountedAt(part), undefined);
  assert.equal(Deno.readTextFileSync(join(data, "f")), "precious");
  const said = Deno.readTextFileSync(calls).trim().split("\n");
  assert.deepEqual([said[0], said[2], said[3], said.length], ["init", "init", `unmount ${path}`, 4]);
  const [command, place, ...options] = said[1]!.split(" ");
  assert.deepEqual([command, place], ["mount", path]);
  assert.deepEqual(JSON.parse(options.join(" ")), {
    "kubernetes.io/fsType": "ext4",
    "kubernetes.io/readwrite": "rw",
    "kubernetes.io/pvOrVolumeName": "v",
    "kubernetes.io/pod.name": "x",
    "kubernetes.io/pod.namespace": "default",
    "kubernetes.io/pod.uid": UID,
    "kubernetes.io/serviceAccount.name": "sa",
    "kubernetes.io/secret/key": btoa("hidden"),
    "kubernetes.io/mounterArgs.FsGroup": "77",
    size: "1",
  });
});

test("a driver that knows no unmount, or is gone, is not needed to give a volume back", async (room) => {
  const { volumes, dir } = room, data = join(dir, "data");
  Deno.mkdirSync(data);
  const can = `echo '{"status":"Success","capabilities":{"attach":false,"fsGroup":false}}'`;
  install(room, { init: can, mount: `mount --bind ${data} "$2" && ${SUCCESS}` });
  for (const gone of [false, true]) {
    const { path, readOnly } = (await volumes.mount(podWith({ readOnly: true }))).get("v")!;
    assert.ok(readOnly && await mountedAt(path));
    assert.notEqual(Deno.statSync(data).gid, 77);
    if (gone) Deno.removeSync(join(dir, "drivers"), { recursive: true });
    await volumes.unmount(REF);
    assert.equal(await mountedAt(path), undefined);
  }
});

test("what a driver cannot do is told in its words", async (room) => {
  const { volumes, t } = room;
  const fails = async (source: Partial<FlexVolumeSource>, why: string | RegExp) => {
    const message = typeof why === "string" ? `MountVolume.SetUp failed for volume "v" : ${why}` : why;
    await assert.rejects(volumes.mount(podWith(source)), { message });
  };
  await fails({}, /failed to get Plugin from volumeSpec for volume "v" err=no volume plugin matched$/);
  await fails({ driver: "../../bin/true" }, /invalid name for a directory: "\.\."$/);
  const creating = "error creating Flexvolume plugin from directory acme~disk, skipping. Error: ";
  install(room, { init: "exit 2" });
  await fails({}, `${creating}unexpected end of JSON input`);
  install(room, { init: "echo help" });
  await fails({}, `${creating}the driver's output is no JSON`);
  install(room, { init: SUCCESS });
  await fails({}, "flexvolume driver acme/disk wants its volumes attached, which this node does not do");
  install(room, {});
  await fails({}, "Not supported");
  install(room, { mount: `echo '{"status":"Failure","message":"no disk"}'; exit 1` });
  await fails({}, "mount command failed, status: Failure, reason: no disk");
  install(room, { mount: `${SUCCESS}; exit 3` });
  await fails({}, "exit status 3");
  install(room, { mount: "kill -9 $$" });
  await fails({ options: { password: "hidden" } }, "signal: SIGKILL");
  await t.fetch("/api/v1/namespaces/default/secrets", { body: { metadata: { name: "s" } } });
  await fails({ secretRef: { name: "s" } }, "couldn't get secret default/s err: cannot get secret of type acme/disk");
});
