/** Admission plugin CertificateApproval: see _table.ts. */
import { plain, request } from "./_certificates.ts";
import { ALICE, allow, CERTIFICATES, signers } from "./_rights.ts";
import { table } from "./_table.ts";

const approve = (csrName: string) => ({
  method: "PATCH",
  path: `/apis/certificates.k8s.io/v1/certificatesigningrequests/${csrName}/approval`,
  type: "application/merge-patch+json",
  body: { status: { conditions: [{ type: "Approved", status: "True", reason: "r", message: "m" }] } },
});

table("CertificateApproval", {
  on: {
    "who may not approve for the signer": {
      given: [...allow("writer", CERTIFICATES), request("a", plain, "x.io/y")],
      as: ALICE,
      request: approve("a"),
      says: /user not permitted to approve requests with signerName "x\.io\/y"/,
    },
    "who may by name": {
      given: [...allow("by-name", signers("approve", "x.io/y"))],
      as: ALICE,
      request: approve("a"),
      shows: { "status.conditions.0.type": "Approved" },
    },
  },
  edge: {
    "who may for the whole domain": {
      given: [...allow("by-domain", signers("approve", "z.io/*")), request("b", plain, "z.io/any")],
      as: ALICE,
      request: approve("b"),
    },
  },
  dryRun: {
    "refused too": {
      given: [request("c", plain, "w.io/x")],
      as: ALICE,
      request: approve("c"),
      says: /user not permitted to approve/,
    },
  },
  off: {
    "who may write": {
      given: [...allow("writer", CERTIFICATES), request("a", plain, "x.io/y")],
      as: ALICE,
      request: approve("a"),
    },
  },
});
