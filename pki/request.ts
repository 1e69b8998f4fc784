/** Certificate requests (PKCS #10): whose certificate is asked for. */
import { pemBlocks } from "../schema/rules/certificates/pem.ts";
import { children, oidText, read, text } from "./der.ts";
import { OID } from "./oids.ts";

/** The subject that a request names. */
export interface RequestedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

/** Reads the subject of the request that a PEM text begins with. @throws Error when there is none, or it cannot be read */
export function requestedSubject(pem: string): RequestedSubject {
  const [block] = pemBlocks(pem);
  if (block?.type !== "CERTIFICATE REQUEST") throw new Error("PEM block type must be CERTIFICATE REQUEST");
  const info = children(read(block.bytes))[0];
  const subject = info && children(info)[1];
  if (!subject) throw new Error("the request has no subject");
  const pairs = children(subject).flatMap(children).map((pair) => {
    const [id, value] = children(pair);
    if (!id || !value) throw new Error("the subject of the request is damaged");
    return [oidText(id), text(value)] as const;
  });
  const of = (id: string) => pairs.filter(([i]) => i === id).map(([, v]) => v);
  return { commonName: of(OID.commonName).at(-1) ?? "", organizations: of(OID.organization) };
}
