import assert from "node:assert/strict";
import { FeatureGates } from "../../schema/flags/gates/feature_gates.ts";
import { parseOptions } from "../../server/options/mod.ts";
import type { TestServer } from "../fixture/server.ts";
import { createMaps, map, maps, namespace, ok, openWatch, refused, sharedServer, spec, withServer } from "./_spec.ts";

const server = sharedServer();

const errorsOf = (...flags: string[]): readonly string[] => {
  const parsed = parseOptions(flags);
  return parsed.kind === "errors" ? parsed.errors : [];
};

/** Group versions that a server serves. */
async function served(t: TestServer): Promise<string[]> {
  const groups = (await ok(t, "/apis")).body.groups as { versions: { groupVersion: string }[] }[];
  const core = (await ok(t, "/api")).body.versions as string[];
  return [...core, ...groups.flatMap((g) => g.versions.map((v) => v.groupVersion))];
}

/** Group, version and name of all types that a server with these flags serves. */
async function types(...flags: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  await withServer(flags, async (t) => {
    for (const gv of await served(t)) {
      const { resources } = (await ok(t, gv.includes("/") ? `/apis/${gv}` : `/api/${gv}`)).body;
      for (const { name } of resources as { name: string }[]) if (!name.includes("/")) found.add(`${gv}/${name}`);
    }
  });
  return found;
}

spec("Versioning", {
  "rule 1": async () => {
    const t = await server();
    const versions = await served(t);
    for (const gv of versions) {
      const [, version] = /(?:^|\/)([^/]+)$/.exec(gv)!;
      assert.match(version!, /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/);
      const path = gv.includes("/") ? `/apis/${gv}` : `/api/${gv}`;
      const { body } = await ok(t, path);
      assert.equal(body.groupVersion, gv);
      const type = body.resources.find((r: { name: string; verbs: string[] }) =>
        !r.name.includes("/") && r.verbs.includes("list")
      );
      if (type) await ok(t, `${path}/${type.name}`);
    }
    assert.ok(versions.includes("v1") && versions.includes("apps/v1"));
    await refused(t, 404, "/api/v1/deployments");
    assert.equal((await t.fetch("/apis/apps/v9/deployments")).status, 404);
  },
  "rule 2": async () => {
    const t = await server();
    const ns = await namespace(t);
    const path = (v: string) => `/apis/autoscaling/${v}/namespaces/${ns}/horizontalpodautoscalers`;
    const body = {
      metadata: { name: "h" },
      spec: {
        maxReplicas: 5,
        targetCPUUtilizationPercentage: 70,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
      },
    };
    await ok(t, path("v1"), { body });
    const two = (await ok(t, `${path("v2")}/h`)).body;
    assert.equal(two.spec.metrics[0].resource.target.averageUtilization, 70);
    two.spec.maxReplicas = 9;
    const put = await ok(t, `${path("v2")}/h`, { method: "PUT", body: two });
    const one = (await ok(t, `${path("v1")}/h`)).body;
    assert.equal(one.spec.maxReplicas, 9);
    assert.equal(one.metadata.resourceVersion, put.body.metadata.resourceVersion);
    await ok(t, `${path("v1")}/h`, { method: "DELETE" });
    await refused(t, 404, `${path("v2")}/h`);
  },
  "rule 3": async () => {
    const plain = await served(await server());
    assert.ok(!plain.some((gv) => /alpha|beta/.test(gv)), `${plain}`);
    const withFlag = async (flag: string) => {
      let found: string[] = [];
      await withServer([`--runtime-config=${flag}`], async (t) => {
        found = await served(t);
      });
      return found;
    };
    const all = await withFlag("api/all=true");
    assert.ok(all.some((gv) => /alpha\d+$/.test(gv)) && all.some((gv) => /beta\d+$/.test(gv)));
    const beta = await withFlag("api/beta=true"), alpha = await withFlag("api/alpha=true");
    assert.deepEqual(beta.filter((gv) => /beta/.test(gv)), all.filter((gv) => /beta/.test(gv)));
    assert.deepEqual(alpha.filter((gv) => /alpha/.test(gv)), all.filter((gv) => /alpha/.test(gv)));
    assert.ok(beta.every((gv) => !/alpha/.test(gv)) && alpha.every((gv) => !/beta/.test(gv)));
    const stable = (gvs: string[]) => gvs.filter((gv) => !/alpha|beta/.test(gv));
    for (const found of [all, beta, alpha]) assert.deepEqual(stable(found), plain);
    assert.ok(!(await withFlag("batch/v1=false")).includes("batch/v1"));
    assert.ok((await withFlag("api/ga=true")).includes("apps/v1"));
    const legacy = parseOptions(["--runtime-config=api/legacy=true"]);
    assert.ok(legacy.kind === "run" && legacy.warnings.some((w) => w.includes("deprecated")));
  },
  "rule 4": async () => {
    const parsed = parseOptions([]);
    assert.equal(parsed.kind === "run" && parsed.options.versions.emulated, 37);
    for (const v of ["1.34", "1.37"]) assert.deepEqual(errorsOf(`--emulated-version=orch=${v}`), []);
    for (const v of ["1.33", "1.38", "x"]) assert.equal(errorsOf(`--emulated-version=orch=${v}`).length, 1);
    assert.equal(errorsOf("--emulation-forward-compatible=true").length, 1);
    const all = "--runtime-config=api/all=true", old = "--emulated-version=orch=1.34";
    const gates = "--feature-gates=AllAlpha=true,AllBeta=true";
    const now = await types(gates, all), then = await types(gates, all, old);
    const newer = [...now].filter((t) => !then.has(t));
    assert.ok(newer.length > 0);
    // Later versions of what the emulated version serves, but for alpha ones.
    const forward = await types(gates, "--runtime-config=api/beta=true", old, "--emulation-forward-compatible=true");
    assert.ok([...forward].some((t) => newer.includes(t)), "none of the later ones is served");
    const without = await types(gates, "--runtime-config=api/beta=true", old);
    assert.ok([...without].every((t) => then.has(t)));
    assert.ok([...forward].every((t) => then.has(t) || (newer.includes(t) && !t.includes("alpha"))));
    // What is newer is not asked for by name, unless an option allows it.
    // Gates of scheduling and eviction came later too, so they are off.
    const gated = (t: string) => /^(?:scheduling|lifecycle)\./.test(t);
    const versionOf = (t: string) => t.slice(0, t.lastIndexOf("/") + 1);
    const named = newer.find((t) => !gated(t) && ![...then].some((o) => o.startsWith(versionOf(t))))!;
    const config = `--runtime-config=${named.slice(0, named.lastIndexOf("/"))}=true`;
    await assert.rejects(withServer([gates, old, config], async () => {}), /is newer than the emulated version/);
    const allowed = await types(gates, old, config, "--runtime-config-emulation-forward-compatible=true");
    assert.ok(allowed.has(named), named);
    await withServer([old], async (t) => {
      const { body } = await ok(t, "/version");
      assert.deepEqual([body.minor, body.emulationMinor], ["37", "34"]);
    });
  },
  "rule 5": async () => {
    const versions = (...flags: string[]) => {
      const parsed = parseOptions(flags);
      assert.equal(parsed.kind, "run");
      return parsed.kind === "run" ? parsed.options.versions : undefined;
    };
    assert.equal(versions()!.minCompatible, 36);
    assert.equal(versions("--min-compatibility-version=orch=1.34")!.minCompatible, 34);
    for (const v of ["1.33", "1.38", "x"]) assert.equal(errorsOf(`--min-compatibility-version=orch=${v}`).length, 1);
    assert.equal(errorsOf("--emulated-version=orch=1.35", "--min-compatibility-version=orch=1.36").length, 1);
    for (const option of ["--emulated-version", "--min-compatibility-version"]) {
      for (const twice of [[`${option}=1.37`, `${option}=orch=1.37`], [`${option}=orch=1.36,1.37`]]) {
        assert.equal(errorsOf(...twice).length, 1, twice.join(" ")); // a component has one version
      }
    }
    for (const [flags, minor] of [[[], "36"], [["--min-compatibility-version=orch=1.35"], "35"]] as const) {
      await withServer(flags, async (t) => {
        assert.equal((await ok(t, "/version")).body.minCompatibilityMinor, minor);
      });
    }
  },
  "rule 6": () => {
    const parsed = parseOptions([]);
    assert.equal(parsed.kind, "run");
    const gates = new FeatureGates(new Map());
    const on = ["APIResponseCompression", "AllowUnsafeMalformedObjectDeletion", "ListFromCacheSnapshot", "WatchList"];
    const alsoOn = ["UnknownVersionInteroperabilityProxy", "RemoteRequestHeaderUID", "RotateKubeletServerCertificate"];
    for (const name of [...on, ...alsoOn]) assert.equal(gates.enabled(name), true, name);
    for (const name of ["CBORServingAndStorage", "ShardedListAndWatch", "AllAlpha", "AllBeta"]) {
      assert.equal(gates.enabled(name), false, name);
    }
    const entries = new Map([...gates.entries()].map((e) => [e.name, e.stage]));
    assert.equal(entries.get("CBORServingAndStorage"), "ALPHA");
    for (const name of on) assert.equal(entries.get(name), "BETA", name);
    const set = parseOptions([
      "--feature-gates=orch:CBORServingAndStorage=true,WatchList=false",
      "--feature-gates=ShardedListAndWatch=true",
    ]);
    assert.equal(set.kind, "run");
    if (set.kind !== "run") return;
    const values = ["CBORServingAndStorage", "WatchList", "ShardedListAndWatch"].map((g) =>
      set.options.gates.enabled(g)
    );
    assert.deepEqual(values, [true, false, true]);
    const all = parseOptions(["--feature-gates=AllAlpha=true"]);
    assert.equal(all.kind === "run" && all.options.gates.enabled("CBORServingAndStorage"), true);
    for (const bad of ["Nothing=true", "WatchList", "WatchList=maybe", "other:WatchList=true"]) {
      assert.ok(errorsOf(`--feature-gates=${bad}`).length > 0, bad);
    }
  },
  "rule 7": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b");
    // On without being asked for: streaming and chunked lists, validation, dry run, version matches, forced deletion.
    const w = await openWatch(t, `${maps(ns)}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
    await w.take(2);
    await w.stop();
    assert.ok((await ok(t, `${maps(ns)}?limit=1`)).body.metadata.continue);
    assert.equal((await ok(t, maps(ns), { body: { ...map("c"), odd: 1 } })).warnings.length, 1);
    await ok(t, `${maps(ns)}?dryRun=All`, { body: map("d") });
    await ok(t, `${maps(ns)}?resourceVersion=0&resourceVersionMatch=NotOlderThan`);
    assert.equal((await ok(t, "/healthz")).text, "ok");
    assert.equal((await ok(t, "/livez/ping")).text, "ok");
    // Off: what is alpha.
    await refused(t, 406, maps(ns), { headers: { accept: "application/cbor" } });
    assert.equal((await ok(t, `${maps(ns)}?shardSelector=x`)).body.metadata.shardInfo, undefined);
  },
  "rule 8": async () => {
    const t = await server();
    for (const path of ["/api/v1/namespaces/default", "/api/v1/namespaces", "/api/v1/namespaces/missing"]) {
      const response = await t.open(path, { headers: { accept: "application/vnd.kubernetes.protobuf" } });
      const bytes = new Uint8Array(await response.arrayBuffer());
      assert.deepEqual([...bytes.subarray(0, 4)], [0x6b, 0x38, 0x73, 0x00], path);
    }
  },
  "rule 9": () => {
    const parsed = parseOptions([]);
    assert.equal(parsed.kind, "run");
    if (parsed.kind !== "run") return;
    const { options } = parsed;
    assert.equal(options.auditLogVersion, "audit.orch.io/v1");
    assert.equal(options.auditWebhookVersion, "audit.orch.io/v1");
    assert.equal(options.authenticationTokenWebhookVersion, "v1beta1");
    assert.equal(options.authorizationWebhookVersion, "v1beta1");
  },
  "rule 10": async () => {
    const t = await server();
    const ns = await namespace(t);
    const versions = await createMaps(t, ns, "a", "b", "c");
    for (const [i, v] of versions.entries()) {
      assert.match(v, /^[1-9]\d*$/);
      if (i > 0) assert.ok(BigInt(versions[i - 1]!) < BigInt(v));
    }
  },
});
