import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { StatusError } from "../../schema/status.ts";
import { authorizationChain } from "../../server/authorization/chain.ts";
import { escalationError } from "../../server/authorization/escalation.ts";
import { forbiddenError } from "../../server/authorization/forbidden.ts";
import { RbacAuthorizer } from "../../server/authorization/rbac.ts";
import { ALWAYS_DENY } from "../../server/authorization/simple.ts";
import type { AuthorizationAttributes } from "../../server/authorization/types.ts";
import { rbacObjects } from "../../server/bootstrap/objects.ts";
import type { User } from "../../server/request.ts";
import { attributesOf } from "./_attributes.ts";

const GROUP = "rbac.authorization.k8s.io";

/** Objects by resource name; starts with the bootstrap policy. */
class Store {
  readonly objects = new Map<string, Obj[]>();
  readonly rbac: RbacAuthorizer;

  constructor() {
    for (const { resourceId, object } of rbacObjects(() => false)) this.list(resourceId).push(object);
    this.rbac = new RbacAuthorizer(this);
  }
  list(id: string): Obj[] {
    if (!this.objects.has(id)) this.objects.set(id, []);
    return this.objects.get(id)!;
  }
  add(resource: string, namespace: string, name: string, fields: Record<string, unknown>): void {
    const metadata = { name, ...(namespace ? { namespace } : {}) };
    this.list(`${resource}.${GROUP}`).push({ apiVersion: `${GROUP}/v1`, kind: "", metadata, ...fields });
    this.rbac.changed(`${resource}.${GROUP}`);
  }
  role(namespace: string, name: string, ...rules: Record<string, string[]>[]): void {
    this.add(namespace ? "roles" : "clusterroles", namespace, name, { rules });
  }
  bind(namespace: string, name: string, kind: string, role: string, ...subjects: Record<string, string>[]): void {
    const roleRef = { apiGroup: GROUP, kind, name: role };
    this.add(namespace ? "rolebindings" : "clusterrolebindings", namespace, name, { roleRef, subjects });
  }
}

const ann: User = { name: "ann", groups: ["system:authenticated"] };
const attributes = (user: User, more: Partial<AuthorizationAttributes>) =>
  attributesOf(user, { namespace: "", ...more });
const may = (s: Store, user: User, more: Partial<AuthorizationAttributes>) =>
  s.rbac.authorize(attributes(user, more)).decision === "allow";

Deno.test("a role is good in its namespace, for its verbs, groups, resources and names", () => {
  const s = new Store();
  s.role("a", "r", { apiGroups: ["apps"], resources: ["deployments"], verbs: ["patch"], resourceNames: ["one"] });
  s.bind("a", "b", "Role", "r", { kind: "User", name: "ann" });
  const one = { verb: "patch", group: "apps", resource: "deployments", namespace: "a", name: "one" };
  assert.ok(may(s, ann, one));
  for (
    const other of [
      { name: "two" },
      { name: "" },
      { verb: "get" },
      { group: "" },
      { namespace: "b" },
      { namespace: "" },
      { subresource: "scale" },
    ]
  ) assert.equal(may(s, ann, { ...one, ...other }), false, JSON.stringify(other));
  assert.equal(may(s, { name: "bob", groups: [] }, one), false);
});

Deno.test("cluster roles, groups, service accounts, wildcards", () => {
  const s = new Store();
  s.role("", "scaler", { apiGroups: ["*"], resources: ["*/scale"], verbs: ["*"] });
  s.bind("", "g", "ClusterRole", "scaler", { kind: "Group", name: "ops" });
  s.bind("ns", "sa", "ClusterRole", "admin-of-all", { kind: "ServiceAccount", name: "bot", namespace: "" });
  s.role("", "admin-of-all", { apiGroups: ["*"], resources: ["*"], verbs: ["*"] });
  const ops = { name: "o", groups: ["ops"] };
  assert.ok(
    may(s, ops, { verb: "update", group: "apps", resource: "deployments", subresource: "scale", namespace: "x" }),
  );
  assert.equal(may(s, ops, { verb: "update", group: "apps", resource: "deployments", namespace: "x" }), false);
  const bot = { name: "system:serviceaccount:ns:bot", groups: [] };
  assert.ok(may(s, bot, { namespace: "ns" }));
  assert.equal(may(s, bot, { namespace: "other" }), false);
  assert.ok(may(s, bot, { namespace: "ns", subresource: "log" }));
  s.role("", "nameless", { apiGroups: ["*"], resources: ["*/"], verbs: ["*"] });
  s.bind("", "eve", "ClusterRole", "nameless", { kind: "User", name: "eve" });
  assert.equal(
    may(s, { name: "eve", groups: [] }, { namespace: "ns" }),
    false,
    "what has no subresource is none of all",
  );
});

Deno.test("a service account of another namespace is not the one of that name beside the binding", () => {
  const s = new Store();
  s.role("", "all", { apiGroups: ["*"], resources: ["*"], verbs: ["*"] });
  s.bind("ns", "sa", "ClusterRole", "all", { kind: "ServiceAccount", name: "bot", namespace: "other" });
  const bot = (namespace: string) => ({ name: `system:serviceaccount:${namespace}:bot`, groups: [] });
  assert.ok(may(s, bot("other"), { namespace: "ns" }));
  assert.equal(may(s, bot("ns"), { namespace: "ns" }), false);
  s.bind("ns", "odd", "ClusterRole", "all", { kind: "Robot", name: "eve" });
  assert.equal(may(s, { name: "eve", groups: ["eve"] }, { namespace: "ns" }), false, "no subject of another kind");
});

Deno.test("paths: bootstrap policy lets everybody see health and versions, the authenticated also discovery", () => {
  const s = new Store();
  const path = (user: User, p: string, verb = "get") =>
    may(s, user, { isResource: false, path: p, resource: "", verb });
  const nobody = { name: "system:anonymous", groups: ["system:unauthenticated"] };
  assert.ok(path(nobody, "/livez"));
  assert.ok(path(ann, "/apis/apps/v1"));
  assert.equal(path(nobody, "/apis"), false);
  assert.equal(path(ann, "/metrics"), false);
  assert.equal(path(ann, "/apis/apps/v1", "post"), false);
  assert.ok(may(s, ann, { verb: "create", group: "authorization.k8s.io", resource: "selfsubjectaccessreviews" }));
});

Deno.test("a decision says by which binding, of which role and to whom it is", () => {
  const s = new Store();
  const rule = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
  s.role("", "wide", rule);
  s.role("a", "own", rule);
  s.bind("", "all", "ClusterRole", "wide", { kind: "Group", name: "ops" });
  s.bind("a", "some", "Role", "own", { kind: "User", name: "bob" }, { kind: "ServiceAccount", name: "bot" });
  s.bind("a", "far", "ClusterRole", "wide", { kind: "ServiceAccount", name: "bot", namespace: "b" });
  const rows: [User, string][] = [
    [{ name: "x", groups: ["ops"] }, 'ClusterRoleBinding "all" of ClusterRole "wide" to Group "ops"'],
    [{ name: "bob", groups: [] }, 'RoleBinding "some/a" of Role "own" to User "bob"'],
    [
      { name: "system:serviceaccount:b:bot", groups: [] },
      'RoleBinding "far/a" of ClusterRole "wide" to ServiceAccount "bot/b"',
    ],
  ];
  for (const [user, by] of rows) {
    const { decision, reason } = s.rbac.authorize(attributes(user, { namespace: "a" }));
    assert.deepEqual([decision, reason], ["allow", `RBAC: allowed by ${by}`]);
  }
  s.bind("a", "vain", "Role", "gone", { kind: "User", name: "eve" });
  s.bind("", "vainer", "ClusterRole", "gone", { kind: "User", name: "eve" });
  const eve = { name: "eve", groups: [] }, lost = `clusterrole.${GROUP} "gone" not found`;
  const page = { isResource: false, path: "/x", resource: "" };
  assert.equal(s.rbac.authorize(attributes(eve, page)).reason, `RBAC: ${lost}`);
  assert.equal(
    s.rbac.authorize(attributes(eve, { namespace: "a" })).reason,
    `RBAC: ${lost}, role.${GROUP} "gone" not found`,
  );
});

Deno.test("a change is seen at once, also after a decision was kept", () => {
  const s = new Store();
  assert.equal(may(s, ann, { namespace: "a" }), false);
  s.bind("a", "b", "ClusterRole", "late", { kind: "User", name: "ann" });
  assert.match(s.rbac.authorize(attributes(ann, { namespace: "a" })).reason, /"late" not found/);
  s.role("", "late", { apiGroups: [""], resources: ["pods"], verbs: ["get"] });
  assert.ok(may(s, ann, { namespace: "a" }));
  s.list(`rolebindings.${GROUP}`).pop();
  s.rbac.changed(`rolebindings.${GROUP}`);
  assert.equal(may(s, ann, { namespace: "a" }), false);
});

Deno.test("a decision is kept, but not of what is too long to keep", () => {
  const s = new Store();
  let looked = 0;
  const user = {
    name: "x",
    get groups() {
      looked++;
      return [];
    },
  };
  const looks = (more: Partial<AuthorizationAttributes>): number[] =>
    [1, 2].map(() => {
      looked = 0;
      may(s, user, more);
      return looked;
    });
  may(s, user, {});
  assert.deepEqual(looks({ verb: "list" }), [1, 0]);
  assert.deepEqual(looks({ verb: "x".repeat(4096) }), [1, 1]);
  assert.deepEqual(looks({ isResource: false, path: "/" + "x".repeat(4096) }), [1, 1]);
});

Deno.test("decisions about names are held without the names, of however many a role has", () => {
  const s = new Store(), names = Array.from({ length: 100_000 }, (_, i) => `n${i}`);
  s.role("", "long", { apiGroups: [""], resources: ["pods"], verbs: ["*"], resourceNames: names });
  s.role(
    "",
    "wide",
    ...names.slice(0, 200).map((n) => ({
      apiGroups: [""],
      resources: ["pods"],
      verbs: ["*"],
      resourceNames: [`x${n}`],
    })),
  );
  for (const role of ["long", "wide"]) s.bind("", role, "ClusterRole", role, { kind: "User", name: "ann" });
  const before = Deno.memoryUsage().heapUsed;
  for (let i = 0; i < 500; i++) assert.ok(may(s, ann, { verb: `v${i}`, name: "n99999" }));
  // A copy of the names for each verb takes 2 GB.
  assert.ok(Deno.memoryUsage().heapUsed - before < 5e8);
  assert.ok(may(s, ann, { name: "xn199" }));
  assert.equal(may(s, ann, { name: "xn200" }), false);
  assert.equal(may(s, ann, { name: "" }), false);
});

Deno.test("a verb and a path that run together are not mixed up", () => {
  const s = new Store();
  s.role("", "probe", { nonResourceURLs: ["/v"], verbs: ["*"] });
  s.bind("", "p", "ClusterRole", "probe", { kind: "User", name: "ann" });
  assert.ok(may(s, ann, { isResource: false, verb: "put/debug/flags", path: "/v" }), "as a review may ask");
  assert.equal(may(s, ann, { isResource: false, verb: "put", path: "/debug/flags/v" }), false);
});

Deno.test("users whose names and groups run together are not mixed up", () => {
  const s = new Store();
  s.role("", "r", { apiGroups: [""], resources: ["pods"], verbs: ["get"] });
  s.bind("", "b", "ClusterRole", "r", { kind: "Group", name: "g" });
  assert.ok(may(s, { name: "x", groups: ["g"] }, {}));
  for (const name of ["x\ng", 'x","g', "x,g"]) assert.equal(may(s, { name, groups: [] }, {}), false);
});

Deno.test("members of system:masters pass whatever the modes, and deny comes before what follows", async () => {
  const root = { name: "root", groups: ["system:masters"] };
  assert.equal((await authorizationChain([ALWAYS_DENY]).authorize(attributes(root, {}))).decision, "allow");
  const denying = { name: "x", authorize: () => ({ decision: "deny", reason: "never" }) as const };
  assert.equal((await authorizationChain([denying]).authorize(attributes(root, {}))).decision, "allow");
  const s = new Store();
  s.role("", "r", { apiGroups: ["*"], resources: ["*"], verbs: ["*"] });
  s.bind("", "b", "ClusterRole", "r", { kind: "User", name: "ann" });
  const later = {
    name: "slow",
    authorize: () => Promise.resolve({ decision: "no-opinion", reason: "dunno" } as const),
  };
  assert.equal((await authorizationChain([denying, s.rbac]).authorize(attributes(ann, {}))).decision, "deny");
  assert.equal((await authorizationChain([later, s.rbac]).authorize(attributes(ann, {}))).decision, "allow");
  const no = await authorizationChain([later, s.rbac]).authorize(attributes({ name: "bob", groups: [] }, {}));
  assert.deepEqual(no, { decision: "no-opinion", reason: "dunno" });
});

Deno.test("the text of a refusal", () => {
  const text = (more: Partial<AuthorizationAttributes>, reason = "") => forbiddenError(attributes(ann, more), reason);
  const e = text({ verb: "list", namespace: "y" });
  assert.equal(
    e.message,
    'pods is forbidden: User "ann" cannot list resource "pods" in API group "" in the namespace "y"',
  );
  assert.deepEqual(e.details, { kind: "pods" });
  const scale = text({ verb: "patch", group: "apps", resource: "deployments", subresource: "scale", name: "d" }, "why");
  assert.equal(
    scale.message,
    'deployments.apps "d" is forbidden: User "ann" cannot patch resource "deployments/scale" in API group "apps" at the cluster scope: why',
  );
  assert.deepEqual(scale.details, { name: "d", group: "apps", kind: "deployments" });
  assert.equal(text({ isResource: false, path: "/<x>" }).message, 'forbidden: User "ann" cannot get path "/&lt;x&gt;"');
});

Deno.test("nobody grants more than they have", async () => {
  const s = new Store();
  s.role("", "editor", {
    apiGroups: [GROUP],
    resources: ["roles", "rolebindings", "clusterroles"],
    verbs: ["*"],
  }, { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] });
  // The verb * holds escalate and bind: leave them out.
  (s.list(`clusterroles.${GROUP}`).at(-1)!.rules[0] as { verbs: string[] }).verbs = ["create", "update", "patch"];
  s.bind("", "b", "ClusterRole", "editor", { kind: "User", name: "ann" });
  const ctx = { rbac: s.rbac, authorizer: authorizationChain([s.rbac]), group: GROUP };
  const object = (fields: Record<string, unknown>): Obj => ({
    apiVersion: "",
    kind: "",
    metadata: { name: "n" },
    ...fields,
  });
  const inA = { namespace: "a", name: "" };
  const role = (...rules: unknown[]) =>
    escalationError(ctx, { user: ann, resource: "roles", ...inA, object: object({ rules }), old: undefined });
  const pods = (...verbs: string[]) => ({ apiGroups: [""], resources: ["pods"], verbs });
  assert.equal(await role(pods("get")), undefined);
  const no = await role(pods("get", "delete"));
  assert.ok(no instanceof StatusError);
  assert.equal(no.code, 403);
  assert.match(no.message, /not currently held:\n\{APIGroups:\[""\], Resources:\["pods"\], Verbs:\["delete"\]\}/);
  assert.equal((await role(pods("*")))?.code, 403);
  const aggregated = object({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } });
  const write = {
    user: ann,
    resource: "clusterroles",
    namespace: "",
    name: "n",
    object: aggregated,
    old: undefined,
  } as const;
  const alone = await escalationError(ctx, write);
  assert.deepEqual([alone?.code, /must have cluster-admin privileges/.test(alone!.message)], [403, true]);
  assert.equal(
    await escalationError(ctx, { ...write, old: aggregated }),
    undefined,
    "an unchanged role may be written",
  );
  const chief: User = { name: "chief", groups: [] };
  s.bind("", "chief", "ClusterRole", "cluster-admin", { kind: "User", name: "chief" });
  // Whoever may do everything may escalate: another chain hides that.
  const blind = { ...ctx, authorizer: authorizationChain([ALWAYS_DENY]) };
  assert.equal(await escalationError(blind, { ...write, user: chief }), undefined, "who may do everything may");
  const meta = (m: Record<string, unknown>) => ({ ...aggregated, metadata: { name: "n", ...m } }) as Obj;
  const ownerReferences = [{ apiVersion: "v1", kind: "Node", name: "n", uid: "u" }];
  const collects = [{ finalizers: [] }, { finalizers: ["x.io/f"] }, { ownerReferences }, { selfLink: "/n" }];
  for (const collected of [...collects, { managedFields: [] }]) {
    assert.equal(await escalationError(ctx, { ...write, object: meta(collected), old: aggregated }), undefined);
  }
  assert.equal(
    (await escalationError(ctx, { ...write, object: object({}), old: aggregated }))?.code,
    403,
    "nor from it",
  );
  const labelled = { ...write, object: meta({ labels: { a: "b" } }), old: aggregated };
  assert.equal((await escalationError(ctx, labelled))?.code, 403, "a label is a change like another");
  assert.equal(await escalationError(ctx, { ...write, user: { name: "r", groups: ["system:masters"] } }), undefined);
  const bind = (name: string) =>
    escalationError(ctx, {
      user: ann,
      resource: "rolebindings",
      ...inA,
      object: object({ roleRef: { apiGroup: GROUP, kind: "ClusterRole", name }, subjects: [] }),
      old: undefined,
    });
  assert.equal((await bind("cluster-admin"))?.code, 403);
  assert.equal((await bind("nope"))?.details?.["kind"], "rolebindings");
  for (const name of ["", "a/b", "a%b", ".."]) {
    assert.equal((await bind(name))?.code, 400, `no role has the name ${name}`);
  }
  assert.equal(await bind("editor"), undefined);
  const bindingOf = (name: string, more: Record<string, unknown> = {}) =>
    object({ roleRef: { apiGroup: GROUP, kind: "ClusterRole", name }, subjects: [], ...more });
  const rebind = (now: Obj) =>
    escalationError(ctx, { user: ann, resource: "rolebindings", ...inA, object: now, old: bindingOf("cluster-admin") });
  assert.equal(await rebind(bindingOf("cluster-admin", { metadata: { name: "n", finalizers: [] } })), undefined);
  assert.equal((await rebind(bindingOf("cluster-admin", { subjects: [{ kind: "User", name: "ann" }] })))?.code, 403);
  s.role("", "binder", {
    apiGroups: [GROUP],
    resources: ["clusterroles"],
    verbs: ["bind"],
    resourceNames: ["cluster-admin"],
  });
  s.bind("", "c", "ClusterRole", "binder", { kind: "User", name: "ann" });
  assert.equal(await bind("cluster-admin"), undefined);
  s.role("a", "cluster-admin", { apiGroups: ["*"], resources: ["*"], verbs: ["*"] });
  const roleRef = { apiGroup: GROUP, kind: "Role", name: "cluster-admin" };
  const own = { user: ann, resource: "rolebindings", ...inA, object: object({ roleRef }), old: undefined } as const;
  assert.equal(
    (await escalationError(ctx, own))?.code,
    403,
    "to bind a cluster role is not to bind a role of its name",
  );
  s.role("a", "binder", { apiGroups: [GROUP], resources: ["roles"], verbs: ["bind"] });
  s.bind("a", "d", "Role", "binder", { kind: "User", name: "ann" });
  assert.equal(await escalationError(ctx, own), undefined, "to bind roles is");
  const lifter: User = { name: "lifter", groups: [] };
  s.role("a", "lifter", { apiGroups: [GROUP], resources: ["roles"], verbs: ["escalate"] });
  s.bind("a", "lifter", "Role", "lifter", { kind: "User", name: "lifter" });
  const lift = (namespace: string) =>
    escalationError(ctx, {
      ...{ user: lifter, resource: "roles", namespace, name: "" },
      object: object({ rules: [pods("delete")] }),
      old: undefined,
    });
  assert.deepEqual([await lift("a"), (await lift("b"))?.code], [undefined, 403], "who may escalate in a namespace");
  s.bind("", "vain", "ClusterRole", "gone", { kind: "User", name: "ann" });
  assert.match(
    (await role(pods("delete")))!.message,
    /; resolution errors: \["clusterrole\..* \\"gone\\" not found"\]$/,
  );
});

Deno.test("rules of a user in a namespace", () => {
  const s = new Store();
  s.role("a", "r", { apiGroups: [""], resources: ["pods"], verbs: ["get"] }, {
    apiGroups: [""],
    resources: ["pods"],
    verbs: ["list"],
  });
  s.bind("a", "b", "Role", "r", { kind: "User", name: "ann" });
  const answer = s.rbac.rulesFor(ann, "a");
  assert.equal(answer.incomplete, false);
  assert.deepEqual(answer.resourceRules.filter((r) => r.resources.includes("pods")).map((r) => r.verbs), [["get"], [
    "list",
  ]]);
  assert.ok(answer.nonResourceRules.length > 0);
  s.role("", "once", { apiGroups: ["shop"], resources: ["carts"], verbs: ["get"] });
  s.bind("", "both", "ClusterRole", "once", { kind: "User", name: "ann" }, { kind: "Group", name: ann.groups[0]! });
  const carts = s.rbac.rulesFor(ann, "a").resourceRules.filter((r) => r.resources.includes("carts"));
  assert.equal(carts.length, 1, "a binding of a user and of a group of theirs gives its rules once");
  assert.equal("error" in answer, false);
  s.role("b", "mixed", { apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: ["one"] });
  s.bind("b", "mixed", "Role", "mixed", { kind: "User", name: "eve" });
  s.role("", "pages", { nonResourceURLs: ["/x"], verbs: ["get"] });
  s.bind("", "pages", "ClusterRole", "pages", { kind: "User", name: "eve" });
  s.bind("", "vain", "ClusterRole", "gone", { kind: "User", name: "eve" });
  assert.deepEqual(s.rbac.rulesFor({ name: "eve", groups: [] }, "b"), {
    resourceRules: [{ verbs: ["get"], apiGroups: [""], resources: ["secrets"], resourceNames: ["one"] }],
    nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }],
    incomplete: false,
    error: `clusterrole.${GROUP} "gone" not found`,
  });
});
