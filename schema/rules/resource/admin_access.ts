/** Administrators' access to devices that others use: only in namespaces that are labelled for it. */
import type { ErrorList } from "../errors.ts";
import { perProduct } from "../local.ts";
import { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

const label = perProduct((p) => p.local("resource.kubernetes.io/admin-access"));
/** Causes stand where the first version of the API had the member, also those of templates. */
const REQUESTS = Path.of("spec", "devices", "requests"),
  RESULTS = Path.of("status", "allocation", "devices", "results");

function allowed(namespace: string, path: Path, errors: ErrorList, ctx: RuleContext): void {
  if (!ctx.namespaceLabels) return;
  const labels = ctx.namespaceLabels(namespace), name = label(ctx.product), at = path.child("adminAccess");
  if (!labels) errors.internal(at, `namespace ${JSON.stringify(namespace)} was not found`);
  else if (labels[name] !== "true") {
    const needs = `requires the \`${name}: true\` label on the containing namespace`;
    errors.forbidden(at, `admin access to devices ${needs}`);
  }
}

/** Checks what a claim asks for. */
export function requestedAccess(spec: Tree | undefined, namespace: string, errors: ErrorList, ctx: RuleContext): void {
  const i = items(spec?.["devices"]?.requests).findIndex((r) => r["exactly"]?.adminAccess);
  if (i >= 0) allowed(namespace, REQUESTS.index(i), errors, ctx);
}

/** Checks what a claim is given. What it already has stays. */
export function givenAccess(now: Tree, was: Tree, namespace: string, errors: ErrorList, ctx: RuleContext): void {
  const first = (s: Tree) => items(s["allocation"]?.devices?.results).findIndex((r) => r["adminAccess"]);
  const i = first(now);
  if (i >= 0 && first(was) < 0) allowed(namespace, RESULTS.index(i), errors, ctx);
}
