/** Printers of the admission registration group. */
import type { Obj } from "../../schema/model/types.ts";
import type { LabelSelector } from "../../schema/values/labels.ts";
import { AGE, col, NAME, table } from "./parts.ts";
import { size, UNSET } from "./text.ts";
import type { Printer, Printers } from "./types.ts";

const WEBHOOKS: Printer = table(NAME, col("Webhooks", (o) => size(o.webhooks), "integer"), AGE);

function paramKind(o: Obj): string {
  const kind = o.spec?.paramKind as { apiVersion?: string; kind?: string } | undefined;
  return kind ? `${kind.apiVersion ?? ""}/${kind.kind ?? ""}` : UNSET;
}
const policy = (what: string, field: string): Printer =>
  table(NAME, col(what, (o) => size(o.spec?.[field]), "integer"), col("ParamKind", paramKind), AGE);

function paramRef(o: Obj): string {
  const ref = o.spec?.paramRef as { name?: string; namespace?: string; selector?: LabelSelector } | undefined;
  if (ref?.name) return `${ref.namespace || "*"}/${ref.name}`;
  return ref?.selector ? literalSelector(ref.selector) : UNSET;
}

/** A selector as the field's tools have it here: as a literal of its type. */
function literalSelector({ matchLabels, matchExpressions }: LabelSelector): string {
  const labels = Object.entries(matchLabels ?? {}).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => `${k}: ${v},`);
  const terms = (matchExpressions ?? []).map((m) =>
    `LabelSelectorRequirement{Key:${m.key},Operator:${m.operator},Values:[${(m.values ?? []).join(" ")}],},`
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},` +
    `MatchExpressions:[]LabelSelectorRequirement{${terms.join("")}},}`;
}

const BINDING: Printer = table(
  NAME,
  col("PolicyName", (o) => o.spec?.policyName ?? ""),
  col("ParamRef", paramRef),
  AGE,
);

/** Printers, by public id. */
export const ADMISSION_REGISTRATION: Printers = {
  "mutatingadmissionpolicies.admissionregistration.k8s.io": policy("Mutations", "mutations"),
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io": BINDING,
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": WEBHOOKS,
  "validatingadmissionpolicies.admissionregistration.k8s.io": policy("Validations", "validations"),
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": BINDING,
  "validatingwebhookconfigurations.admissionregistration.k8s.io": WEBHOOKS,
};
