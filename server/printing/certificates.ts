/** Printers of the certificates group. */
import type { Obj } from "../../schema/model/types.ts";
import { humanDuration } from "../../schema/values/age.ts";
import { AGE, col, NAME, table } from "./parts.ts";
import { conditionsOf, labelsText, NONE, orNone } from "./text.ts";
import type { Printers } from "./types.ts";

function requestState(o: Obj): string {
  const types = new Set(conditionsOf(o).map((c) => c.type));
  const decision = types.has("Denied") ? "Denied" : types.has("Approved") ? "Approved" : "Pending";
  return [decision, ...(types.has("Failed") ? ["Failed"] : []), ...(o.status?.certificate ? ["Issued"] : [])].join(",");
}

const ENDS = new Set(["Issued", "Denied", "Failed"]);
const podRequestState = (o: Obj): string => conditionsOf(o).findLast((c) => ENDS.has(c.type))?.type ?? "Pending";

/** Printers, by public id. */
export const CERTIFICATES: Printers = {
  "certificatesigningrequests.certificates.k8s.io": table(
    NAME,
    AGE,
    col("SignerName", (o) => orNone(o.spec?.signerName)),
    col("Requestor", (o) => o.spec?.username ?? ""),
    col(
      "RequestedDuration",
      (o) => o.spec?.expirationSeconds === undefined ? NONE : humanDuration(o.spec.expirationSeconds * 1000),
    ),
    col("Condition", requestState),
  ),
  "clustertrustbundles.certificates.k8s.io": table(NAME, col("SignerName", (o) => orNone(o.spec?.signerName))),
  "podcertificaterequests.certificates.k8s.io": table(
    NAME,
    col("PodName", (o) => o.spec?.podName ?? ""),
    col("ServiceAccountName", (o) => o.spec?.serviceAccountName ?? ""),
    col("NodeName", (o) => o.spec?.nodeName ?? ""),
    col("SignerName", (o) => o.spec?.signerName ?? ""),
    col("State", podRequestState),
    col("UnverifiedUserAnnotations", (o) => labelsText(o.spec?.unverifiedUserAnnotations)),
  ),
};
