import assert from "node:assert/strict";
import { FeatureGates, parseGates } from "../../schema/flags/gates/feature_gates.ts";
import { RuntimeConfig } from "../../server/options/runtime_config.ts";

const components = ["orch"];
const gates = (text: string, minor = 37) => {
  const parsed = parseGates([text], components, minor);
  assert.deepEqual(parsed.errors, []);
  return new FeatureGates(parsed.set, minor);
};

Deno.test("gates of the specification have its stages and defaults", () => {
  const g = gates("");
  for (const off of ["CBORServingAndStorage", "ShardedListAndWatch", "AllAlpha", "AllBeta"]) {
    assert.equal(g.enabled(off), false, off);
  }
  for (
    const on of [
      "APIResponseCompression",
      "AllowUnsafeMalformedObjectDeletion",
      "ListFromCacheSnapshot",
      "WatchList",
      "UnknownVersionInteroperabilityProxy",
      "RemoteRequestHeaderUID",
      "RotateKubeletServerCertificate",
    ]
  ) assert.equal(g.enabled(on), true, on);
});

Deno.test("AllAlpha and AllBeta are defaults, single gates win", () => {
  const g = gates("AllAlpha = true, orch : ShardedListAndWatch = false ,AllBeta=F");
  assert.equal(g.enabled("CBORServingAndStorage"), true);
  assert.equal(g.enabled("ShardedListAndWatch"), false);
  assert.equal(g.enabled("WatchList"), false);
  assert.equal(g.enabled("MultiCIDRServiceAllocator"), true, "stable gates stay on");
});

Deno.test("an emulated version has its own gates", () => {
  assert.equal(gates("", 36).enabled("AllowUnsafeMalformedObjectDeletion"), false);
  assert.equal(gates("AllAlpha=true", 36).enabled("EvictionRequestAPI"), false);
  assert.match(parseGates(["EvictionRequestAPI=true"], components, 36).errors[0]!, /newer than 1.36/);
});

const HISTORY: readonly (readonly [string, number, string, boolean])[] = [
  ["ImageVolume", 34, "BETA", false],
  ["ImageVolume", 35, "BETA", true],
  ["ImageVolume", 37, "GA", true],
  ["ClusterTrustBundle", 36, "BETA", false],
  ["ClusterTrustBundle", 37, "BETA", false],
  ["MutatingAdmissionPolicy", 37, "GA", true],
  ["StatefulSetRecreateStrategy", 37, "ALPHA", false],
  ["DRAFractionalCapacityRange", 37, "BETA", false],
  ["HPAGeneration", 37, "BETA", false],
  ["GenericWorkload", 37, "BETA", false],
  ["CoordinatedLeaderElection", 37, "BETA", false],
];
for (const [name, minor, stage, on] of HISTORY) {
  Deno.test(`${name} in 1.${minor}`, () => {
    const found = [...gates("", minor).entries()].find((e) => e.name === name)!;
    assert.deepEqual([found.stage, found.enabled], [stage, on]);
  });
}

Deno.test("what is stable may be turned off where it is not locked, what is deprecated not where it is", () => {
  assert.equal(gates("MutatingAdmissionPolicy=false").enabled("MutatingAdmissionPolicy"), false);
  assert.equal(gates("HPAGeneration=true").enabled("HPAGeneration"), true);
  assert.match(parseGates(["GitRepoVolumeDriver=true"], components).errors[0]!, /locked to false/);
  assert.match(parseGates(["HPAGeneration=true"], components, 36).errors[0]!, /newer than 1.36/);
});

Deno.test("gates that need others warn without them; as they are by default no version lacks any", () => {
  for (const minor of [34, 35, 36, 37]) {
    for (const all of ["", "AllBeta=true", ...(minor > 35 ? ["AllAlpha=true,AllBeta=true"] : [])]) {
      assert.deepEqual(parseGates([all], components, minor).warnings, [], `${minor} ${all}`);
    }
  }
  const wrong = (text: string) => parseGates([text], components).warnings.join();
  assert.match(wrong("WorkloadWithJob=true"), /WorkloadWithJob is on, but needs what is off: GenericWorkload/);
  assert.equal(wrong("WorkloadWithJob=true,GenericWorkload=true"), "");
  assert.match(wrong("PodLevelResources=false"), /PodLevelResources/);
});

Deno.test("faults of gates", () => {
  const { errors } = parseGates(["Nope=true,WatchList=maybe", "else:WatchList=true,x,NodeSwap=false"], components);
  assert.equal(errors.length, 5);
  assert.match(errors[0]!, /unrecognized feature gate: Nope/);
});

Deno.test("runtime config: the more exact key wins", () => {
  const { config, errors } = RuntimeConfig.parse({
    "api/all": "false",
    "api/beta": "true",
    "v1": "true",
    "apps/v1": "true",
    "apps/v1/daemonsets": "false",
    "batch/v1beta1": "false",
  });
  assert.deepEqual(errors, []);
  const on = (g: string, v: string, r: string) => config.enabled(g, v, r, true);
  assert.equal(on("", "v1", "pods"), true);
  assert.equal(on("apps", "v1", "deployments"), true);
  assert.equal(on("apps", "v1", "daemonsets"), false);
  assert.equal(on("batch", "v1", "jobs"), false);
  assert.equal(on("batch", "v1beta1", "cronjobs"), false);
  assert.equal(on("policy", "v1beta1", "x"), true);
  assert.equal(RuntimeConfig.parse({}).config.enabled("a", "v1alpha1", "x", false), false);
  assert.deepEqual(config.unknownKeys(new Set(["v1", "apps/v1"])), ["batch/v1beta1"]);
  assert.equal(RuntimeConfig.parse({ "what": "true", "api/ga": "x" }).errors.length, 2);
});
