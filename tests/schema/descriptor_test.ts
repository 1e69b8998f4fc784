/** The descriptor tables: written as the importer would write them, and what look-ups promise. */
import assert from "node:assert/strict";
import { generate } from "../../scripts/import_facts.ts";
import { GROUPS, RESOURCES } from "../../schema/api/resources.ts";
import { MODULES } from "../../schema/api/index.ts";
import { messageIds } from "../../schema/messages.ts";
import { compareVersions } from "../../schema/model/versions.ts";
import type { Kind, Message } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { Scheme, schemeOf, storageVersion } from "../../schema/scheme.ts";
import { kindOf, scheme, shared } from "./_kinds.ts";

const facts = shared("facts");

Deno.test({
  name: "the committed tables are what the importer writes",
  ignore: !facts, // only where the API facts lie beside the project
  fn: async () => {
    const wanted = await generate(facts!);
    const directory = new URL("../../schema/api/", import.meta.url);
    const there = [...Deno.readDirSync(directory)].map((e) => e.name).sort();
    assert.deepEqual(there, [...wanted.keys()].sort());
    for (const [name, text] of wanted) assert.equal(await Deno.readTextFile(new URL(name, directory)), text, name);
  },
});

Deno.test("every message of every module expands", () => {
  let messages = 0;
  for (const module of MODULES) {
    for (const id of messageIds(module.short)) {
      const m = scheme.message(id);
      assert.equal(m.byName.size, m.json.length, `${id} has each JSON name once`);
      assert.ok(m.json.every((f) => !(f.name in Object.prototype)), `no object without it has a member of ${id}`);
      assert.deepEqual(m.wire.map((f) => f.number), m.wire.map((f) => f.number).sort((a, b) => a - b));
      messages++;
    }
  }
  assert.ok(messages > 1400, String(messages));
});

Deno.test("fields carry what the facts tell", () => {
  const ports = scheme.message("core.v1.ServiceSpec").byName.get("ports")!;
  assert.deepEqual(
    [ports.repeated, ports.listType, ports.listMapKeys, ports.patchMergeKey],
    [true, "map", ["port", "protocol"], "port"],
  );
  const protocol = scheme.message("core.v1.ServicePort").byName.get("protocol")!;
  assert.deepEqual([protocol.default, protocol.alias, protocol.enum], ["TCP", "Protocol", ["TCP", "UDP", "SCTP"]]);
  const volume = scheme.message("core.v1.Volume");
  assert.deepEqual(volume.fields.map((f) => [f.name, f.inline, f.number]), [["name", false, 1], ["", true, 2]]);
  assert.ok(volume.byName.get("hostPath"));
});

Deno.test("every served resource has its kinds, in both dialects", () => {
  for (const dialect of ["kubernetes", "orch"] as const) {
    const product = productOf(dialect), all = schemeOf(product);
    for (const r of RESOURCES) {
      const kind = all.kindOf(product.local(r.group), r.version, r.kind);
      assert.ok(kind, `${r.group}/${r.version} ${r.kind}`);
      assert.equal(kind.publicGroup, r.group);
      if (r.verbs.includes("list")) assert.ok(all.kindOf(kind.group, kind.version, kind.list!)?.itemKind === r.kind);
      for (const s of r.subresources) assert.ok(all.kindOf(product.local(s.group), s.version, s.kind), s.kind);
      assert.ok(storageVersion(r.group, r.resource));
    }
  }
});

Deno.test("groups and versions come in the order of the group list", () => {
  assert.deepEqual(scheme.groups().slice(0, GROUPS.length), GROUPS.map((g) => g.group));
  for (const g of GROUPS) {
    assert.deepEqual(scheme.versionsOf(g.group).filter((v) => g.versions.includes(v)), g.versions);
  }
  assert.deepEqual(
    ["v1alpha1", "v2beta1", "v1", "v10", "v2", "x", "v1beta2"].sort(compareVersions),
    ["v10", "v2", "v1", "v2beta1", "v1beta2", "v1alpha1", "x"],
  );
});

Deno.test("what is on by default", () => {
  const off = (group: string, version: string) =>
    RESOURCES.filter((r) => r.group === group && r.version === version).every((r) => !r.default);
  assert.ok(off("resource.k8s.io", "v1beta1") && off("coordination.k8s.io", "v1alpha2"));
  assert.ok(RESOURCES.find((r) => r.group === "certificates.k8s.io" && r.version === "v1")!.default);
});

Deno.test("stored versions", () => {
  const stored = (group: string, resource: string) => storageVersion(group, resource);
  assert.deepEqual(stored("autoscaling", "horizontalpodautoscalers"), { group: "autoscaling", version: "v2" });
  assert.deepEqual(stored("events.k8s.io", "events"), { group: "", version: "v1" });
  assert.deepEqual(stored("resource.k8s.io", "resourceclaims").version, "v1");
  assert.deepEqual(stored("certificates.k8s.io", "clustertrustbundles").version, "v1beta1");
  assert.throws(() => storageVersion("apps", "none"), /no resource "none"/);
});

Deno.test("every stored kind has its metadata under number 1, which splices of encoded objects rely on", () => {
  for (const r of RESOURCES.filter((r) => r.verbs.includes("update"))) {
    const metadata = kindOf(r.group ? `${r.group}/${r.version}` : r.version, r.kind).message.byName.get("metadata")!;
    assert.deepEqual([metadata.number, (metadata.type as Message).id], [1, "meta.v1.ObjectMeta"], r.kind);
  }
});

Deno.test("meta kinds answer in each group version and under both names of the meta group", () => {
  const options = scheme.kind("apps/v1", "DeleteOptions")!;
  assert.deepEqual([options.group, options.version, options.message.id], ["apps", "v1", "meta.v1.DeleteOptions"]);
  assert.equal(scheme.kind("apps/v1", "DeleteOptions"), options);
  assert.equal(scheme.kind("none/v1", "DeleteOptions"), undefined);
  assert.equal(scheme.kind("v1", "Status")!.message.id, "meta.v1.Status");
  for (const name of ["Table", "PartialObjectMetadata", "PartialObjectMetadataList", "DeleteOptions"]) {
    for (const group of ["meta.k8s.io", "meta.orch.io"]) {
      for (const dialect of ["kubernetes", "orch"] as const) {
        const kind = schemeOf(productOf(dialect)).kind(`${group}/v1`, name)!;
        assert.deepEqual([kind.group, kind.publicGroup, kind.apiVersion], [group, "meta.k8s.io", `${group}/v1`]);
      }
    }
  }
  const review = schemeOf(productOf("orch")).kind("authentication.k8s.io/v1", "TokenReview")!;
  assert.deepEqual([review.group, review.publicGroup], ["authentication.k8s.io", "authentication.k8s.io"]);
  assert.equal(kindOf("meta.k8s.io/v1", "Table").protobuf, false);
  assert.equal(schemeOf(productOf("orch")).kind("rbac.authorization.k8s.io/v1", "Role"), undefined);
});

Deno.test("custom kinds come and go; built-in ones stay", () => {
  const mine = new Scheme(productOf("kubernetes"));
  const kind: Kind = {
    ...plain(kindOf("v1", "ConfigMap")),
    group: "x.org",
    publicGroup: "x.org",
    apiVersion: "x.org/v1",
  };
  const other: Kind = { ...kind, version: "v1beta1", apiVersion: "x.org/v1beta1" };
  mine.add(other);
  mine.add(kind);
  assert.equal(mine.kind("x.org/v1", "ConfigMap"), kind);
  assert.ok(mine.kind("x.org/v1", "ListOptions"));
  assert.deepEqual(mine.versionsOf("x.org"), ["v1", "v1beta1"]);
  mine.add({ ...kind });
  mine.remove(mine.kind("x.org/v1", "ConfigMap")!);
  assert.equal(mine.kind("x.org/v1", "ConfigMap"), undefined);
  assert.equal(mine.kind("x.org/v1", "ListOptions"), undefined);
  assert.deepEqual(mine.versionsOf("x.org"), ["v1beta1"]);
  mine.remove(other);
  assert.ok(!mine.groups().includes("x.org"));
  assert.throws(() => mine.add(kindOf("v1", "Pod")), /built in/);
  mine.remove(kindOf("v1", "Pod"));
  assert.ok(mine.kind("v1", "Pod"));
});

const plain = (k: Kind): Kind => ({
  group: k.group,
  publicGroup: k.publicGroup,
  version: k.version,
  kind: k.kind,
  apiVersion: k.apiVersion,
  message: k.message,
  protobuf: k.protobuf,
});
