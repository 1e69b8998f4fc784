import { table } from "./_table.ts";

const condition = (type: string, status = "True") => ({
  type,
  status,
  reason: "R",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
});

for (const version of ["v1", "v1beta1"]) {
  table({
    kind: `storagemigration.k8s.io/${version}/StorageVersionMigration`,
    resource: "storageversionmigrations",
    namespaced: false,
    good: { spec: { resource: { group: "", resource: "secrets" } } },
    rows: [
      { set: { "spec.resource.resource": "" }, causes: ["spec.resource.resource Required"] },
      { set: { "spec.resource.resource": "1a" }, causes: ["spec.resource.resource Invalid"] },
      { set: { "spec.resource.group": "A" }, causes: ["spec.resource.group Invalid"] },
      { on: "update", set: { "spec.resource.group": "x" }, causes: ["spec Invalid"] },
      { on: "status", set: { "status.resourceVersion": "x" }, causes: ["status.resourceVersion Invalid"] },
      { on: "status", set: { "status.resourceVersion": "0" }, causes: ["status.resourceVersion Invalid"] },
      {
        on: "status",
        from: { "status.resourceVersion": "5" },
        set: { "status.resourceVersion": "6" },
        causes: ["status.resourceVersion Invalid"],
      },
      {
        on: "status",
        set: { "status.conditions": [condition("Succeeded"), condition("Running")] },
        causes: ["status.conditions Invalid"],
      },
      {
        on: "status",
        from: { "status.conditions": [condition("Failed")] },
        set: { "status.conditions": [condition("Failed", "False")] },
        causes: ["status.conditions Invalid"],
      },
    ],
  });
}
