/** What garbage collection reads from stored bytes. */
import assert from "node:assert/strict";
import { ownerFacts, sameOwnerBytes } from "../../server/controllers/garbage/owner_facts.ts";
import { core, ownedBy, World } from "./_world.ts";

for (const type of ["application/json", "application/vnd.kubernetes.protobuf"]) {
  Deno.test(`owners, uid and deletion are read from ${type}`, async () => {
    const w = await World.start("-*", [`--storage-media-type=${type}`]);
    const { cache } = w.test.server.registries.byId("configmaps")!;
    const entry = (name: string) => cache.get("default", name)!;
    const owner = await w.thing("default", "owner", { finalizers: ["example.com/hold"] });
    await w.thing("default", "child", { ownerReferences: [ownedBy(owner)] });
    assert.deepEqual(ownerFacts(entry("owner")), { uid: owner.metadata.uid, owned: false, deleting: false });
    assert.equal(ownerFacts(entry("child"))!.owned, true);
    await w.remove(core("configmaps", "default", "owner"));
    assert.equal(ownerFacts(entry("owner"))!.deleting, true);
    const before = entry("child");
    await w.patch(core("configmaps", "default", "child"), { data: { k: "v" } });
    const protobuf = type.endsWith("protobuf");
    assert.equal(sameOwnerBytes(before, entry("child")), protobuf);
    await w.patch(core("configmaps", "default", "child"), { metadata: { ownerReferences: [ownedBy(owner, true)] } });
    assert.equal(sameOwnerBytes(before, entry("child")), false);
    await w.stop();
  });
}
