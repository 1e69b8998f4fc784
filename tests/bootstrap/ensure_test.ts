import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { alreadyExists, invalid, notFound } from "../../schema/status.ts";
import { type BootstrapStore, ensureBootstrap } from "../../server/bootstrap/ensure.ts";
import { input } from "./fixture.ts";

const RBAC = "rbac.authorization.k8s.io";
const product = productOf("kubernetes");

/** A store that counts what is written to it. */
class Store implements BootstrapStore {
  readonly objects = new Map<string, Obj>();
  writes: string[] = [];

  #key = (id: string, namespace: string, name: string) => `${id} ${namespace}/${name}`;
  at(id: string, name: string, namespace = ""): Obj {
    const found = this.objects.get(this.#key(id, namespace, name));
    assert.ok(found, `${id} ${name}`);
    return found;
  }
  unserved = "";
  serves(id: string): boolean {
    return id !== this.unserved;
  }
  get(id: string, namespace: string, name: string): Promise<Obj | undefined> {
    return Promise.resolve(this.objects.get(this.#key(id, namespace, name)));
  }
  create(id: string, object: Obj): Promise<Obj> {
    const key = this.#key(id, object.metadata.namespace ?? "", object.metadata.name!);
    if (this.objects.has(key)) return Promise.reject(alreadyExists({ group: "", resource: id }, object.metadata.name!));
    this.objects.set(key, structuredClone(object));
    this.writes.push(`create ${key}`);
    return Promise.resolve(object);
  }
  update(id: string, namespace: string, name: string, change: (o: Obj) => Obj | undefined): Promise<Obj> {
    const key = this.#key(id, namespace, name);
    const next = change(structuredClone(this.objects.get(key)!));
    if (next) {
      this.objects.set(key, next);
      this.writes.push(`update ${key}`);
    }
    return Promise.resolve(this.objects.get(key)!);
  }
  delete(id: string, namespace: string, name: string): Promise<void> {
    this.objects.delete(this.#key(id, namespace, name));
    this.writes.push(`delete ${this.#key(id, namespace, name)}`);
    return Promise.resolve();
  }
  list(id: string): Promise<readonly Obj[]> {
    return Promise.resolve([...this.objects].filter(([k]) => k.startsWith(`${id} `)).map(([, o]) => o));
  }
}

Deno.test("what another server deletes just then is made, and keeps nobody from starting", async () => {
  const s = new Store(), id = `clusterroles.${RBAC}`;
  await ensure(s);
  const name = "system:discovery", { labels } = s.at(id, name).metadata;
  s.at(id, name).metadata.labels = {};
  let deleted = 0;
  s.update = async (id, namespace, name) => {
    deleted++;
    await s.delete(id, namespace, name);
    throw notFound({ group: RBAC, resource: "clusterroles" }, name);
  };
  await ensure(s);
  assert.equal(deleted, 1);
  assert.deepEqual(s.at(id, name).metadata.labels, labels);
});

Deno.test("what is not served gets no content", async () => {
  const s = new Store();
  s.unserved = "priorityclasses.scheduling.k8s.io";
  await ensure(s);
  assert.deepEqual(await s.list(s.unserved), []);
  assert.ok((await s.list("namespaces")).length > 0);
});

const ensure = (s: Store, aggregation = true) => ensureBootstrap(s, input(product), { aggregation });

async function ready(): Promise<Store> {
  const s = new Store();
  await ensure(s);
  s.writes = [];
  return s;
}

Deno.test("a fresh store is filled, namespaces first, and aggregated roles have rules", async () => {
  const s = new Store();
  const done = await ensure(s);
  assert.equal(done.created, s.objects.size);
  assert.match(s.writes[0]!, /create namespaces/);
  assert.ok(s.at(`clusterroles.${RBAC}`, "view").rules.length > 10);
  assert.ok(s.at(`clusterroles.${RBAC}`, "admin").rules.length > s.at(`clusterroles.${RBAC}`, "edit").rules.length);
  const without = new Store();
  await ensure(without, false);
  assert.equal(without.at(`clusterroles.${RBAC}`, "view").rules, null);
});

Deno.test("a binding that is made again is for whom its source is for, unless that follows the server", async () => {
  const id = `clusterrolebindings.${RBAC}`, viewer = "system:public-info-viewer";
  const again = async (autoupdate: string, ...subjects: string[]): Promise<[string[], Record<string, string>]> => {
    const s = await ready();
    const source = s.at(id, "system:discovery");
    source.metadata.annotations = { "rbac.authorization.kubernetes.io/autoupdate": autoupdate, mine: "x" };
    source.subjects = subjects.map((name) => ({ kind: "Group", apiGroup: RBAC, name }));
    await s.delete(id, "", viewer);
    await ensure(s);
    const made = s.at(id, viewer);
    assert.equal(made.roleRef.name, viewer);
    return [made.subjects.map((subject: { name: string }) => subject.name), made.metadata.annotations!];
  };
  const open = "system:unauthenticated", closed = "system:authenticated";
  assert.deepEqual(await again("false", closed), [[closed], {
    "rbac.authorization.kubernetes.io/autoupdate": "false",
    mine: "x",
  }]);
  assert.deepEqual((await again("false"))[0], []);
  assert.deepEqual((await again("true", "dev", closed))[0], ["dev", closed, open]);
});

Deno.test("without RBAC nobody gets its policy", async () => {
  const s = new Store();
  await ensureBootstrap(s, { ...input(product), byRbac: false }, { aggregation: true });
  assert.deepEqual([...s.objects.keys()].filter((key) => key.includes(RBAC)), []);
  assert.ok(s.objects.size > 0);
});

Deno.test("a second start writes nothing", async () => {
  const s = await ready();
  assert.deepEqual(await ensure(s), { created: 0, updated: 0 });
  assert.deepEqual(s.writes, []);
});

Deno.test("what is missing comes back, what was added stays", async () => {
  const s = await ready();
  const role = s.at(`clusterroles.${RBAC}`, "system:node-proxier");
  const wanted = structuredClone(role.rules);
  const own = { verbs: ["get"], apiGroups: ["x"], resources: ["y"] };
  role.rules = [own];
  const binding = s.at(`clusterrolebindings.${RBAC}`, "system:node-proxier");
  const mine = { kind: "User", apiGroup: RBAC, name: "ann" };
  binding.subjects = [mine];
  delete binding.metadata.labels;
  s.objects.delete(`priorityclasses.scheduling.k8s.io /system-node-critical`);
  await ensure(s);
  assert.deepEqual(role.rules.length, 1);
  const now = s.at(`clusterroles.${RBAC}`, "system:node-proxier").rules as { resources: string[] }[];
  assert.deepEqual(now[0], own);
  const names = (rules: { resources: string[] }[]) => new Set(rules.flatMap((r) => r.resources));
  for (const name of names(wanted)) assert.ok(names(now).has(name), name);
  assert.deepEqual(
    s.at(`clusterrolebindings.${RBAC}`, "system:node-proxier").subjects.map((x: { name: string }) => x.name),
    [
      "ann",
      "system:kube-proxy",
    ],
  );
  assert.ok(s.at(`clusterrolebindings.${RBAC}`, "system:node-proxier").metadata.labels);
  s.at("priorityclasses.scheduling.k8s.io", "system-node-critical");
});

Deno.test("objects that are not updated automatically are left alone", async () => {
  const s = await ready();
  const role = s.at(`clusterroles.${RBAC}`, "system:node-proxier");
  role.metadata.annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
  role.rules = [];
  await ensure(s);
  assert.deepEqual(s.at(`clusterroles.${RBAC}`, "system:node-proxier").rules, []);
});

Deno.test("a binding to another role is made anew", async () => {
  const s = await ready();
  s.at(`clusterrolebindings.${RBAC}`, "system:basic-user").roleRef.name = "cluster-admin";
  await ensure(s);
  assert.equal(s.at(`clusterrolebindings.${RBAC}`, "system:basic-user").roleRef.name, "system:basic-user");
  assert.deepEqual(s.writes.map((w) => w.split(" ")[0]), ["delete", "create"]);
});

Deno.test("flow control: suggested objects follow unless taken over, mandatory ones always", async () => {
  const s = await ready();
  const id = "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io";
  s.at(id, "workload-low").spec.limited.nominalConcurrencyShares = 1;
  s.at(id, "workload-high").spec.limited.nominalConcurrencyShares = 1;
  s.at(id, "workload-high").metadata.annotations = { "apf.kubernetes.io/autoupdate-spec": "false" };
  s.at(id, "catch-all").spec.limited.nominalConcurrencyShares = 1;
  s.at(id, "catch-all").metadata.annotations = { "apf.kubernetes.io/autoupdate-spec": "false" };
  s.at(id, "exempt").spec.exempt.nominalConcurrencyShares = 7;
  s.at(id, "exempt").metadata.annotations = { "apf.kubernetes.io/autoupdate-spec": "false" };
  await ensure(s);
  assert.equal(s.at(id, "workload-low").spec.limited.nominalConcurrencyShares, 100);
  assert.equal(s.at(id, "workload-high").spec.limited.nominalConcurrencyShares, 1);
  assert.equal(s.at(id, "catch-all").spec.limited.nominalConcurrencyShares, 5);
  assert.equal(s.at(id, "exempt").spec.exempt.nominalConcurrencyShares, 7);
});

Deno.test("the server's own address and authority follow its options", async () => {
  const s = await ready();
  const moved = { ...input(product), advertiseIp: "192.0.2.9", port: 7443, clientCa: "NEW" };
  await ensureBootstrap(s, moved, { aggregation: false });
  assert.deepEqual(s.at("endpoints", "kubernetes", "default").subsets[0].addresses, [{ ip: "192.0.2.9" }]);
  assert.equal(s.at("endpointslices.discovery.k8s.io", "kubernetes", "default").ports[0].port, 7443);
  assert.equal(s.at("configmaps", "extension-apiserver-authentication", "kube-system").data["client-ca-file"], "NEW");
});

Deno.test("another server that is faster does no harm", async () => {
  const s = new Store();
  const get = s.get.bind(s);
  s.get = (id, namespace, name) => (id === "namespaces" ? Promise.resolve(undefined) : get(id, namespace, name));
  await s.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } });
  await ensure(s);
  assert.equal(s.at("namespaces", "default").spec, undefined);
});

Deno.test("an aggregated role that is not valid keeps neither the server nor other roles back", async () => {
  const s = await ready(), id = "clusterroles.rbac.authorization.k8s.io";
  const update = s.update.bind(s);
  for (const name of ["edit", "view"]) s.at(id, name).rules = [];
  s.update = (resource, namespace, name, change) =>
    name === "edit" ? Promise.reject(invalid("", "ClusterRole", name, [])) : update(resource, namespace, name, change);
  await ensure(s);
  assert.deepEqual(s.at(id, "edit").rules, []);
  assert.ok(s.at(id, "view").rules.length > 0);
});

Deno.test("flow control objects that follow the server and are of no set of it any more go; those of others stay", async () => {
  const s = await ready(), flow = "flowcontrol.apiserver.k8s.io", key = "apf.kubernetes.io/autoupdate-spec";
  const put = (resource: string, name: string, annotations?: Record<string, string>) => {
    const metadata = { name, ...(annotations ? { annotations } : {}) };
    s.objects.set(`${resource}.${flow} /${name}`, { apiVersion: `${flow}/v1`, kind: "any", metadata, spec: {} });
  };
  for (const resource of ["prioritylevelconfigurations", "flowschemas"]) {
    put(resource, "old", { [key]: "true" });
    put(resource, "taken-over", { [key]: "false" });
    put(resource, "own");
  }
  await ensure(s);
  assert.deepEqual(s.writes, [`delete flowschemas.${flow} /old`, `delete prioritylevelconfigurations.${flow} /old`]);
});
