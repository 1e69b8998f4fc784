/** Which flow schema a request belongs to, and which flow of it. */
import type { Obj } from "../../schema/model/types.ts";
import type { Tree } from "../../schema/rules/tree.ts";
import type { RequestInfo, User } from "../request.ts";

/** What is matched: who asks for what. */
export interface Asked {
  readonly user: User;
  readonly info: RequestInfo;
}

/** A flow schema, ready to match. */
export interface Schema {
  readonly name: string;
  readonly uid: string;
  readonly level: string;
  matches(asked: Asked): boolean;
  /** Requests with equal flows wait in line together; empty where all of the schema do. */
  flow(asked: Asked): string;
}

type Test = (asked: Asked) => boolean;

/** Schemas in the order in which they are tried. */
export function compileSchemas(objects: readonly Obj[]): Schema[] {
  const rank = (o: Obj): number => o["spec"]?.matchingPrecedence ?? 1000;
  const byName = (a: Obj, b: Obj) => (a.metadata.name! < b.metadata.name! ? -1 : 1);
  return [...objects].sort((a, b) => rank(a) - rank(b) || byName(a, b)).map(compile);
}

function compile(object: Obj): Schema {
  const spec: Tree = object["spec"] ?? {};
  const tests: Test[] = (spec.rules ?? []).map(ruleTest);
  const method = spec.distinguisherMethod?.type;
  return {
    name: object.metadata.name!,
    uid: object.metadata.uid ?? "",
    level: spec.priorityLevelConfiguration?.name ?? "",
    matches: (asked) => tests.some((t) => t(asked)),
    flow: ({ user, info }) => method === "ByUser" ? user.name : method === "ByNamespace" ? info.namespace : "",
  };
}

function ruleTest(rule: Tree): Test {
  const subjects: Test[] = (rule.subjects ?? []).map(subjectTest);
  const resources: Test[] = (rule.resourceRules ?? []).map(resourceTest);
  const urls: Test[] = (rule.nonResourceRules ?? []).map(urlTest);
  return (asked) => subjects.some((t) => t(asked)) && (asked.info.isResource ? resources : urls).some((t) => t(asked));
}

function subjectTest(subject: Tree): Test {
  const { user, group, serviceAccount: account } = subject;
  if (group) return group.name === "*" ? () => true : (a) => a.user.groups.includes(group.name);
  if (user) return user.name === "*" ? () => true : (a) => a.user.name === user.name;
  if (!account) return () => false;
  const prefix = `system:serviceaccount:${account.namespace}:`;
  return account.name === "*" ? (a) => a.user.name.startsWith(prefix) : (a) => a.user.name === prefix + account.name;
}

/** A list that names a value, or everything by `*`. */
function oneOf(list: readonly string[] | undefined): (value: string) => boolean {
  if (list?.includes("*")) return () => true;
  const set = new Set(list);
  return (value) => set.has(value);
}

function resourceTest(rule: Tree): Test {
  const [verb, group, resource] = [oneOf(rule.verbs), oneOf(rule.apiGroups), oneOf(rule.resources)];
  const namespace = oneOf(rule.namespaces);
  return ({ info: i }) =>
    verb(i.verb) && group(i.group) && resource(i.subresource === "" ? i.resource : `${i.resource}/${i.subresource}`) &&
    (i.namespace === "" ? rule.clusterScope === true : namespace(i.namespace));
}

function urlTest(rule: Tree): Test {
  const verb = oneOf(rule.verbs);
  const urls: string[] = rule.nonResourceURLs ?? [];
  // A URL covers what is below it too, with an asterisk at its end or without.
  const below = urls.map((u) => u.replace(/\/?\*?$/, "/"));
  const url = (path: string) =>
    urls.includes("*") || urls.includes(path) || below.some((prefix) => path.startsWith(prefix));
  return ({ info }) => verb(info.verb) && url(info.path);
}
