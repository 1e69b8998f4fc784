/** Defaults of the admission registration group. */
import { fill, part } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import { items, type Tree } from "../tree.ts";

function ruleScopes(rules: readonly Tree[] | undefined): void {
  for (const r of items(rules)) fill(r, { scope: "*" });
}

function matchDefaults(m: Tree | null | undefined): void {
  if (!m) return;
  part(m, "namespaceSelector");
  part(m, "objectSelector");
  fill(m, { matchPolicy: "Equivalent" });
  ruleScopes(m["resourceRules"]);
  ruleScopes(m["excludeResourceRules"]);
}

function webhookDefaults(c: Tree, more: Readonly<Record<string, string>>): void {
  for (const w of items(c["webhooks"])) {
    if (w["clientConfig"]?.service) fill(w["clientConfig"].service, { port: 443 });
    ruleScopes(w["rules"]);
    part(w, "namespaceSelector");
    part(w, "objectSelector");
    fill(w, { failurePolicy: "Fail", matchPolicy: "Equivalent", timeoutSeconds: 10, ...more });
  }
}

const policy = (p: Tree) => {
  const spec = part(p, "spec");
  fill(spec, { failurePolicy: "Fail" });
  matchDefaults(spec["matchConstraints"]);
};
const binding = (b: Tree) => matchDefaults(b["spec"]?.matchResources);
/** The first version alone says what becomes of requests whose parameters are not there. */
const firstBinding = (b: Tree) => {
  binding(b);
  if (b["spec"]?.paramRef) fill(b["spec"].paramRef, { parameterNotFoundAction: "Deny" });
};

/** Rows of the group. */
export const DEFAULTS: DefaultsTable = {
  "v1/ValidatingWebhookConfiguration": (c: Tree) => webhookDefaults(c, {}),
  "v1/MutatingWebhookConfiguration": (c: Tree) => webhookDefaults(c, { reinvocationPolicy: "Never" }),
  "v1/ValidatingAdmissionPolicy": policy,
  "v1/ValidatingAdmissionPolicyBinding": binding,
  ...Object.fromEntries(["v1", "v1beta1", "v1alpha1"].flatMap((v) => [
    [`${v}/MutatingAdmissionPolicy`, policy],
    [`${v}/MutatingAdmissionPolicyBinding`, v === "v1alpha1" ? firstBinding : binding],
  ])),
};
