import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { Scheme } from "../../schema/scheme.ts";
import { builtinCatalog, type Catalog } from "../../server/catalog/catalog.ts";
import { parseOptions } from "../../server/options/mod.ts";

function catalogOf(...flags: string[]): Catalog {
  const parsed = parseOptions(["--runtime-config=api/all=true", ...flags]);
  assert.equal(parsed.kind, "run", JSON.stringify(parsed));
  if (parsed.kind !== "run") throw new Error();
  return builtinCatalog(new Scheme(productOf("kubernetes")), parsed.options.runtime, "/registry");
}

const versions = (catalog: Catalog, id: string) => catalog.resource(id)?.served.map((s) => s.version) ?? [];

Deno.test("--emulated-version: versions that are gone are served again, later ones are not there yet", () => {
  const now = catalogOf(), before = catalogOf("--emulated-version=1.36");
  assert.deepEqual(versions(now, "servicecidrs.networking.k8s.io"), ["v1"]);
  assert.deepEqual(versions(before, "servicecidrs.networking.k8s.io"), ["v1", "v1beta1"]);
  assert.deepEqual(versions(now, "evictionrequests.lifecycle.k8s.io"), ["v1alpha1"]);
  assert.deepEqual(versions(before, "evictionrequests.lifecycle.k8s.io"), []);
  assert.deepEqual(versions(now, "clustertrustbundles.certificates.k8s.io"), ["v1", "v1beta1"]);
  assert.deepEqual(versions(before, "clustertrustbundles.certificates.k8s.io"), ["v1beta1", "v1alpha1"]);
  assert.deepEqual(versions(now, "podgroups.scheduling.k8s.io"), ["v1beta1", "v1alpha3"]);
  assert.deepEqual(versions(before, "podgroups.scheduling.k8s.io"), ["v1alpha2"]);
  assert.equal(before.resource("workloads.scheduling.k8s.io")?.storageKind.version, "v1alpha2");
  assert.equal(now.resource("workloads.scheduling.k8s.io")?.storageKind.version, "v1beta1");
});

Deno.test("--min-compatibility-version: what is stored can be read by servers of that version", () => {
  const stored = (...flags: string[]) => {
    const catalog = catalogOf(...flags);
    return ["mutatingadmissionpolicies.admissionregistration.k8s.io", "devicetaintrules.resource.k8s.io"]
      .map((id) => catalog.resource(id)!.storageKind.version);
  };
  assert.deepEqual(stored(), ["v1", "v1beta2"]);
  assert.deepEqual(stored("--min-compatibility-version=1.37"), ["v1", "v1beta2"]);
  assert.deepEqual(stored("--min-compatibility-version=1.35"), ["v1beta1", "v1beta2"]);
  assert.deepEqual(stored("--emulated-version=1.36"), ["v1beta1", "v1beta2"]);
  assert.deepEqual(stored("--emulated-version=1.36", "--min-compatibility-version=1.36"), ["v1", "v1beta2"]);
});

Deno.test("--emulation-forward-compatible: later stable versions of what is served are served", () => {
  const catalog = catalogOf("--emulated-version=1.36", "--emulation-forward-compatible");
  assert.deepEqual(versions(catalog, "clustertrustbundles.certificates.k8s.io"), ["v1", "v1beta1", "v1alpha1"]);
  assert.deepEqual(versions(catalog, "evictionrequests.lifecycle.k8s.io"), []);
});

Deno.test("--runtime-config-emulation-forward-compatible: newer APIs may be named", () => {
  const flags = ["--emulated-version=1.36", "--runtime-config=lifecycle.k8s.io/v1alpha1=true"];
  assert.throws(() => catalogOf(...flags), /lifecycle.k8s.io\/v1alpha1 is newer than the emulated version 1.36/);
  const named = catalogOf(...flags, "--runtime-config-emulation-forward-compatible");
  assert.deepEqual(versions(named, "evictionrequests.lifecycle.k8s.io"), ["v1alpha1"]);
});

Deno.test("--runtime-config: a version or resource alone is on, a stage needs its value", () => {
  assert.deepEqual(versions(catalogOf("--runtime-config=api/all=false,apps/v1,api/v1"), "deployments.apps"), ["v1"]);
  for (const bad of ["api/all", "api/beta=1", "apps/v1=maybe"]) {
    assert.match(JSON.stringify(parseOptions([`--runtime-config=${bad}`])), /should be true or false/, bad);
  }
});
