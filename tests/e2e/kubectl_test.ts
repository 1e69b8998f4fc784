import assert from "node:assert/strict";
import { clientMinor, Kubectl, ServerProcess, until } from "./_server.ts";

const minor = await clientMinor();
/** The one reason for skipping: kubectl is not installed. */
const ignore = minor === undefined; // kubectl is not installed

const deployment = (name: string, image = "example.com/web:1") => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, labels: { app: name } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "web", image }] } },
  },
});
const pod = (name: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { app: name } },
  spec: { containers: [{ name: "c", image: "example.com/c:1" }] },
});

Deno.test({ name: "kubectl against a server of the public API", ignore }, async (test) => {
  const server = await ServerProcess.start("kubernetes");
  try {
    const k = await Kubectl.of(server);
    for (const [name, step] of Object.entries(STEPS)) await test.step(name, () => step(k));
  } finally {
    await server.end();
  }
});

Deno.test({ name: "kubectl against a server of the specification's names: the core group", ignore }, async (test) => {
  const server = await ServerProcess.start("orch");
  try {
    const k = await Kubectl.of(server);
    for (const name of CORE) await test.step(name, () => STEPS[name]!(k));
  } finally {
    await server.end();
  }
});

/** Steps that touch nothing but the core group. */
const CORE = [
  "create and get in all forms",
  "apply a config map, both ways",
  "describe, label, annotate",
  "edit a config map",
  "patch a service in three ways",
  "watch only",
  "wait for a deletion",
  "pages",
  "raw",
];

const STEPS: Record<string, (k: Kubectl) => Promise<void>> = {
  "create and get in all forms": async (k) => {
    await k.run("create configmap first --from-literal=k=v");
    const one = await k.json("get configmap first");
    assert.deepEqual([one.kind, one.data], ["ConfigMap", { k: "v" }]);
    assert.match(await k.run("get configmaps"), /^NAME +DATA +AGE\nfirst +1 +\S+\n/m);
    assert.match(await k.run("get namespaces -o wide"), /^NAME +STATUS +AGE\ndefault +Active/);
    assert.match(await k.run("get configmap first -o yaml"), /^apiVersion: v1\ndata:\n {2}k: v\nkind: ConfigMap\n/);
    assert.equal(await k.run("get configmap first -o jsonpath={.data.k}"), "v");
    assert.equal(await k.run("get configmap first -o name"), "configmap/first\n");
    assert.match(await k.run("get configmap first -o custom-columns=N:.metadata.name,D:.data.k"), /^N +D\nfirst +v\n$/);
    assert.equal(await k.run("get configmap first -o go-template={{.data.k}}"), "v");
    const missing = await k.try(["get", "configmap", "none"]);
    assert.equal(missing.code, 1);
    assert.equal(missing.err, 'Error from server (NotFound): configmaps "none" not found\n');
    const again = await k.try(["create", "configmap", "first"]);
    assert.match(again.err, /\(AlreadyExists\): configmaps "first" already exists|configmaps "first" already exists/);
  },
  "create and apply a deployment": async (k) => {
    assert.equal(await k.run("create -f -", deployment("made")), "deployment.apps/made created\n");
    assert.match(
      await k.run("get deployment made"),
      /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nmade +0\/2 +0 +0 +\S+\n$/,
    );
    assert.match(
      await k.run("get deployment made -o wide"),
      /CONTAINERS +IMAGES +SELECTOR\n.*web +example.com\/web:1 +app=made\n/,
    );
    assert.equal(await k.run("apply -f -", deployment("applied")), "deployment.apps/applied created\n");
    assert.equal(await k.run("apply -f -", deployment("applied")), "deployment.apps/applied unchanged\n");
    const changed = deployment("applied", "example.com/web:2");
    assert.equal(await k.run("apply -f -", changed), "deployment.apps/applied configured\n");
    const images = await k.run("get deployment applied -o jsonpath={.spec.template.spec.containers[*].image}");
    assert.equal(images, "example.com/web:2");
    const bad = await k.try(["create", "-f", "-"], { ...deployment("bad"), spec: { replicas: -1 } });
    assert.equal(bad.code, 1);
  },
  "apply on the server's side": async (k) => {
    const out = await k.run("apply --server-side --field-manager=one -f -", deployment("sided"));
    assert.equal(out, "deployment.apps/sided serverside-applied\n");
    const other = ["apply", "--server-side", "--field-manager=two", "-f", "-"];
    const clash = await k.try(other, deployment("sided", "example.com/web:2"));
    assert.equal(clash.code, 1);
    assert.match(clash.err, /conflict with "one": \.spec\.template\.spec\.containers\[name="web"\]\.image/);
    await k.run(
      "apply --server-side --field-manager=two --force-conflicts -f -",
      deployment("sided", "example.com/web:2"),
    );
    const { spec } = await k.json("get deployment sided");
    assert.equal(spec.template.spec.containers[0].image, "example.com/web:2");
  },
  "apply a config map, both ways": async (k) => {
    const map = (k: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "conf" }, data: { k } });
    assert.equal(await k.run("apply -f -", map("1")), "configmap/conf created\n");
    assert.equal(await k.run("apply -f -", map("2")), "configmap/conf configured\n");
    assert.equal((await k.json("get configmap conf")).data.k, "2");
    const sided = (name: string) => ({ ...map("1"), metadata: { name } });
    assert.equal(await k.run("apply --server-side -f -", sided("sided")), "configmap/sided serverside-applied\n");
    assert.equal(await k.run("apply --server-side -f -", sided("sided")), "configmap/sided serverside-applied\n");
  },
  "describe, label, annotate": async (k) => {
    await k.run("create -f -", pod("described"));
    const text = await k.run("describe pod described");
    assert.match(text, /^Name: +described\n/);
    assert.match(text, /Image: +example.com\/c:1\n/);
    assert.equal(await k.run("label pod described tier=front"), `pod/described labeled\n`);
    assert.match(await k.run("get pods -l tier=front -o name"), /^pod\/described\n$/);
    assert.match(await k.run("get pods -l tier=front -L tier"), / TIER\n.* front\n$/);
    assert.match((await k.try(["label", "pod", "described", "tier=back"])).err, /already has a value/);
    await k.run("label pod described tier-");
    assert.equal(await k.run("annotate pod described note=one"), "pod/described annotated\n");
    assert.equal((await k.json("get pod described")).metadata.annotations.note, "one");
    assert.match(await k.run("describe namespace default"), /^Name: +default\n/);
  },
  "edit a config map": async (k) => {
    await k.run("create configmap edited --from-literal=k=before");
    const script = `${k.server.dir}/edit.sh`;
    await Deno.writeTextFile(script, '#!/bin/sh\nsed -i "s/before/after/" "$1"\n', { mode: 0o755 });
    const out = await k.run("edit configmap edited", undefined, { KUBE_EDITOR: script });
    assert.equal(out, "configmap/edited edited\n");
    assert.equal((await k.json("get configmap edited")).data.k, "after");
  },
  "patch a service in three ways": async (k) => {
    const ports = [{ name: "a", port: 80 }, { name: "b", port: 81 }];
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "patched" }, spec: { ports } };
    await k.run("create -f -", service);
    const patch = async (type: string, body: unknown) => {
      const { code, err } = await k.try(["patch", "service", "patched", `--type=${type}`, "-p", JSON.stringify(body)]);
      assert.equal(code, 0, err);
      return (await k.json("get service patched")).spec.ports.map((p: { port: number }) => p.port);
    };
    assert.deepEqual(await patch("strategic", { spec: { ports: [{ port: 82, name: "c" }] } }), [82, 80, 81]);
    assert.deepEqual(await patch("json", [{ op: "remove", path: "/spec/ports/1" }]), [82, 81]);
    assert.deepEqual(await patch("merge", { spec: { ports: [{ name: "d", port: 90 }] } }), [90]);
  },
  "scale": async (k) => {
    assert.match(await k.run("scale deployment made --replicas=5"), /deployment.apps\/made scaled\n/);
    assert.equal((await k.json("get deployment made")).spec.replicas, 5);
    assert.equal((await k.try(["scale", "deployment", "made", "--current-replicas=1", "--replicas=3"])).code, 1);
    assert.equal((await k.json("get deployment made")).spec.replicas, 5);
  },
  "watch only": async (k) => {
    const selected = "-o name --field-selector=metadata.name=watched";
    await k.run("create configmap watched");
    const change = (time: number) => k.run(`label configmap watched time=${time} --overwrite`);
    // When the watch has begun is not told: changes are made until it tells one.
    const [line] = await k.lines(`get configmaps --watch-only ${selected}`, 1, change);
    assert.equal(line, "configmap/watched");
    const lines = await k.lines(`get configmaps --watch ${selected}`, 3, (time) => change(time + 1000));
    assert.deepEqual(lines, ["configmap/watched", "configmap/watched", "configmap/watched"]);
  },
  "wait for a deletion": async (k) => {
    let waited = false;
    for (const head of [300, 2000, 8000]) { // of a wait that began too late an old client complains
      await k.run("create configmap awaited");
      const waits = k.try(["wait", "--for=delete", "configmap/awaited", "--timeout=120s"]);
      await sleep(head);
      await k.run("delete configmap awaited");
      const { code, err } = await waits;
      waited = code === 0;
      if (waited) break;
      assert.match(err, /not found/);
    }
    assert.ok(waited);
    assert.equal((await k.try(["get", "configmap", "awaited"])).code, 1);
  },
  "wait for a condition": async (k) => {
    const waits = k.run("wait --for=condition=Available deployment/made --timeout=120s");
    const found = await k.json("get deployment made");
    const now = new Date().toISOString().replace(/\.\d+Z/, "Z");
    found.status = {
      conditions: [{ type: "Available", status: "True", lastTransitionTime: now, lastUpdateTime: now, reason: "R" }],
    };
    await k.run("replace --raw /apis/apps/v1/namespaces/default/deployments/made/status -f -", found);
    assert.match(await waits, /condition met/);
  },
  "delete in each way of cascading": async (k) => {
    for (
      const [mode, finalizers] of [["background", undefined], ["orphan", ["orphan"]], ["foreground", [
        "foregroundDeletion",
      ]]]
    ) {
      await k.run("create -f -", deployment(`cascade-${mode}`));
      const out = await k.run(`delete deployment cascade-${mode} --cascade=${mode} --wait=false`);
      assert.match(out, /deployment.apps "cascade-\w+" deleted/);
      const left = await k.try(["get", "deployment", `cascade-${mode}`, "-o", "json"]);
      // No controller runs: what is to happen first stays to be done.
      if (!finalizers) assert.equal(left.code, 1);
      else assert.deepEqual(JSON.parse(left.out).metadata.finalizers, finalizers);
    }
    const [first] = (await k.run("delete configmap --all")).split("\n");
    assert.match(first!, /^configmap "\S+" deleted/);
    await k.run("create -f -", pod("brief"));
    await k.run("delete pod brief --grace-period=0 --force");
    assert.equal((await k.try(["get", "pod", "brief"])).code, 1);
  },
  "explain": async (k) => {
    assert.match(await k.run("explain deployment.spec.replicas"), /KIND: +Deployment[\s\S]*integer/);
    assert.match(await k.run("explain pods --recursive"), /containers\s+<\[\]/);
    assert.match(
      await k.run("explain deployment.spec.strategy"),
      /DESCRIPTION:\n +How old pods give way[\s\S]*Recreate ends all old pods/,
    );
  },
  "api-resources, api-versions": async (k) => {
    const text = await k.run("api-resources");
    assert.match(text, /^deployments +deploy +apps\/v1 +true +Deployment$/m);
    assert.match(text, /^namespaces +ns +v1 +false +Namespace$/m);
    assert.match(await k.run("api-resources --api-group=apps -o name"), /^deployments.apps$/m);
    const versions = (await k.run("api-versions")).trim().split("\n");
    for (const v of ["v1", "apps/v1", "batch/v1", "rbac.authorization.k8s.io/v1"]) assert.ok(versions.includes(v), v);
    assert.match(await k.run("version"), /v1\.37/);
  },
  "auth can-i": async (k) => {
    assert.equal(await k.run("auth can-i create pods"), "yes\n");
    const no = await k.try(["auth", "can-i", "create", "pods", "--as=somebody"]);
    assert.deepEqual([no.code, no.out.split("\n")[0]], [1, "no"]);
    await k.run("create role reader --verb=get,list --resource=pods");
    await k.run("create rolebinding reader --role=reader --user=somebody");
    await until(
      "the role is in force",
      async () => (await k.try(["auth", "can-i", "get", "pods", "--as=somebody"])).out === "yes\n",
    );
    const denied = await k.try(["get", "secrets", "--as=somebody"]);
    assert.match(denied.err, /secrets is forbidden: User "somebody" cannot list resource "secrets"/);
    assert.match(await k.run("auth can-i --list --as=somebody"), /^pods +\[\] +\[\] +\[get list\]$/m);
  },
  "pages": async (k) => {
    const items = Array.from({ length: 23 }, (_, i) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `page-${String(i).padStart(2, "0")}`, labels: { of: "pages" } },
    }));
    await k.run("create -f -", { apiVersion: "v1", kind: "List", items });
    const names = (await k.run("get configmaps -l of=pages -o name --chunk-size=5")).trim().split("\n");
    assert.deepEqual(names, items.map((i) => `configmap/${i.metadata.name}`));
    assert.equal((await k.run("get configmaps -l of=pages --chunk-size=7 --no-headers")).trim().split("\n").length, 23);
  },
  "raw": async (k) => {
    assert.equal(await k.run("get --raw /readyz"), "ok");
    assert.match(await k.run("get --raw /livez?verbose"), /livez check passed|healthz check passed/);
    assert.equal(JSON.parse(await k.run("get --raw /api/v1/namespaces/default")).kind, "Namespace");
  },
  "diff": async (k) => {
    const same = await k.try(["diff", "-f", "-"], deployment("applied", "example.com/web:2"));
    assert.equal(same.code, 0, same.out + same.err);
    const other = await k.try(["diff", "-f", "-"], deployment("applied", "example.com/web:3"));
    assert.equal(other.code, 1, other.err);
    assert.match(other.out, /^-\s+- image: example.com\/web:2\n\+\s+- image: example.com\/web:3$/m);
  },
};

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));
