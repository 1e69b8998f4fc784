/** What kinds and their members are, in words: `kubectl explain` and the readers of OpenAPI documents show them. */
import { ADMISSION_REGISTRATION } from "./admissionregistration.ts";
import { API_SERVER_INTERNAL } from "./apiserverinternal.ts";
import { APIEXTENSIONS } from "./apiextensions.ts";
import { API_REGISTRATION } from "./apiregistration.ts";
import { APPS } from "./apps.ts";
import { AUTHENTICATION } from "./authentication.ts";
import { AUTHORIZATION } from "./authorization.ts";
import { AUTOSCALING } from "./autoscaling.ts";
import { BATCH } from "./batch.ts";
import { CERTIFICATES } from "./certificates.ts";
import { COORDINATION } from "./coordination.ts";
import { CORE_CONTAINERS } from "./core_containers.ts";
import { CORE_NODES } from "./core_nodes.ts";
import { CORE_OBJECTS } from "./core_objects.ts";
import { CORE_PERSISTENT_VOLUMES } from "./core_persistent_volumes.ts";
import { CORE_PODS } from "./core_pods.ts";
import { CORE_STATUS } from "./core_status.ts";
import { CORE_VOLUMES } from "./core_volumes.ts";
import { DISCOVERY } from "./discovery.ts";
import { EVENTS } from "./events.ts";
import { FLOWCONTROL } from "./flowcontrol.ts";
import { LIFECYCLE } from "./lifecycle.ts";
import { META } from "./meta.ts";
import { NETWORKING } from "./networking.ts";
import { NODE } from "./node.ts";
import { POLICY } from "./policy.ts";
import { RBAC } from "./rbac.ts";
import { RESOURCE_CLAIMS } from "./resource_claims.ts";
import { RESOURCE_DEVICES } from "./resource_devices.ts";
import { SCHEDULING } from "./scheduling.ts";
import { STORAGE } from "./storage.ts";
import { STORAGE_MIGRATION } from "./storagemigration.ts";
import { readWords, type Said } from "./read.ts";
import { INTSTR, QUANTITY, RUNTIME, VERSION } from "./values.ts";

/** Tables by the group's short name, the first part of a message's id. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  admissionregistration: [ADMISSION_REGISTRATION],
  apiextensions: [APIEXTENSIONS],
  apiregistration: [API_REGISTRATION],
  apiserverinternal: [API_SERVER_INTERNAL],
  apps: [APPS],
  authentication: [AUTHENTICATION],
  authorization: [AUTHORIZATION],
  autoscaling: [AUTOSCALING],
  batch: [BATCH],
  certificates: [CERTIFICATES],
  coordination: [COORDINATION],
  core: [
    CORE_PODS,
    CORE_CONTAINERS,
    CORE_VOLUMES,
    CORE_STATUS,
    CORE_NODES,
    CORE_PERSISTENT_VOLUMES,
    CORE_OBJECTS,
  ],
  discovery: [DISCOVERY],
  events: [EVENTS],
  flowcontrol: [FLOWCONTROL],
  intstr: [INTSTR],
  lifecycle: [LIFECYCLE],
  meta: [META],
  networking: [NETWORKING],
  node: [NODE],
  policy: [POLICY],
  quantity: [QUANTITY],
  rbac: [RBAC],
  resource: [RESOURCE_CLAIMS, RESOURCE_DEVICES],
  runtime: [RUNTIME],
  scheduling: [SCHEDULING],
  storage: [STORAGE],
  storagemigration: [STORAGE_MIGRATION],
  // No group of the API has it.
  "io.k8s.apimachinery.pkg.version": [VERSION],
};

const READ = new Map<string, ReadonlyMap<string, Said>>();
const NONE: ReadonlyMap<string, Said> = new Map();

/** Groups that have words, by their short names. */
export const WORDED: readonly string[] = Object.keys(TABLES);

/** The words of a group, read when they are first asked for; a message has the same in all versions. */
export function wordsOf(group: string): ReadonlyMap<string, Said> {
  const known = READ.get(group), texts = TABLES[group];
  if (known || !texts) return known ?? NONE;
  const read = readWords(texts.join(""));
  READ.set(group, read);
  return read;
}

const VERSION_PART = /\.v\d+((alpha|beta)\d+)?$/;

/** What is said of a message (`apps.v1.Deployment`), or of a member of it; undefined where nothing is. */
export function wordOf(id: string, member?: string): string | undefined {
  const name = id.slice(id.lastIndexOf(".") + 1);
  const said = wordsOf(id.slice(0, -name.length - 1).replace(VERSION_PART, "")).get(name);
  if (member === undefined) return said?.text ?? listed(name);
  return said?.members.get(member) ?? ruled(name, member);
}

/** What `metadata` is, of an object and of a list. */
const METADATA = "Standard object's metadata: what every object of the API has.";
const LIST_METADATA = "Standard list metadata: which version the list is of, and how to go on where it was cut.";

/** Members of what is observed of an object, one statement each. */
const CONDITION: Readonly<Record<string, string>> = {
  lastHeartbeatTime: "When the statement was last confirmed.",
  lastProbeTime: "When it was last looked at.",
  lastTransitionTime: "When the status last changed from one value to another.",
  lastUpdateTime: "When the statement was last written.",
  message: "What happened, for human readers.",
  observedGeneration:
    "The generation of the object that the statement is about; an older one says nothing of the present.",
  reason: "Why the status is as it is: one word in CamelCase, for programs.",
  status: "Whether it is so: True, False or Unknown.",
  type: "What is stated, as one word in CamelCase.",
};

function ruled(name: string, member: string): string | undefined {
  if (member === "items") return listed(name);
  if (member === "spec") return `Desired state of the ${phrase(name)}.`;
  if (member === "status" && !name.endsWith("Condition")) {
    return `Observed state of the ${phrase(name)}; the system writes it.`;
  }
  if (member === "metadata") return name.endsWith("List") ? LIST_METADATA : METADATA;
  return (name.endsWith("Condition") ? CONDITION[member] : undefined);
}

/** `PriorityClassList`: `List of priority classes`. */
function listed(name: string): string | undefined {
  if (!name.endsWith("List")) return undefined;
  const one = phrase(name.slice(0, -"List".length));
  return `List of ${one.endsWith("endpoints") ? one : `${one.replace(/y$/, "ie").replace(/(s|x)$/, "$1e")}s`}.`;
}

/** `CSIStorageCapacity`: `CSI storage capacity`. */
function phrase(kind: string): string {
  const words = kind.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2 ").split(" ");
  return words.map((w) => /^[A-Z]{2,}/.test(w) ? w : w.toLowerCase()).join(" ");
}
