/** Groups of the project's own domains need a sign, in an annotation, that they were agreed on. */
import type { Product } from "../../product.ts";
import { parseUrl } from "../../values/uri.ts";
import { perProduct } from "../local.ts";

const own = perProduct((p) => ({
  domains: [p.local("k8s.io"), p.local("kubernetes.io")],
  annotation: p.local("api-approved.kubernetes.io"),
}));

/** `bypassed`: said not to be approved, which is allowed. */
export type Approval = "missing" | "bypassed" | "approved" | "invalid";

/** Whether a group lies in a domain of the project. */
export function needsApproval(group: string, product: Product): boolean {
  return own(product).domains.some((d) => group === d || group.endsWith(`.${d}`));
}

/** The annotation's key. */
export const approvalAnnotation = (product: Product): string => own(product).annotation;

/** What the annotation of a definition says. */
export function approvalOf(annotations: Readonly<Record<string, string>> | undefined, product: Product): Approval {
  const text = annotations?.[own(product).annotation] ?? "";
  if (!text) return "missing";
  if (text.startsWith("unapproved")) return "bypassed";
  const url = parseUrl(text);
  return url?.scheme && url.host ? "approved" : "invalid";
}
