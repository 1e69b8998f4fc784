/** kubectl with a whole application: applied, compared, described, scaled, rolled, edited into conflicts and deleted. */
import assert from "node:assert/strict";
import { clientMinor, Kubectl, ServerProcess, until } from "./_server.ts";
import { SHOP } from "./_shop.ts";

const ignore = await clientMinor() === undefined; // kubectl is not installed
const LIST = { apiVersion: "v1", kind: "List", items: SHOP };
const NS = "-n shop";

Deno.test({ name: "kubectl runs a web shop of 16 kinds", ignore }, async (test) => {
  const server = await ServerProcess.start("kubernetes", ["--controllers=*"]);
  try {
    const k = await Kubectl.of(server);
    await k.run("create namespace shop");
    for (const [name, step] of Object.entries(STEPS)) await test.step(name, () => step(k));
  } finally {
    await server.end();
  }
});

/** A script that kubectl calls as the editor; `$1` is the file. */
async function editor(k: Kubectl, script: string): Promise<Record<string, string>> {
  const path = `${k.server.dir}/editor-${crypto.randomUUID()}.sh`;
  await Deno.writeTextFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { KUBE_EDITOR: path };
}

const lines = (text: string): string[] => text.split("\n").filter((l) => l !== "");

/** What a controller of deployments would write once all pods run the newest template. */
async function roll(k: Kubectl): Promise<void> {
  const { metadata, spec } = await k.json(`${NS} get deployment web`);
  const n = spec.replicas, at = new Date().toISOString().replace(/\.\d+Z/, "Z");
  const condition = (type: string) => ({
    type,
    status: "True",
    reason: "R",
    lastUpdateTime: at,
    lastTransitionTime: at,
  });
  const status = {
    observedGeneration: metadata.generation,
    replicas: n,
    updatedReplicas: n,
    readyReplicas: n,
    availableReplicas: n,
    conditions: [condition("Available"), condition("Progressing")],
  };
  await k.run(`${NS} patch deployment web --subresource=status --type=merge -p ${JSON.stringify({ status })}`);
}

const STEPS: Readonly<Record<string, (k: Kubectl) => Promise<void>>> = {
  "apply, and again, and compare": async (k) => {
    const first = lines(await k.run(`${NS} apply -f -`, LIST));
    assert.equal(first.length, SHOP.length);
    assert.ok(first.every((l) => l.endsWith(" created")), first.join("; "));
    const again = lines(await k.run(`${NS} apply -f -`, LIST));
    // What is sent in another form than it is kept, and lists without keys, kubectl sends again: nothing comes of it.
    const sentAgain = [
      "secret/database",
      "statefulset.apps/database",
      "networkpolicy.networking.k8s.io/database",
      "poddisruptionbudget.policy/web",
    ];
    assert.deepEqual(again.filter((l) => !l.endsWith(" unchanged")), sentAgain.map((n) => `${n} configured`));
    const same = await k.try([...NS.split(" "), "diff", "-f", "-"], LIST);
    assert.equal(same.code, 0, same.out + same.err);
  },
  "apply on the server's side over it, and compare": async (k) => {
    const sided = lines(await k.run(`${NS} apply --server-side --force-conflicts -f -`, LIST));
    assert.deepEqual(sided.filter((l) => !l.endsWith(" serverside-applied")), []);
    const same = await k.try([...NS.split(" "), "diff", "--server-side", "--force-conflicts", "-f", "-"], LIST);
    assert.equal(same.code, 0, same.out + same.err);
    await k.run(`${NS} apply --server-side --dry-run=server -f -`, LIST);
  },
  "get all, by label, in every form": async (k) => {
    const names = lines(await k.run(`${NS} get all -l app=shop -o name`));
    for (const n of ["service/web", "deployment.apps/web", "statefulset.apps/database", "cronjob.batch/report"]) {
      assert.ok(names.includes(n), `${n} of ${names}`);
    }
    for (const form of ["wide", "yaml", "json", "name"]) {
      const text = await k.run(`${NS} get -f - -o ${form}`, LIST);
      if (form === "json") assert.equal(JSON.parse(text).items.length, SHOP.length);
      if (form === "name") assert.equal(lines(text).length, SHOP.length);
    }
  },
  "describe each kind": async (k) => {
    const text = await k.run(`${NS} describe -f -`, LIST);
    for (const { metadata: { name } } of SHOP) assert.match(text, new RegExp(`^Name: +${name}\n`, "m"));
    assert.equal(text.match(/^Name: /gm)?.length, SHOP.length);
    assert.match(await k.run(`${NS} describe secret database`), /^password: +6 bytes$/m);
    assert.match(await k.run(`${NS} describe ingress shop`), /shop\.example\.com/);
    for (
      const what of ["clusterrole/view clusterrolebinding/cluster-admin namespace/shop", "nodes,storageclasses -A"]
    ) {
      assert.match(await k.run(`describe ${what}`), /^Name: |^$/);
    }
  },
  "explain with all fields": async (k) => {
    const text = await k.run("explain deployment --recursive");
    assert.match(text, /^ +maxUnavailable\t<IntOrString>$/m);
    for (const { kind } of SHOP) {
      assert.match(await k.run(`explain ${kind} --recursive`), new RegExp(`KIND: +${kind}\n`));
    }
    assert.match(await k.run("explain hpa.spec.metrics.resource.target"), /averageUtilization/);
  },
  "scale": async (k) => {
    await k.run(`${NS} scale deployment/web statefulset/database --replicas=3`);
    const { items } = await k.json(`${NS} get deployment/web statefulset/database`);
    assert.deepEqual(items.map((i: { spec: { replicas: number } }) => i.spec.replicas), [3, 3]);
  },
  "roll out, pause, restart": async (k) => {
    await roll(k);
    assert.match(await k.run(`${NS} rollout status deployment web`), /successfully rolled out/);
    await k.run(`${NS} set image deployment/web web=example.com/web:2`);
    const waits = k.run(`${NS} rollout status deployment web --timeout=120s`);
    await roll(k);
    assert.match(await waits, /successfully rolled out/);
    await k.run(`${NS} rollout restart deployment web`);
    const { spec } = await k.json(`${NS} get deployment web`);
    assert.ok(spec.template.metadata.annotations["kubectl.kubernetes.io/restartedAt"]);
    assert.equal(spec.template.spec.containers[0].image, "example.com/web:2");
    await k.run(`${NS} rollout pause deployment web`);
    assert.equal((await k.json(`${NS} get deployment web`)).spec.paused, true);
    await k.run(`${NS} rollout resume deployment web`);
    await k.run(`${NS} set env deployment/web LEVEL=debug`);
    await k.run(`${NS} set resources deployment web -c=web --limits=memory=256Mi`);
  },
  "wait for a field and for a condition": async (k) => {
    await roll(k);
    await k.run(`${NS} wait deployment/web --for=jsonpath={.spec.replicas}=3 --timeout=120s`);
    await k.run(`${NS} wait deployment/web --for=condition=Available --timeout=120s`);
  },
  "an edit that conflicts is told, and another one mended": async (k) => {
    // The version is set back, and left so as the editor opens again: kubectl gives up and keeps a copy.
    const back = await editor(k, `sed -i 's/resourceVersion: .*/resourceVersion: "1"/' "$1"`);
    const clash = await k.try([...NS.split(" "), "edit", "configmap", "settings"], undefined, back);
    assert.equal(clash.code, 1);
    assert.match(clash.err, /configmaps "settings" was not valid|the object has been modified|Conflict/);
    // First a label that is not valid; told so, the next try has a good one.
    const mended = await editor(
      k,
      `if grep -q 'tier: bad value' "$1"; then sed -i 's/tier: bad value/tier: good/' "$1"; else sed -i 's/part: settings/part: settings\\n    tier: bad value/' "$1"; fi`,
    );
    await k.run(`${NS} edit configmap settings`, undefined, mended);
    assert.equal((await k.json(`${NS} get configmap settings`)).metadata.labels.tier, "good");
  },
  "a replacement of an old version conflicts": async (k) => {
    const old = await k.json(`${NS} get configmap settings`);
    await k.run(`${NS} label configmap settings more=yes`);
    const { code, err } = await k.try([...NS.split(" "), "replace", "-f", "-"], old);
    assert.equal(code, 1);
    assert.match(err, /\(Conflict\)|the object has been modified/);
  },
  "prune, delete by file and by label": async (k) => {
    await k.run(`${NS} apply --prune -l app=shop -f -`, {
      ...LIST,
      items: SHOP.filter((m) => m.kind !== "NetworkPolicy"),
    });
    const gone = lines(await k.run(`${NS} delete -f - --ignore-not-found --wait=false`, LIST));
    assert.ok(gone.length >= SHOP.length - 1, gone.join("; "));
    await until("nothing is left", async () => {
      const kinds = [...new Set(SHOP.map((m) => m.kind.toLowerCase()))].join(",");
      return lines(await k.run(`${NS} get ${kinds} -l app=shop -o name`)).length === 0;
    });
  },
  "the namespace goes with all that is in it": async (k) => {
    await k.run(`${NS} create -f -`, LIST);
    await k.run("delete namespace shop --timeout=120s");
    assert.match((await k.try(["get", "namespace", "shop"])).err, /NotFound/);
  },
};
