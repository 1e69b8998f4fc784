/** Certificate signing requests, as several plugins look at them. */
import type { Obj } from "../../../schema/model/types.ts";
import { textOfBytes } from "../../../schema/rules/certificates/pem.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { type RequestedSubject, requestedSubject } from "../../../pki/request.ts";

/** Resource id. */
export const CSRS = "certificatesigningrequests.certificates.k8s.io";

/** The subject that an object's request names. @throws Error when it cannot be read */
export function subjectOf(csr: Obj): RequestedSubject {
  return requestedSubject(textOfBytes((csr as Tree)["spec"]?.request));
}
