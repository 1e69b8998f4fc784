/** Attribute-based policies from a file, one JSON object a line (mode `ABAC`). */
import { isMap } from "../../schema/model/members.ts";
import type { Json } from "../../schema/model/types.ts";
import type { User } from "../request.ts";
import type { AuthorizationAttributes, Authorizer, Decision, RulesAnswer } from "./types.ts";

interface Policy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const AUTHENTICATED = "system:authenticated";
const READS = ["get", "list", "watch"];
const FIELDS: ReadonlySet<string> = new Set([
  "user",
  "group",
  "readonly",
  "apiGroup",
  "resource",
  "namespace",
  "nonResourcePath",
]);

const YES: Decision = { decision: "allow", reason: "" };
const NO: Decision = { decision: "no-opinion", reason: "No policy matched." };

type Line = Record<string, unknown>;
const text = (v: unknown) => (typeof v === "string" ? v : "");

/** `*` as a user or group means everybody who is somebody. */
function everybody(user: string, group: string): { user: string; group: string } {
  if (user !== "*" && group !== "*") return { user, group };
  return { user: user === "*" ? "" : user, group: AUTHENTICATED };
}

/** The form without a version: what is left out matches everything. */
function unversioned(line: Line): Policy {
  const [user, group] = [text(line.user), text(line.group)];
  const all = !line.namespace && !line.resource;
  return {
    ...(user || group ? everybody(user, group) : { user: "", group: AUTHENTICATED }),
    readonly: line.readonly === true,
    apiGroup: "*",
    resource: text(line.resource) || "*",
    namespace: text(line.namespace) || "*",
    nonResourcePath: all ? "*" : "",
  };
}

function versioned(spec: Line): Policy {
  return {
    ...everybody(text(spec.user), text(spec.group)),
    readonly: spec.readonly === true,
    apiGroup: text(spec.apiGroup),
    resource: text(spec.resource),
    namespace: text(spec.namespace),
    nonResourcePath: text(spec.nonResourcePath),
  };
}

/** Undefined: it is no JSON. */
function parsed(content: string): Json | undefined {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function policyOf(content: string, where: string, group: string): Policy {
  const line = parsed(content);
  if (!isMap(line)) throw new Error(`${where} is no JSON object`);
  if (line.apiVersion === undefined && line.kind === undefined) return unversioned(line);
  const versions = [`${group}/v1beta1`, "abac.authorization.kubernetes.io/v1beta1"];
  if (line.kind !== "Policy" || !versions.includes(text(line.apiVersion))) {
    throw new Error(`${where} should be a Policy of ${versions[0]}`);
  }
  const spec = (line.spec ?? {}) as Line;
  const unknown = Object.keys(spec).find((k) => !FIELDS.has(k));
  if (unknown) throw new Error(`${where} has the unknown field ${JSON.stringify(unknown)}`);
  return versioned(spec);
}

function isSubject(p: Policy, user: User): boolean {
  if (!p.user && !p.group) return false;
  return (!p.user || p.user === user.name) && (!p.group || user.groups.includes(p.group));
}

const isOne = (pattern: string, value: string) => pattern === "*" || pattern === value;

function allows(p: Policy, a: AuthorizationAttributes): boolean {
  if (!isSubject(p, a.user) || (p.readonly && !READS.includes(a.verb))) return false;
  if (a.isResource) {
    return isOne(p.namespace, a.namespace) && isOne(p.resource, a.resource) && isOne(p.apiGroup, a.group);
  }
  const path = p.nonResourcePath;
  return isOne(path, a.path) || (path.endsWith("*") && a.path.startsWith(path.slice(0, -1)));
}

/**
 * Reads the policies. `group` is `abac.authorization.kubernetes.io` in the dialect; the public name is taken too.
 * @throws Error with the line's number
 */
export function abac(file: string, group: string): Authorizer {
  const policies = file.split(/\r?\n/).flatMap((line, i) => {
    const content = line.trim();
    return content === "" || content.startsWith("#") ? [] : [policyOf(content, `policy file: line ${i + 1}`, group)];
  });
  return {
    name: "ABAC",
    authorize: (a) => (policies.some((p) => allows(p, a)) ? YES : NO),
    rulesFor: (user, namespace) => rulesOf(policies.filter((p) => isSubject(p, user)), namespace),
  };
}

function rulesOf(policies: readonly Policy[], namespace: string): RulesAnswer {
  const verbs = (p: Policy) => (p.readonly ? [...READS] : ["*"]);
  return {
    resourceRules: policies.filter((p) => isOne(p.namespace, namespace) && p.resource).map((p) => ({
      verbs: verbs(p),
      apiGroups: [p.apiGroup],
      resources: [p.resource],
    })),
    nonResourceRules: policies.filter((p) => p.nonResourcePath).map((p) => ({
      verbs: verbs(p),
      nonResourceURLs: [p.nonResourcePath],
    })),
    incomplete: false,
  };
}
