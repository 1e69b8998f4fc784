/** Whether a definition in a domain of the project was agreed on, as a condition (specification, "Versioning": custom resources). */
import type { Product } from "../../schema/product.ts";
import {
  type Approval,
  approvalAnnotation,
  approvalOf,
  needsApproval,
} from "../../schema/rules/apiextensions/approval.ts";
import { type Condition, type Definition, setCondition } from "./definition.ts";

interface Said {
  readonly status: Condition["status"];
  readonly reason: string;
  readonly tell: (key: string, value: string) => string;
}

const SAID: Readonly<Record<Approval, Said>> = {
  approved: { status: "True", reason: "ApprovedAnnotation", tell: (_key, value) => `approved in ${value}` },
  bypassed: {
    status: "False",
    reason: "UnapprovedAnnotation",
    tell: (_key, value) => `not approved: ${JSON.stringify(value)}`,
  },
  missing: {
    status: "False",
    reason: "MissingAnnotation",
    tell: (key) => `groups of this domain need annotation ${key}`,
  },
  invalid: {
    status: "False",
    reason: "InvalidAnnotation",
    tell: (key) => `annotation ${key} must be a URL or start with 'unapproved'`,
  },
};

/** Settles the condition in place; groups of other domains have none. `now`: RFC 3339. */
export function settleApproval(d: Definition, product: Product, now: string): void {
  if (!needsApproval(d.spec.group, product)) return;
  const { annotations } = d.metadata, key = approvalAnnotation(product);
  const { status, reason, tell } = SAID[approvalOf(annotations, product)];
  const message = tell(key, annotations?.[key] ?? "");
  setCondition(d, { type: "KubernetesAPIApprovalPolicyConformant", status, reason, message }, now);
}
