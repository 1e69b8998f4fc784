/** Certificate signing requests, as several plugins look at them. */
import type { Obj } from "../../../schema/model/types.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { type RequestedSubject, requestedSubject } from "../../pki/request.ts";

/** Resource id. */
export const CSRS = "certificatesigningrequests.certificates.k8s.io";

/** The subject that an object's request names. @throws Error when it cannot be read */
export function subjectOf(csr: Obj): RequestedSubject {
  const encoded: string = (csr as Tree)["spec"]?.request ?? "";
  return requestedSubject(new TextDecoder().decode(Uint8Array.fromBase64(encoded)));
}
