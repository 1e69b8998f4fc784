/** Flow schemas and priority levels of a fresh server, as tables in public names. */
import type { JsonMap } from "../../schema/model/types.ts";
import type { BootstrapObject } from "./rows.ts";

const GROUP = "flowcontrol.apiserver.k8s.io";

/** Name, nominal shares, lendable percent, and queues / hand size / queue length; without them over-limit requests are rejected. */
const LEVELS: readonly (readonly [string, number, number, (readonly [number, number, number])?])[] = [
  ["catch-all", 5, 0],
  ["global-default", 20, 50, [128, 6, 50]],
  ["leader-election", 10, 0, [16, 4, 50]],
  ["node-high", 40, 25, [64, 6, 50]],
  ["system", 30, 33, [64, 6, 50]],
  ["workload-high", 40, 50, [128, 6, 50]],
  ["workload-low", 100, 90, [128, 6, 50]],
];

/** Verbs, groups, resources, and whether cluster-scoped requests match too. */
type Rule = readonly [verbs: string, groups: string, resources: string, cluster: boolean];
const ANY: Rule = ["*", "*", "*", true];

interface Schema {
  readonly name: string;
  readonly level: string;
  readonly precedence: number;
  readonly by?: "ByUser" | "ByNamespace";
  readonly subjects: string;
  readonly rules?: readonly Rule[];
  readonly urls?: readonly [verbs: string, urls: string];
}

const EVERYBODY = "group:system:unauthenticated group:system:authenticated";
const ALL = { rules: [ANY], urls: ["*", "*"] } as const;

const SCHEMAS: readonly Schema[] = [
  { name: "catch-all", level: "catch-all", precedence: 10000, by: "ByUser", subjects: EVERYBODY, ...ALL },
  { name: "exempt", level: "exempt", precedence: 1, subjects: "group:system:masters", ...ALL },
  { name: "global-default", level: "global-default", precedence: 9900, by: "ByUser", subjects: EVERYBODY, ...ALL },
  {
    name: "kube-controller-manager",
    level: "workload-high",
    precedence: 800,
    by: "ByNamespace",
    subjects: "user:system:kube-controller-manager",
    ...ALL,
  },
  {
    name: "kube-scheduler",
    level: "workload-high",
    precedence: 800,
    by: "ByNamespace",
    subjects: "user:system:kube-scheduler",
    ...ALL,
  },
  {
    name: "kube-system-service-accounts",
    level: "workload-high",
    precedence: 900,
    by: "ByNamespace",
    subjects: "sa:kube-system/*",
    ...ALL,
  },
  {
    name: "probes",
    level: "exempt",
    precedence: 2,
    subjects: EVERYBODY,
    urls: ["get", "/healthz /readyz /livez"],
  },
  {
    name: "service-accounts",
    level: "workload-low",
    precedence: 9000,
    by: "ByUser",
    subjects: "group:system:serviceaccounts",
    ...ALL,
  },
  {
    name: "system-leader-election",
    level: "leader-election",
    precedence: 100,
    by: "ByUser",
    subjects: "user:system:kube-controller-manager user:system:kube-scheduler sa:kube-system/*",
    rules: [["get create update", "coordination.k8s.io", "leases", false]],
  },
  {
    name: "system-node-high",
    level: "node-high",
    precedence: 400,
    by: "ByUser",
    subjects: "group:system:nodes",
    rules: [["*", "", "nodes nodes/status", true], ["*", "coordination.k8s.io", "leases", false]],
  },
  { name: "system-nodes", level: "system", precedence: 500, by: "ByUser", subjects: "group:system:nodes", ...ALL },
];

const words = (s: string) => s.split(" ");
const metadata = (name: string) => ({ name, annotations: { "apf.kubernetes.io/autoupdate-spec": "true" } });

function subject(text: string): JsonMap {
  const colon = text.indexOf(":");
  const [type, name] = [text.slice(0, colon), text.slice(colon + 1)];
  if (type === "user") return { kind: "User", user: { name } };
  if (type === "group") return { kind: "Group", group: { name } };
  const [namespace, account] = name.split("/") as [string, string];
  return { kind: "ServiceAccount", serviceAccount: { namespace, name: account } };
}

const resourceRule = ([verbs, groups, resources, cluster]: Rule): JsonMap => ({
  verbs: words(verbs),
  apiGroups: words(groups),
  resources: words(resources),
  ...(cluster ? { clusterScope: true } : {}),
  namespaces: ["*"],
});

function schemaObject(s: Schema, now: string): BootstrapObject {
  const rule: JsonMap = { subjects: words(s.subjects).map(subject) };
  if (s.rules) rule.resourceRules = s.rules.map(resourceRule);
  if (s.urls) rule.nonResourceRules = [{ verbs: words(s.urls[0]), nonResourceURLs: words(s.urls[1]) }];
  const spec: JsonMap = { priorityLevelConfiguration: { name: s.level }, matchingPrecedence: s.precedence };
  if (s.by) spec.distinguisherMethod = { type: s.by };
  spec.rules = [rule];
  // Both halves come in one commit order: the level is always there before the schema.
  const found = { type: "Dangling", status: "False", lastTransitionTime: now, reason: "Found" };
  const object = {
    apiVersion: `${GROUP}/v1`,
    kind: "FlowSchema",
    metadata: metadata(s.name),
    spec,
    status: {
      conditions: [{
        ...found,
        message: levelMessage(s.level, true),
      }],
    },
  };
  return { resourceId: `flowschemas.${GROUP}`, object };
}

function levelObject(name: string, spec: JsonMap): BootstrapObject {
  const object = {
    apiVersion: `${GROUP}/v1`,
    kind: "PriorityLevelConfiguration",
    metadata: metadata(name),
    spec,
    status: {},
  };
  return { resourceId: `prioritylevelconfigurations.${GROUP}`, object };
}

/** Priority levels, then flow schemas. `now` is RFC 3339. */
export function flowControlObjects(now: string): BootstrapObject[] {
  const levels = LEVELS.map(([name, shares, lendable, queuing]) =>
    levelObject(name, {
      type: "Limited",
      limited: {
        nominalConcurrencyShares: shares,
        limitResponse: queuing
          ? {
            type: "Queue",
            queuing: { queues: queuing[0], handSize: queuing[1], queueLengthLimit: queuing[2] },
          }
          : { type: "Reject" },
        lendablePercent: lendable,
      },
    })
  );
  const exempt = levelObject("exempt", {
    type: "Exempt",
    exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 },
  });
  return [...levels, exempt, ...SCHEMAS.map((s) => schemaObject(s, now))];
}

/**
 * What the condition `Dangling` of a flow schema says. Extension servers compare it with what they would say themselves,
 * and write it anew for as long as one word differs.
 */
export function levelMessage(level: string, there: boolean): string {
  const named = `This FlowSchema references the PriorityLevelConfiguration object named "${level}"`;
  return there ? `${named} and it exists` : `${named} but there is no such object`;
}
