/** Admission plugin DenyServiceExternalIPs: see _table.ts. */
import { obj, table } from "./_table.ts";

const service = (spec = {}) => obj("v1", "Service", "s", { spec: { ports: [{ port: 80 }], ...spec } });
const external = service({ externalIPs: ["1.2.3.4"] });
const changeIps = (externalIPs: string[]) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}/services/s",
  type: "application/merge-patch+json",
  body: { spec: { externalIPs } },
});

table("DenyServiceExternalIPs", {
  on: {
    "a new service": { post: external, says: /Use of external IPs is denied by admission control$/ },
    "an update that adds one": { given: [service()], request: changeIps(["1.2.3.4"]), says: /Use of external IPs/ },
  },
  edge: {
    "an update that takes them away": { given: [service()], request: changeIps([]) },
    "a service without": { post: service() },
  },
  dryRun: {
    "in a dry run": { post: external, says: /Use of external IPs is denied/ },
  },
  off: {
    "as you like": { post: external },
  },
});
