/** Makes the manager of storage versions, where its gates and its API are on. */
import type { Scheme } from "../../schema/scheme.ts";
import { serverIdentity } from "../bootstrap/system.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ServerInputs } from "../inputs.ts";
import type { Registries } from "../registry/registries.ts";
import { versionEntries } from "./entries.ts";
import { STORAGE_VERSIONS, StorageVersions } from "./manager.ts";

/** Undefined with one of its gates off (StorageVersionAPI, APIServerIdentity), or where the objects are not served. */
export function makeStorageVersions(
  inputs: ServerInputs,
  scheme: Scheme,
  catalog: Catalog,
  registries: Registries,
): StorageVersions | undefined {
  const { gates, product } = inputs.options;
  if (!["StorageVersionAPI", "APIServerIdentity"].every((g) => gates.enabled(g))) return undefined;
  if (!registries.byId(STORAGE_VERSIONS)) {
    inputs.log(
      "warn",
      "the gate StorageVersionAPI needs internal.apiserver.k8s.io/v1alpha1: turn it on by --runtime-config",
    );
    return undefined;
  }
  return new StorageVersions({
    product,
    registries,
    server: serverIdentity(inputs.hostname, inputs.address.port),
    entries: versionEntries(scheme, catalog),
    now: inputs.now,
    log: inputs.log,
  });
}
