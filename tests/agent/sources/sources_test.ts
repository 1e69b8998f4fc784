/** Manifests in real files and on a real web page. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import { FileSource } from "../../../agent/sources/file.ts";
import { HttpSource } from "../../../agent/sources/http.ts";
import { type ManifestContext, readManifest } from "../../../agent/sources/manifest.ts";
import { realClock } from "../probes/parts.ts";
import { until } from "./test_api.ts";

const context: ManifestContext = {
  nodeName: "node1",
  rules: { product: productOf("orch"), gate: () => true, now: () => 0, allowPrivileged: true },
};
const logged: string[] = [];
const log = (_level: string, text: string, detail?: unknown) => void logged.push(`${text} ${JSON.stringify(detail)}`);

const yaml = (name: string, more = "") =>
  `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  containers:
  - name: c
    image: example.org/i:1
${more}`;
const read = (text: string, source: "file" | "http" = "file", place = "/p/a.yaml") =>
  readManifest(new TextEncoder().encode(text), { source, place }, context);

Deno.test("a manifest becomes a pod of this node, with all that the API server would fill in", () => {
  const [pod] = read(yaml("web"));
  const { metadata, spec, status } = pod!;
  assert.equal(metadata!.name, "web-node1");
  assert.equal(metadata!.namespace, "default");
  assert.match(metadata!.uid!, /^[0-9a-f]{32}$/);
  assert.deepEqual(metadata!.annotations, { "orch.io/config.hash": metadata!.uid });
  assert.equal(spec!.nodeName, "node1");
  assert.equal(spec!.restartPolicy, "Always");
  assert.equal(spec!.containers![0]!.imagePullPolicy, "IfNotPresent");
  assert.deepEqual(spec!.tolerations, [{ operator: "Exists", effect: "NoExecute" }]);
  assert.deepEqual(status, { phase: "Pending" });
  const uid = (text: string, place?: string) => read(text, "file", place)[0]!.metadata!.uid;
  const json = { kind: "Pod", apiVersion: "v1", spec: { containers: [{ image: "example.org/i:1", name: "c" }] } };
  assert.equal(uid(JSON.stringify({ ...json, metadata: { name: "web" } })), metadata!.uid);
  assert.notEqual(uid(yaml("web"), "/p/b.yaml"), metadata!.uid);
  assert.notEqual(uid(yaml("web", "    tty: true")), metadata!.uid);
  assert.equal(uid(yaml("web").replace("name: web", "name: web\n  uid: mine")), "mine");
});

Deno.test("manifests that cannot be run are refused, and say why", () => {
  const list = (...names: string[]) =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "PodList",
      items: names.map((name) => ({ metadata: { name }, spec: { containers: [{ name: "c", image: "i" }] } })),
    });
  assert.deepEqual(read(list("a", "b"), "http").map((p) => p.metadata!.name), ["a-node1", "b-node1"]);
  assert.equal(read(list("a"), "http")[0]!.spec!.tolerations, undefined);
  assert.throws(() => read(list("a")), /couldn't parse as pod \(it is a PodList\)/);
  assert.throws(() => read(yaml("''")), /name is needed for the pod/);
  assert.throws(() => read(yaml("web").replace("image: example.org/i:1", "image: ''")), /spec\.containers\[0\]\.image/);
  const refused: Record<string, string> = {
    "  serviceAccountName: x": "serviceaccounts",
    "  imagePullSecrets: [{name: x}]": "secrets",
    "    envFrom: [{configMapRef: {name: x}}]": "configmaps",
    "    env: [{name: A, valueFrom: {secretKeyRef: {name: x, key: k}}}]": "secrets",
    "  volumes: [{name: v, configMap: {name: x}}]": "configmaps",
    "  volumes: [{name: v, csi: {driver: x.y}}]": "csidrivers (via CSI volumes)",
    "  volumes: [{name: v, persistentVolumeClaim: {claimName: x}}]": "persistentvolumeclaims",
    "  volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {path: t, name: x}}]}}]": "clustertrustbundles",
  };
  for (const [more, what] of Object.entries(refused)) {
    assert.throws(() => read(yaml("web", more)), { message: `static pods may not reference ${what}` });
  }
  assert.equal(read(yaml("web", "  volumes: [{name: v, hostPath: {path: /x}}, {name: w, emptyDir: {}}]")).length, 1);
});

/** Runs a source until the test is done; `now` tells the names of what it delivered last. */
async function running(
  source: { run(deliver: (pods: readonly Pod[]) => void, signal: AbortSignal): Promise<void> },
  run: (now: () => string | undefined, deliveries: () => number) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  let last: string | undefined, count = 0;
  const done = source.run((pods) => {
    last = pods.map((p) => p.metadata!.name!.replace(/-node1$/, "")).join();
    count++;
  }, stop.signal);
  try {
    await run(() => last, () => count);
  } finally {
    stop.abort();
    await done;
  }
}

const files = (podManifestPath: string, fileCheckFrequency = 3_600_000) =>
  new FileSource({ ...context, podManifestPath, fileCheckFrequency, clock: realClock, log });

/** A file that the kernel says is there, and does not read. */
const FAULTY = "/sys/devices/system/cpu/power/autosuspend_delay_ms";

function isFaulty(): boolean {
  try {
    return Deno.readTextFileSync(FAULTY) === "never";
  } catch (e) {
    return !(e instanceof Deno.errors.NotFound);
  }
}

Deno.test({
  name: "a manifest that the system does not read is what it was until it does",
  ignore: !isFaulty(), // no such file on this machine
  async fn() {
    const dir = Deno.makeTempDirSync();
    const failures = () => logged.filter((line) => line.includes(`"path":"${dir}/a.yaml"`)).length;
    const put = (target: string) => {
      Deno.symlinkSync(target, `${dir}/.new`);
      Deno.renameSync(`${dir}/.new`, `${dir}/a.yaml`);
    };
    try {
      Deno.writeTextFileSync(`${dir}/.one`, yaml("one"));
      Deno.writeTextFileSync(`${dir}/.two`, yaml("two"));
      put(`${dir}/.one`);
      await running(files(dir, 1), async (now) => {
        await until(() => now() === "one");
        for (const fault of [FAULTY, "a.yaml"]) {
          const before = failures();
          put(fault);
          await until(() => failures() > before + 2);
          assert.equal(now(), "one");
        }
        put(`${dir}/.two`);
        await until(() => now() === "two");
        put(`${dir}/.none`);
        await until(() => now() === "");
      });
    } finally {
      Deno.removeSync(dir, { recursive: true });
    }
  },
});

Deno.test("a directory is followed at once; hidden files, directories and broken files are passed over", async () => {
  const dir = Deno.makeTempDirSync();
  const put = (name: string, text: string) => Deno.writeTextFileSync(`${dir}/${name}`, text);
  try {
    put("b.yaml", yaml("b"));
    put("a.json", yaml("a"));
    put(".hidden", yaml("hidden"));
    put("broken", "kind: [");
    Deno.mkdirSync(`${dir}/sub`);
    await running(files(dir), async (now) => {
      await until(() => now() === "a,b");
      put("c.yaml", yaml("c"));
      await until(() => now() === "a,b,c");
      // Half written: what was there before stays.
      put("b.yaml", "kind: [");
      put("d.yaml", yaml("d"));
      await until(() => now() === "a,b,c,d");
      Deno.removeSync(`${dir}/b.yaml`);
      Deno.renameSync(`${dir}/.hidden`, `${dir}/e.yaml`);
      await until(() => now() === "a,c,d,hidden");
    });
    put("d.yaml", "kind: [");
    await running(files(dir, 1), async (now) => {
      await until(() => now() === "a,c,hidden");
      put("c.yaml", "broken");
      await until(() => now() === "a,hidden");
    });
    // The host's clock is set back again and again.
    let set = Date.now();
    const clock = { ...realClock, now: () => set -= 3_600_000 };
    await running(
      new FileSource({ ...context, podManifestPath: dir, fileCheckFrequency: 1, clock, log }),
      async (now) => {
        await until(() => now() === "a,hidden");
        put("a.json", "broken");
        await until(() => now() === "hidden");
      },
    );
    assert.match(logged.join("\n"), /Could not process manifest file \{"path":"[^"]*\/broken"/);
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
});

Deno.test("a single file is followed where it lies, and a path that is not there has no pods", async () => {
  const dir = Deno.makeTempDirSync();
  const path = `${dir}/pod.yaml`;
  try {
    await running(files(path, 1), async (now) => {
      await until(() => now() === "");
      Deno.writeTextFileSync(path, yaml("one"));
      await until(() => now() === "one");
    });
    await running(files(path), async (now, deliveries) => {
      await until(() => now() === "one");
      Deno.writeTextFileSync(`${dir}/new`, yaml("two"));
      Deno.renameSync(`${dir}/new`, path);
      await until(() => now() === "two");
      assert.equal(deliveries(), 2);
    });
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
});

Deno.test("a watch of the system's that fails is begun anew, and files are looked at meanwhile", async () => {
  const dir = Deno.makeTempDirSync(), watch = Deno.watchFs;
  const failed = Promise.withResolvers<void>();
  Deno.watchFs = (...args) => {
    Deno.watchFs = watch;
    const watcher = watch(...args);
    return Object.assign(watcher, { [Symbol.asyncIterator]: () => ({ next: () => failed.promise }) });
  };
  try {
    await running(files(dir), async (now) => {
      await until(() => now() === "");
      Deno.writeTextFileSync(`${dir}/a.yaml`, yaml("a"));
      failed.reject(new Error("the queue is gone"));
      await until(() => now() === "a");
      Deno.writeTextFileSync(`${dir}/b.yaml`, yaml("b"));
      await until(() => now() === "a,b");
    });
  } finally {
    Deno.watchFs = watch;
    Deno.removeSync(dir, { recursive: true });
  }
});

Deno.test("a web page is asked with its headers, and heard when it changes", async () => {
  let page = JSON.stringify({ kind: "Pod", apiVersion: "v1", metadata: { name: "a" }, spec: specOf() });
  let status = 200, asked = 0, header: unknown;
  const server = createServer((q, r) => {
    asked++;
    header = q.headers["x-key"];
    r.writeHead(status).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const source = new HttpSource({
    ...context,
    manifestUrl: `http://127.0.0.1:${port}/pods`,
    manifestUrlHeader: { "x-key": ["1", "2"] },
    httpCheckFrequency: 1,
    clock: realClock,
    log,
  });
  try {
    await running(source, async (now, deliveries) => {
      await until(() => now() === "a" && asked > 2);
      assert.deepEqual([deliveries(), header], [1, "1, 2"]);
      status = 500;
      page = "";
      const from = asked;
      await until(() => asked > from + 2);
      assert.equal(now(), "a");
      status = 200;
      const items = ["x", "y"].map((name) => ({ metadata: { name }, spec: specOf() }));
      page = JSON.stringify({ kind: "PodList", apiVersion: "v1", items });
      await until(() => now() === "x,y");
      page = "";
      await until(() => now() === "");
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const specOf = () => ({ containers: [{ name: "c", image: "i" }] });
