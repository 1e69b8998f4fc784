/** Who writes a policy or a binding must be allowed to read the parameters that it would show. */
import assert from "node:assert/strict";
import type { JsonMap } from "../../schema/model/types.ts";
import { withServer } from "../fixture/server.ts";

const GROUP = "admissionregistration.k8s.io", RBAC = "/apis/rbac.authorization.k8s.io/v1";
const ROLE = "rbac.authorization.k8s.io";
const WHAT = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
};
const KINDS: Readonly<Record<string, JsonMap>> = {
  validating: { validations: [{ expression: "true" }] },
  mutating: {
    reinvocationPolicy: "Never",
    failurePolicy: "Fail",
    mutations: [{
      patchType: "ApplyConfiguration",
      applyConfiguration: { expression: "Object{data: {'word': 'a'}}" },
    }],
  },
};
const SECRETS = { apiVersion: "v1", kind: "Secret" }, NO_KIND = { apiVersion: "x.example/v1", kind: "Thing" };

for (const [kind, of] of Object.entries(KINDS)) {
  Deno.test(`${kind} policies and bindings show nobody what they may not read`, async () => {
    await withServer([], async (t) => {
      const may = async (name: string, ...rules: JsonMap[]) => {
        const own = [`${kind}admissionpolicies`, `${kind}admissionpolicybindings`];
        const all = [{ apiGroups: [GROUP], resources: own, verbs: ["*"] }, ...rules];
        const roleRef = { apiGroup: ROLE, kind: "ClusterRole", name };
        const subjects = [{ kind: "User", apiGroup: ROLE, name }];
        assert.equal((await t.fetch(`${RBAC}/clusterroles`, { body: { metadata: { name }, rules: all } })).status, 201);
        const body = { metadata: { name }, roleRef, subjects };
        assert.equal((await t.fetch(`${RBAC}/clusterrolebindings`, { body })).status, 201);
      };
      const read = (...verbs: string[]) => ({ apiGroups: [""], resources: ["secrets"], verbs });
      await may("nobody");
      await may("getter", read("get"));
      await may("lister", read("list"));
      await may("one", { ...read("get"), resourceNames: ["a"] });
      await may("all", { apiGroups: ["*"], resources: ["*"], verbs: ["*"] });

      const write = async (plural: string, name: string, spec: JsonMap, user: string, old?: string) => {
        const path = `/apis/${GROUP}/v1/${kind}admissionpolic${plural}`;
        const metadata = { name, ...(old ? { resourceVersion: old } : {}) };
        const init = { body: { metadata, spec }, ...(old ? { method: "PUT" } : {}) };
        const as = user === "admin" ? undefined : { name: user, groups: ["system:authenticated"] };
        const a = await t.fetch(old ? `${path}/${name}` : path, init, as);
        const faults = (a.body.details?.causes ?? []).map((c: { reason: string; field: string }) =>
          `${c.reason} ${c.field}`
        );
        return { status: a.status, faults, text: a.text, version: a.body.metadata?.resourceVersion };
      };
      const tried = async (at: string, allowed: boolean, field: string, done: ReturnType<typeof write>) => {
        const { status, faults, text, version } = await done;
        assert.equal(status, allowed ? status < 300 ? status : 0 : 422, `${at}: ${text}`);
        assert.deepEqual(faults, allowed ? [] : [`FieldValueForbidden ${field}`], at);
        return version;
      };

      const policy = (paramKind?: JsonMap) => ({ ...of, matchConstraints: WHAT, ...(paramKind ? { paramKind } : {}) });
      const policies: [user: string, paramKind: JsonMap, allowed: boolean][] = [
        ["nobody", SECRETS, false],
        ["lister", SECRETS, false],
        ["one", SECRETS, false],
        ["getter", SECRETS, true],
        ["getter", NO_KIND, false],
        ["all", NO_KIND, true],
      ];
      for (const [i, [user, paramKind, allowed]] of policies.entries()) {
        await tried(`policy ${i}`, allowed, "spec.paramKind", write("ies", `p${i}`, policy(paramKind), user));
      }
      const version = await tried("plain", true, "", write("ies", "p", policy(), "admin"));
      await tried("update", false, "spec.paramKind", write("ies", "p", policy(SECRETS), "nobody", version));
      const with_ = await tried("update", true, "", write("ies", "p", policy(SECRETS), "getter", version));
      const kept = { ...policy(SECRETS), failurePolicy: "Ignore" };
      await tried("what it had", true, "", write("ies", "p", kept, "nobody", with_));

      const none = kind === "validating" ? { validationActions: ["Deny"] } : {};
      const binding = (ref?: JsonMap, policyName = "p") => ({
        policyName,
        ...none,
        ...(ref ? { paramRef: { parameterNotFoundAction: "Deny", ...ref } } : {}),
      });
      const [named, other] = [{ name: "a", namespace: "default" }, { name: "b", namespace: "default" }];
      const bindings: [user: string, spec: JsonMap, allowed: boolean][] = [
        ["nobody", binding(), true],
        ["nobody", binding(named), false],
        ["one", binding(named), true],
        ["one", binding(other), false],
        ["getter", binding({ selector: {} }), false],
        ["lister", binding({ selector: {} }), true],
        ["getter", binding(named, "none"), false],
        ["all", binding(named, "none"), true],
      ];
      for (const [i, [user, spec, allowed]] of bindings.entries()) {
        await tried(`binding ${i}`, allowed, "spec.paramRef", write("ybindings", `b${i}`, spec, user));
      }
      const first = await tried("binding", true, "", write("ybindings", "b", binding(named), "one"));
      await tried("its update", false, "spec.paramRef", write("ybindings", "b", binding(other), "one", first));
      const same = { ...binding(named), matchResources: { objectSelector: { matchLabels: { a: "b" } } } };
      await tried("what it had", true, "", write("ybindings", "b", same, "nobody", first));
    });
  });
}
