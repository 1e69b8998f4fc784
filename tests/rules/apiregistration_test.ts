import { table } from "./_table.ts";

table({
  kind: "apiregistration.k8s.io/v1/APIService",
  resource: "apiservices",
  namespaced: false,
  good: {
    metadata: { name: "v1.x.io", finalizers: ["any"] },
    spec: {
      group: "x.io",
      version: "v1",
      groupPriorityMinimum: 1,
      versionPriority: 1,
      service: { name: "s", namespace: "n" },
    },
  },
  rows: [
    { set: { "metadata.name": "v1.y.io" }, causes: ["metadata.name Invalid"] },
    { set: { "metadata.name": "a/b" }, causes: ["metadata.name Invalid"] },
    { set: { "metadata.generateName": ".." }, causes: ["metadata.generateName Invalid"] },
    { set: { "spec.group": "" }, causes: ["metadata.name Invalid"] },
    { set: { "spec.version": "1" }, causes: ["metadata.name Invalid", "spec.version Invalid"] },
    { set: { "spec.groupPriorityMinimum": 20001 }, causes: ["spec.groupPriorityMinimum Invalid"] },
    { set: { "spec.versionPriority": 0 }, causes: ["spec.versionPriority Invalid"] },
    { set: { "spec.service.port": 0 }, causes: ["spec.service.port Invalid"] },
    { set: { "spec.service": undefined, "spec.caBundle": "YQ==" }, causes: ["spec.caBundle Invalid"] },
    {
      set: { "spec.insecureSkipTLSVerify": true, "spec.caBundle": "YQ==" },
      causes: ["spec.insecureSkipTLSVerify Invalid"],
    },
    { on: "update", set: { "spec.version": "v2" }, causes: ["metadata.name Invalid"] },
    {
      on: "status",
      set: { "status.conditions": [{ type: "Available", status: "Maybe" }] },
      causes: ["status.conditions[0].status NotSupported"],
    },
  ],
});
