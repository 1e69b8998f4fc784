/** What a token bears witness to: for which groups of the API it may ask a webhook. */
import { format } from "../checks/basic.ts";
import { dnsSubdomain } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, emptyMap, items, type Tree } from "../tree.ts";

const SPEC = Path.of("spec"), ATTESTATIONS = SPEC.child("attestations");
const GROUPS = "admissionReviewAPIGroups";
const KINDS = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];

/** Whether a token is bound to a configuration of webhooks; `group` is the admission registration group, as served. */
function boundToWebhooks(ref: Tree | null | undefined, group: string): boolean {
  return KINDS.includes(ref?.["kind"] ?? "") && ref!["apiVersion"] === `${group}/v1`;
}

/** Rules of `spec.attestations` and of what goes with them. Without webhooks there are none, and nothing else is told. */
export function attestations(spec: Tree, group: string, errors: ErrorList): void {
  const given: Tree = spec["attestations"] ?? {};
  if (!boundToWebhooks(spec["boundObjectRef"], group)) {
    if (emptyMap(given)) return;
    errors.forget(0);
    return errors.invalid(ATTESTATIONS, given, "may only be specified with a webhook as boundObjectRef");
  }
  if (count(spec["audiences"]) !== 1) {
    errors.invalid(SPEC.child("audiences"), spec["audiences"] ?? [], "must be one when bound to webhooks");
  }
  const keys = Object.keys(given);
  if (keys.length !== 1) return errors.invalid(ATTESTATIONS, given, `must be exactly one: ${GROUPS}`);
  const [key] = keys as [string], values = items<string>(given[key]), path = ATTESTATIONS.key(key);
  if (key !== GROUPS) return errors.notSupported(path, key, [GROUPS]);
  const [value] = values;
  if (values.length !== 1) errors.invalid(path, values, "must be a single value");
  else if (!value) errors.invalid(path.index(0), value ?? "", "must not be empty");
  else if (value !== "*") format(value, path.index(0), errors, dnsSubdomain);
}
