/** Admission plugin CertificateSubjectRestriction: see _table.ts. */
import { csr, plain, request } from "./_certificates.ts";
import { table } from "./_table.ts";

const master = await csr("O=system:masters, CN=bob");

/** Behind what is no block: it does not begin at the beginning of a line. */
const hidden = btoa(`x ${atob(plain).replaceAll("\n", "")}\n${atob(master)}`);

table("CertificateSubjectRestriction", {
  on: {
    "an administrator's is refused": {
      post: request("b", master),
      says: /use of kubernetes\.io\/kube-apiserver-client signer with system:masters group is not allowed/,
    },
    "beside another group": {
      post: request("e", await csr("O=dev, O=system:masters, CN=bob")),
      says: /with system:masters group is not allowed/,
    },
    "in one part of the subject with another group": {
      post: request("f", await csr("O=dev+O=system:masters, CN=bob")),
      says: /with system:masters group is not allowed/,
    },
    "as signers read it": { post: request("d", hidden), says: /with system:masters group is not allowed/ },
  },
  edge: {
    "a subject like any other": { post: request("a", plain) },
    "another signer decides itself": { post: request("c", master, "x.io/y") },
  },
  dryRun: {
    "in a dry run too": { post: request("b", master), says: /system:masters group is not allowed/ },
  },
  off: {
    "as asked": { post: request("b", master) },
  },
});
