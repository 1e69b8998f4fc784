/** The programs that connection files name to say who the server is to others. */
import { runProgram } from "../../host/run_program.ts";
import { CredentialPrograms } from "../../schema/credential_program.ts";

/** What the programs of connection files answer, by the process's clock. */
export const credentialPrograms = (): CredentialPrograms => new CredentialPrograms(runProgram, () => Date.now());
