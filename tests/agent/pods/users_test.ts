/** Users of pods' own: which of the host's they are, and that this is kept. */
import assert from "node:assert/strict";
import { PodMemory } from "../../../agent/pods/memory.ts";
import type { PodParts } from "../../../agent/pods/parts.ts";
import { subordinateIds } from "../../../agent/pods/subordinate_ids.ts";
import { userNamespace } from "../../../agent/pods/user_namespace.ts";
import { UserRanges } from "../../../agent/pods/user_ranges.ts";
import type { HandlerFeatures } from "../../../agent/runtime/types.ts";
import { pod } from "./_fixture.ts";
import { withDirectory } from "../../fixture/directory.ts";

const UNIT = 65536;

const open = (rootDir: string, ranges = 2, more: { idsPerPod?: number; first?: number } = {}) => {
  const { idsPerPod = UNIT, first = 3 * UNIT } = more;
  return UserRanges.open({ rootDir, idsPerPod, maxPods: 2 }, { first, length: ranges * idsPerPod });
};

Deno.test("a pod has a range of its own for as long as it is there, over starts of the agent", () =>
  withDirectory(async (rootDir) => {
    const ranges = await open(rootDir);
    const [a, b] = await Promise.all([ranges.of("a"), ranges.of("b")]);
    // Which of them is first is nobody's promise.
    assert.deepEqual([a, b].map(({ hostId, length }) => [hostId / UNIT, length]).sort(), [[3, UNIT], [4, UNIT]]);
    assert.deepEqual(await ranges.of("a"), a);
    await assert.rejects(ranges.of("c"), /^Error: create user namespace: could not find an empty slot/);
    const kept = { uidMappings: [a], gidMappings: [a] };
    assert.deepEqual(JSON.parse(await Deno.readTextFile(`${rootDir}/pods/a/userns`)), kept);

    // A file among the directories of pods is none of them.
    await Deno.writeTextFile(`${rootDir}/pods/note`, "");
    const again = await open(rootDir);
    await assert.rejects(again.of("c"), /empty slot/);
    await again.release("a");
    await again.release("a");
    assert.equal((await again.of("c")).hostId, a.hostId);
    assert.deepEqual(await again.of("b"), b);
    // What goes with its pod's directory is free when the agent starts.
    await Deno.remove(`${rootDir}/pods/b`, { recursive: true });
    assert.equal((await (await open(rootDir)).of("d")).hostId, b.hostId);
  }));

Deno.test("ranges that cannot be are told", () =>
  withDirectory(async (rootDir) => {
    await assert.rejects(open(rootDir, 1), /^Error: kubelet user assigned IDs are not enough to support 2 pods/);
    await assert.rejects(open(rootDir, 2, { first: 0 }), /ID 0 must be greater or equal to 65536/);
    await assert.rejects(open(rootDir, 2, { first: 7 }), /ID 7 is not a multiple of 65536/);
    const kept = (hostId: number, length = UNIT, groups = hostId) => {
      const mapping = (id: number) => [{ hostId: id, containerId: 0, length }];
      return JSON.stringify({ uidMappings: mapping(hostId), gidMappings: mapping(groups) });
    };
    await Deno.mkdir(`${rootDir}/pods/a`, { recursive: true });
    const rejects = async (text: string, why: RegExp) => {
      await Deno.writeTextFile(`${rootDir}/pods/a/userns`, text);
      await assert.rejects(open(rootDir), why);
    };
    await rejects(kept(9 * UNIT), /^Error: record pod mappings for existing pod "a": id 589824 is out of range/);
    await rejects(kept(3 * UNIT, 2 * UNIT), /wrong user namespace length 131072/);
    await rejects(kept(3 * UNIT, UNIT, 4 * UNIT), /invalid user namespace configuration/);
    await rejects("{", /record pod mappings for existing pod "a": /);
    await Deno.writeTextFile(`${rootDir}/pods/a/userns`, kept(4 * UNIT));
    const ranges = await open(rootDir);
    assert.equal((await ranges.of("b")).hostId, 3 * UNIT);
    await Deno.writeTextFile(`${rootDir}/pods/b/userns`, kept(4 * UNIT));
    await assert.rejects(ranges.of("b"), /^Error: user namespace: different user namespace range already used by pod/);
  }));

Deno.test("a pod has users of its own only where the runtime's handler can", async () => {
  const asked: string[] = [];
  const of = (spec: { hostUsers?: boolean }, handler: string | undefined, can?: HandlerFeatures) => {
    const memory = new PodMemory(pod(spec));
    memory.handler = handler;
    const range = { hostId: UNIT, containerId: 0, length: UNIT };
    const users = { of: async (uid: string) => (asked.push(uid), range), release: () => Promise.resolve() };
    return userNamespace({ users, handlerFeatures: () => can } as unknown as PodParts, memory);
  };
  const able = { recursiveReadOnlyMounts: false, userNamespaces: true }, unable = { ...able, userNamespaces: false };
  assert.deepEqual([await of({}, "", unable), await of({ hostUsers: true }, "vm")], [{ mode: "NODE" }, {
    mode: "NODE",
  }]);
  assert.deepEqual(asked, []);
  const { mode, uids, gids } = await of({ hostUsers: false }, "", able);
  assert.deepEqual([mode, uids, asked], ["POD", gids, ["u1"]]);
  const fails = (handler: string, can: HandlerFeatures | undefined, message: string) =>
    assert.rejects(of({ hostUsers: false }, handler, can), { message });
  const cannot = "can't set `spec.hostUsers: false`,";
  await fails("", unable, `${cannot} runtime does not support user namespaces`);
  await fails("vm", unable, `${cannot} RuntimeClass handler "vm" does not support user namespaces`);
  const unknown = `does not support user namespaces: the handler "vm" is not known`;
  await fails("vm", undefined, `${cannot} RuntimeClass handler "vm" ${unknown}`);
});

Deno.test("the host may set numbers apart for pods", () =>
  withDirectory(async (directory) => {
    const passwd = `${directory}/passwd`;
    await Deno.writeTextFile(passwd, "root:x:0:0::/:\nkubelet:x:999:999::/:\n");
    const said: Record<string, string> = {};
    const run = (command: string, args: readonly string[]) => {
      const text = said[[command, ...args].join(" ")];
      return text === undefined ? Promise.reject(new Error(`spawn ${command} ENOENT`)) : Promise.resolve(text);
    };
    const all = { first: UNIT, length: 2 ** 32 - UNIT };
    assert.deepEqual(await subordinateIds("orchlet", UNIT, run, passwd), all);
    assert.deepEqual(await subordinateIds("kubelet", UNIT, run, passwd), all);
    said["getsubids kubelet"] = said["getsubids -g kubelet"] = "0: kubelet 65536 7208960\n";
    assert.deepEqual(await subordinateIds("kubelet", UNIT, run, passwd), { first: UNIT, length: 7208960 });
    said["getsubids -g kubelet"] = "0: kubelet 131072 7208960\n";
    await assert.rejects(
      subordinateIds("kubelet", UNIT, run, passwd),
      /mismatched subuids and subgids for user "kubelet"/,
    );
    said["getsubids kubelet"] = said["getsubids -g kubelet"] = "0: kubelet 65536 7208960\n1: kubelet 1 2\n";
    await assert.rejects(subordinateIds("kubelet", UNIT, run, passwd), /it must contain only one line/);
    delete said["getsubids -g kubelet"];
    await assert.rejects(subordinateIds("kubelet", UNIT, run, passwd), /error retrieving additional gids/);
  }));
