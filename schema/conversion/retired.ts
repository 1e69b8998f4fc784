/** Shapes of versions that are known but no longer served: clients and stored files may still hold them. */
import { isMap } from "../model/members.ts";
import type { JsonMap } from "../model/types.ts";
import type { Product } from "../product.ts";
import { edit, present, rename, renamed, type ShapeTable, type VersionShape } from "./types.ts";

const ZONE = "topology.kubernetes.io/zone";
const HOSTNAME = "kubernetes.io/hostname";

function topologyToZone(endpoint: JsonMap, product: Product): JsonMap {
  const { topology, ...rest } = endpoint;
  if (!isMap(topology)) return rest;
  const { [product.local(ZONE)]: zone, ...others } = topology;
  const hostname = product.local(HOSTNAME);
  if (others[hostname] !== undefined && others[hostname] === rest.nodeName) delete others[hostname];
  return present({ ...rest, zone, deprecatedTopology: Object.keys(others).length ? others : undefined });
}

function zoneToTopology(endpoint: JsonMap, product: Product): JsonMap {
  const { zone, deprecatedTopology, ...rest } = endpoint;
  if (zone === undefined && deprecatedTopology === undefined && rest.nodeName === undefined) return rest;
  const topology: JsonMap = { ...(isMap(deprecatedTopology) ? deprecatedTopology : {}) };
  if (zone !== undefined) topology[product.local(ZONE)] = zone;
  if (rest.nodeName !== undefined) topology[product.local(HOSTNAME)] ??= rest.nodeName;
  return { ...rest, topology };
}

function backendToService(backend: JsonMap): JsonMap {
  const { serviceName: name, servicePort: port, ...rest } = backend;
  if (!name && (port === undefined || port === 0)) return rest;
  const target = typeof port === "string" ? { name: port } : typeof port === "number" && port ? { number: port } : {};
  return { ...rest, service: { name: name ?? "", port: target } };
}

function serviceToBackend(backend: JsonMap): JsonMap {
  const { service, ...rest } = backend;
  if (!isMap(service)) return rest;
  const port = isMap(service.port) ? service.port : {};
  return { ...rest, ...present({ serviceName: service.name, servicePort: port.name || port.number || 0 }) };
}

const PATHS = ["spec", "rules", "*", "http", "paths", "*", "backend"];
const ingress: VersionShape = {
  toHub: (o) =>
    edit(
      edit(edit(o, PATHS, backendToService), ["spec", "backend"], backendToService),
      ["spec"],
      (spec) => rename(spec, { backend: "defaultBackend" }),
    ),
  fromHub: (o) =>
    edit(
      edit(edit(o, PATHS, serviceToBackend), ["spec", "defaultBackend"], serviceToBackend),
      ["spec"],
      (spec) => rename(spec, { defaultBackend: "backend" }),
    ),
};

const RBAC = "rbac.authorization.k8s.io";
const SUBJECT_GROUPS: Readonly<Record<string, string>> = { User: RBAC, Group: RBAC, ServiceAccount: "" };

function subjectToHub(subject: JsonMap, product: Product): JsonMap {
  const { apiVersion, ...rest } = subject;
  const known = SUBJECT_GROUPS[String(rest.kind)];
  const text = typeof apiVersion === "string" ? apiVersion : "";
  const apiGroup = known === undefined
    ? text.includes("/") ? text.slice(0, text.indexOf("/")) : ""
    : product.local(known);
  const everybody = rest.kind === "User" && rest.name === "*";
  return { ...rest, ...(everybody ? { kind: "Group", name: "system:authenticated" } : {}), apiGroup };
}

function subjectFromHub(subject: JsonMap, product: Product): JsonMap {
  const { apiGroup, ...rest } = subject;
  const group = typeof apiGroup === "string" ? apiGroup : "";
  const known = SUBJECT_GROUPS[String(rest.kind)];
  if (known === undefined || product.local(known) !== group) return { ...rest, apiVersion: group ? `${group}/` : "" };
  return { ...rest, apiVersion: group ? `${group}/v1alpha1` : "v1" };
}

const subjects: VersionShape = {
  toHub: (o, p) => edit(o, ["subjects", "*"], (s) => subjectToHub(s, p)),
  fromHub: (o, p) => edit(o, ["subjects", "*"], (s) => subjectFromHub(s, p)),
};

const MATCHES = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";
const only = (key: string, operator: string): JsonMap => ({ matchExpressions: [{ key, operator }] });
const isOnly = (selector: JsonMap, key: string, operator: string) =>
  JSON.stringify(selector) === JSON.stringify(only(key, operator));

/** An empty selector matches nothing in v1beta1 and everything in v1; a marked expression stands for the other one. */
const pdbSelector = (product: Product, empty: string, other: string) => (selector: JsonMap): JsonMap => {
  const key = product.local(MATCHES);
  if (Object.keys(selector).length === 0) return only(key, empty);
  if (isOnly(selector, key, other)) return {};
  const { matchExpressions, ...rest } = selector;
  if (!Array.isArray(matchExpressions)) return selector;
  const kept = matchExpressions.filter((x) => !isMap(x) || x.key !== key);
  return kept.length ? { ...rest, matchExpressions: kept } : rest;
};

const SELECTOR = ["spec", "selector"];
const shares = renamed(["spec", "limited"], { assuredConcurrencyShares: "nominalConcurrencyShares" });
const groups = renamed(["spec"], { group: "groups" });

/** Retired versions whose shape is not the hub's. */
export const RETIRED: ShapeTable = {
  "networking.k8s.io/v1beta1 Ingress": ingress,
  "extensions/v1beta1 Ingress": ingress,
  "discovery.k8s.io/v1beta1 EndpointSlice": {
    toHub: (o, p) => edit(o, ["endpoints", "*"], (e) => topologyToZone(e, p)),
    fromHub: (o, p) => edit(o, ["endpoints", "*"], (e) => zoneToTopology(e, p)),
  },
  "node.k8s.io/v1alpha1 RuntimeClass": {
    toHub: ({ spec, ...o }) => ({ ...o, ...rename(isMap(spec) ? spec : {}, { runtimeHandler: "handler" }) }),
    fromHub: ({ handler, overhead, scheduling, ...o }) => ({
      ...o,
      spec: present({ runtimeHandler: handler, overhead, scheduling }),
    }),
  },
  "rbac.authorization.k8s.io/v1alpha1 RoleBinding": subjects,
  "rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding": subjects,
  "policy/v1beta1 PodDisruptionBudget": {
    toHub: (o, p) => edit(o, SELECTOR, pdbSelector(p, "Exists", "DoesNotExist")),
    fromHub: (o, p) => edit(o, SELECTOR, pdbSelector(p, "DoesNotExist", "Exists")),
  },
  "flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration": shares,
  "flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration": shares,
  "authorization.k8s.io/v1beta1 SubjectAccessReview": groups,
  "authorization.k8s.io/v1beta1 LocalSubjectAccessReview": groups,
};
