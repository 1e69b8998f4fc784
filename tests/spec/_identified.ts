/** Servers whose options and files alone say who asks, and what they make of a request. */
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { parseOptions } from "../../server/options/mod.ts";
import { outside } from "../../server/options/outside.ts";
import { securityFiles } from "../../server/options/security_files.ts";
import { fromPem } from "../../pki/mod.ts";
import { startTestServer, type TestOptions, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";
import { authority, servingPair } from "../listen/_fixture.ts";

/** What a request comes with: headers, and the certificate of its connection. */
export interface From {
  readonly headers?: Record<string, string>;
  readonly peer?: { readonly cert: string };
  readonly method?: string;
  readonly body?: Loose;
}

/** A server, asked as somebody. */
export interface Identified {
  readonly t: TestServer;
  /** The answer's code, and its body. */
  ask(path: string, from?: From): Promise<{ code: number; body: Loose }>;
  /** Who the server takes the sender for; `code` alone where it is refused. */
  who(from?: From): Promise<{ code: number; username?: string; uid?: string; groups?: string[]; extra?: Loose }>;
  /** The name alone; the code where it is refused. */
  name(from?: From): Promise<string | number>;
}

/** What a server is started with, beside its options. */
export interface IdentifiedOptions extends TestOptions {
  /** Options that are files, by name: each `--name=` a file with this text. A list: one for each. */
  readonly texts?: Readonly<Record<string, string | readonly string[]>>;
}

/** Of a token, as a header. */
export const bearer = (token: string): From => ({ headers: { authorization: `Bearer ${token}` } });

/** A policy that allows everybody everything. */
const EVERYBODY = ["system:authenticated", "system:unauthenticated"].map((group) =>
  JSON.stringify({
    apiVersion: "abac.authorization.kubernetes.io/v1beta1",
    kind: "Policy",
    spec: { group, namespace: "*", resource: "*", apiGroup: "*", nonResourcePath: "*" },
  })
).join("\n");

/** Runs a server that reads who asks from its options and files, as a process does. @throws Error where they are wrong */
export async function identified(
  flags: readonly string[],
  run: (i: Identified) => Promise<void>,
  { texts = {}, ...options }: IdentifiedOptions = {},
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "orch-identified-" });
  try {
    // Anonymous requests are none where everything is allowed, so a policy allows it.
    const open = ![...flags, ...Object.keys(texts)].some((name) => /^(?:--)?authorization-/.test(name));
    const all = [...flags, ...(open ? ["--authorization-mode=ABAC"] : [])];
    for (
      const [name, text] of Object.entries({ ...(open ? { "authorization-policy-file": EVERYBODY } : {}), ...texts })
    ) {
      for (const [i, one] of [text].flat().entries()) {
        await Deno.writeTextFile(`${dir}/${name}-${i}`, one);
        all.push(`--${name}=${dir}/${name}-${i}`);
      }
    }
    const own = ["--api-dialect=kubernetes", "--storage-backend=memory", "--controllers=-*"];
    const given = [...own, "--service-cluster-ip-range=10.0.0.0/24", ...all];
    const parsed = parseOptions(given);
    if (parsed.kind !== "run") throw new Error(parsed.kind === "errors" ? parsed.errors.join("; ") : parsed.text);
    const files = securityFiles(parsed.options, undefined);
    const t = await startTestServer(given, { outside, ...options, files, bare: true });
    try {
      await run(askedBy(t));
    } finally {
      await t.stop();
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function askedBy(t: TestServer): Identified {
  const ask: Identified["ask"] = async (path, { headers = {}, peer, method, body } = {}) => {
    const request = new Request(`https://test${path}`, {
      method: method ?? (body ? "POST" : "GET"),
      headers: { ...(body ? { "content-type": "application/json" } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const peerCertificates = peer ? fromPem("CERTIFICATE", peer.cert) : [];
    const answer = await t.server.fetch(request, { remoteAddress: "192.0.2.9", peerCertificates, tls: true });
    const text = await answer.text();
    return { code: answer.status, body: text.startsWith("{") ? JSON.parse(text) : text as Loose };
  };
  const who: Identified["who"] = async (from = {}) => {
    const { code, body } = await ask("/apis/authentication.k8s.io/v1/selfsubjectreviews", { ...from, body: {} });
    return { code, ...body.status?.userInfo };
  };
  return { t, ask, who, name: async (from) => (({ username, code }) => username ?? code)(await who(from)) };
}

/** Two authorities, and client certificates of theirs. */
const clients = authority("spec-clients"), others = authority("spec-others");
/** PEM of the authority that the tests' servers are told of. */
export const CLIENTS_CA: string = clients.cert;
/** A client certificate of it, and of another one. */
export const clientOf = (commonName: string, ...organizations: string[]) =>
  clients.leaf({ subject: { commonName, organizations }, usage: "client" });
export const strangerOf = (commonName: string) => others.leaf({ subject: { commonName }, usage: "client" });

const serving = servingPair("issuer", "localhost");

/** An issuer of ID tokens on the loopback, over TLS. */
export class Issuer {
  readonly #rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  readonly #ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #server = Deno.serve({ hostname: "127.0.0.1", port: 0, ...serving, onListen: () => {} }, ({ url }) => {
    if (url.endsWith("/keys")) return Response.json({ keys: [jwk(this.#rsa, "RS256"), jwk(this.#ec, "ES256")] });
    return Response.json({ issuer: this.url, jwks_uri: `${this.url}/keys` });
  });

  get url(): string {
    return `https://127.0.0.1:${this.#server.addr.port}`;
  }

  /** A token for the client `me`, an hour long, as a header. */
  async token(claims: Record<string, unknown> = {}, alg: `${"RS" | "PS"}${256 | 384 | 512}` | "ES256" = "RS256") {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const [kid, { privateKey }] = alg === "ES256" ? ["ES256", this.#ec] as const : ["RS256", this.#rsa] as const;
    const signed = new SignJWT({ iss: this.url, aud: "me", sub: "ann", exp, ...claims });
    return bearer(await signed.setProtectedHeader({ alg, kid }).sign(privateKey));
  }

  stop(): Promise<void> {
    return this.#server.shutdown();
  }
}

const jwk = ({ publicKey }: { publicKey: KeyObject }, alg: string) => ({
  ...publicKey.export({ format: "jwk" }),
  kid: alg,
  alg,
});

/** A key pair of P-256, PEM. */
export function pemPair(): { key: string; pub: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = (key: KeyObject, type: "pkcs8" | "spki") => key.export({ type, format: "pem" } as never) as string;
  return { key: pem(privateKey, "pkcs8"), pub: pem(publicKey, "spki") };
}

/** A connection file to a server with this authority. */
export const connectionTo = (url: string, ca: string): string =>
  JSON.stringify({
    clusters: [{ name: "c", cluster: { server: url, "certificate-authority-data": btoa(ca) } }],
    contexts: [{ name: "c", context: { cluster: "c", user: "" } }],
    "current-context": "c",
  });

/** Claims of a token, unverified. */
export const claimsOf = (token: string): Loose =>
  JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(token.split(".")[1]!, { alphabet: "base64url" })));

/** Of options that must be refused on the command line. */
export const wrong = (...flags: string[]): void => assert.equal(parseOptions(flags).kind, "errors", flags.join(" "));
