/** What must hold of `--service-account-signing-endpoint`. */
import type { OptionValues } from "./table.ts";

const OPTION = "--service-account-signing-endpoint";
const ABSTRACT = /^@([a-zA-Z0-9_-]+\.)*[a-zA-Z0-9_-]+$/;
const GATE = "ExternalServiceAccountTokenSigner";

type SignerOptions = Pick<
  OptionValues,
  "serviceAccountSigningEndpoint" | "serviceAccountSigningKeyFile" | "serviceAccountKeyFile"
>;

/** What does not hold. */
export function signerFaults(o: SignerOptions, gate: (name: string) => boolean): string[] {
  const endpoint = o.serviceAccountSigningEndpoint;
  if (endpoint === "") return [];
  const faults: string[] = [];
  if (o.serviceAccountSigningKeyFile || o.serviceAccountKeyFile.length > 0) {
    faults.push(`${OPTION}: cannot go with --service-account-signing-key-file or --service-account-key-file`);
  }
  if (!gate(GATE)) faults.push(`${OPTION}: needs the feature gate ${GATE}`);
  if (endpoint.startsWith("@") && !ABSTRACT.test(endpoint)) {
    faults.push(`${OPTION}: ${JSON.stringify(endpoint)} should be the name of an abstract socket after @`);
  }
  return faults;
}
