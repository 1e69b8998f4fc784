/** Admission plugin CertificateSigning: see _table.ts. */
import { plain, request } from "./_certificates.ts";
import { ALICE, allow, CERTIFICATES, signers } from "./_rights.ts";
import { table } from "./_table.ts";
import type { Loose } from "../../fixture/loose.ts";

const fail = (csrName: string, body: Loose = { conditions: [{ type: "Failed", status: "True", reason: "r" }] }) => ({
  method: "PATCH",
  path: `/apis/certificates.k8s.io/v1/certificatesigningrequests/${csrName}/status`,
  type: "application/merge-patch+json",
  body: { status: body },
});

table("CertificateSigning", {
  on: {
    "who may not sign for the signer": {
      given: [...allow("writer", CERTIFICATES), request("a", plain, "x.io/y")],
      as: ALICE,
      request: fail("a"),
      says: /user not permitted to sign requests with signerName "x\.io\/y"/,
    },
  },
  edge: {
    "a write that changes nothing of it": { as: ALICE, request: fail("a", {}) },
    "who may": { given: [...allow("by-name", signers("sign", "x.io/y"))], as: ALICE, request: fail("a") },
  },
  dryRun: {
    "refused too": {
      given: [request("c", plain, "w.io/x")],
      as: ALICE,
      request: fail("c"),
      says: /user not permitted to sign/,
    },
  },
  off: {
    "who may write": {
      given: [...allow("writer", CERTIFICATES), request("a", plain, "x.io/y")],
      as: ALICE,
      request: fail("a"),
    },
  },
});
