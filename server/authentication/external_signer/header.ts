/** The header that an external signer gives a token: it is not believed unseen. */
import { longer } from "../../../schema/values/utf8.ts";

const ALGORITHMS = ["RS256", "ES256", "ES384", "ES512"];
const MEMBERS = ["alg", "kid", "typ"];
const KEY_ID = 1024;

/** The id of the key that signed. @throws Error that says what is wrong */
export function signedBy(header: string): string {
  const told = parsed(header);
  const unknown = Object.keys(told).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw new Error(`the header holds ${JSON.stringify(unknown)}`);
  const { typ, kid, alg } = told;
  if (typ !== "JWT") throw new Error(`the header's type is ${JSON.stringify(typ)}, not "JWT"`);
  if (typeof kid !== "string" || kid === "") throw new Error("the header names no key");
  if (longer(kid, KEY_ID)) throw new Error(`the key's id has more than ${KEY_ID} bytes`);
  if (typeof alg !== "string" || !ALGORITHMS.includes(alg)) {
    throw new Error(`the algorithm ${JSON.stringify(alg)} should be one of ${ALGORITHMS.join(", ")}`);
  }
  return kid;
}

function parsed(header: string): Record<string, unknown> {
  try {
    if (header.includes("=")) throw new Error("padding");
    const bytes = Uint8Array.fromBase64(header, { alphabet: "base64url" });
    const tree: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof tree !== "object" || tree === null || Array.isArray(tree)) throw new Error("no object");
    return tree as Record<string, unknown>;
  } catch (cause) {
    throw new Error("the header is no JSON object in base64url", { cause });
  }
}
