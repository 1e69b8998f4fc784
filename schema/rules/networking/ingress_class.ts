/** Rules of ingress classes. */
import type { Obj } from "../../model/types.ts";
import { longer } from "../../values/utf8.ts";
import { format, immutable, oneOf } from "../checks/basic.ts";
import { dnsLabel, dnsSubdomain, isHttpPath, pathSegment } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";

const SPEC = Path.of("spec"), CONTROLLER = SPEC.child("controller");
const CONTROLLER_LIMIT = 250;
const SCOPES = ["Cluster", "Namespace"];

/** `<domain>/<path>`. */
function domainPath(text: string, path: Path, errors: ErrorList): void {
  const slash = text.indexOf("/"), domain = text.slice(0, Math.max(slash, 0)), rest = text.slice(slash + 1);
  if (!domain || !rest) return errors.invalid(path, text, "must be a domain and a path, such as acme.io/foo");
  format(domain, path, errors, dnsSubdomain);
  if (!isHttpPath(rest)) errors.invalid(path, text, "must hold only characters that are valid in the path of a URL");
}

function parameters(p: Tree, path: Path, errors: ErrorList): void {
  if (isSet(p["apiGroup"])) format(p["apiGroup"], path.child("apiGroup"), errors, dnsSubdomain);
  for (const member of ["kind", "name"]) {
    if (!p[member]) errors.required(path.child(member));
    else format(p[member], path.child(member), errors, pathSegment);
  }
  const { scope, namespace } = p, at = path.child("namespace");
  if (!isSet(scope)) return errors.required(path.child("scope"));
  if (!oneOf(scope, SCOPES, path.child("scope"), errors)) return;
  if (scope === "Cluster") {
    if (isSet(namespace)) errors.forbidden(at, "must not be set when scope is 'Cluster'");
  } else if (!isSet(namespace)) errors.required(at, "must be set when scope is 'Namespace'");
  else format(namespace, at, errors, dnsLabel);
}

/** Rules of `ingressclasses.networking.k8s.io`. */
export const INGRESS_CLASS: KindRules = {
  generation: ["spec"],
  validate(obj: Obj, errors) {
    const spec: Tree = obj["spec"] ?? {}, controller: string = spec["controller"] ?? "";
    if (!controller) errors.required(CONTROLLER);
    else {
      if (longer(controller, CONTROLLER_LIMIT)) errors.tooLong(CONTROLLER, CONTROLLER_LIMIT);
      domainPath(controller, CONTROLLER, errors);
    }
    if (spec["parameters"]) parameters(spec["parameters"], SPEC.child("parameters"), errors);
  },
  validateUpdate: (obj, old, errors) =>
    immutable(obj["spec"]?.controller ?? "", old["spec"]?.controller ?? "", CONTROLLER, errors),
};
