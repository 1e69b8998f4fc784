import { table } from "./_table.ts";

const server = (id: string, encodingVersion: string) => ({
  apiServerID: id,
  encodingVersion,
  decodableVersions: [encodingVersion],
});

table({
  kind: "internal.apiserver.k8s.io/v1alpha1/StorageVersion",
  resource: "storageversions",
  namespaced: false,
  good: { metadata: { name: "apps.deployments" }, spec: {} },
  rows: [
    { set: { "metadata.name": "deployments" }, causes: ["metadata.name Invalid"] },
    { set: { "metadata.name": "Apps.1" }, causes: ["metadata.name Invalid", "metadata.name Invalid"] },
    {
      on: "status",
      set: {
        "status.storageVersions": [server("a", "apps/v1"), server("b", "apps/v1")],
        "status.commonEncodingVersion": "apps/v1",
      },
      causes: [],
    },
    {
      on: "status",
      set: {
        "status.storageVersions": [{ ...server("a", "v1"), servedVersions: ["v2"] }, server("a", "v1")],
        "status.commonEncodingVersion": "v1",
      },
      causes: [
        "status.storageVersions[0].servedVersions[0] Invalid",
        "status.storageVersions[1].apiServerID Duplicate",
      ],
    },
    {
      on: "status",
      set: { "status.storageVersions": [server("a", "apps/v1")] },
      causes: ["status.commonEncodingVersion Invalid"],
    },
    {
      on: "status",
      set: { "status.storageVersions": [server("a", "v1"), { ...server("B", "v2"), decodableVersions: ["x/y/z"] }] },
      causes: [
        "status.storageVersions[1].apiServerID Invalid",
        "status.storageVersions[1].decodableVersions Invalid",
        "status.storageVersions[1].decodableVersions[0] Invalid",
      ],
    },
    {
      on: "status",
      set: {
        "status.conditions": [{ type: "A", status: "True", reason: "R" }, { type: "A", status: "", message: "m" }],
      },
      causes: [
        "status[0].message Required",
        "status[1].reason Required",
        "status[1].status Invalid",
        "status[1].status Invalid",
        "status[1].type Invalid",
      ],
    },
  ],
});
