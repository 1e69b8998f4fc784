/** The printer of nodes. */
import type { Obj } from "../../schema/model/types.ts";
import { AGE, col, NAME, type Read, table, wide } from "./parts.ts";
import { conditionOf, orNone } from "./text.ts";
import type { Printer } from "./types.ts";

function status(o: Obj): string {
  const ready = conditionOf(o, "Ready");
  const state = ready ? ready.status === "True" ? "Ready" : "NotReady" : "Unknown";
  return o.spec?.unschedulable ? `${state},SchedulingDisabled` : state;
}

/** Roles are in labels: `node-role.kubernetes.io/<role>`, and `kubernetes.io/role=<role>`. */
function roles(prefix: string, label: string): Read {
  return ({ metadata: { labels = {} } }) => {
    const named = Object.keys(labels).filter((k) => k.startsWith(prefix)).map((k) => k.slice(prefix.length));
    const all = new Set([...named, labels[label] ?? ""]);
    return orNone([...all].filter((r) => r !== "").sort().join(","));
  };
}

const address = (type: string): Read => (o) =>
  orNone(o.status?.addresses?.find((a: { type: string }) => a.type === type)?.address);
const info = (field: string, none = "<unknown>"): Read => (o) => o.status?.nodeInfo?.[field] || none;

/** The kernel, and what it was built for where that is known. */
const kernel: Read = (o) => {
  const built: string | undefined = o.status?.nodeInfo?.architecture;
  return info("kernelVersion")(o) + (built ? ` (${built})` : "");
};

/** The printer, with label names in the dialect of the server. */
export const nodePrinter = (local: (name: string) => string): Printer =>
  table(
    NAME,
    col("Status", status),
    col("Roles", roles(local("node-role.kubernetes.io/"), local("kubernetes.io/role"))),
    AGE,
    col("Version", info("kubeletVersion", "")),
    wide("Internal-IP", address("InternalIP")),
    wide("External-IP", address("ExternalIP")),
    wide("OS-Image", info("osImage")),
    wide("Kernel-Version", kernel),
    wide("Container-Runtime", info("containerRuntimeVersion")),
  );
