/** Ways from the server to other servers: documents of issuers, webhooks named by connection files. */
import { parse } from "yaml";
import type { FetchText } from "../authentication/jwt.ts";
import type { PostJson } from "../authentication/webhook_client.ts";
import type { Outside } from "../security.ts";

/** Largest answer that is read, in bytes. */
const MAX_ANSWER = 4 * 1024 * 1024;

async function limitedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_ANSWER) throw new Error(`the answer of ${response.url} is larger than ${MAX_ANSWER} bytes`);
    parts.push(part);
  }
  return await new Blob(parts as BlobPart[]).text();
}

function fetchText(ca: string | undefined): FetchText {
  const client = Deno.createHttpClient(ca === undefined ? {} : { caCerts: [ca] });
  return async (url, signal) => {
    const response = await fetch(url, { client, signal });
    const text = await limitedText(response);
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return text;
  };
}

interface Named<T> {
  readonly name: string;
  readonly cluster?: T;
  readonly user?: T;
  readonly context?: T;
}
type Fields = Readonly<Record<string, string | undefined>>;
interface ConnectionFile {
  readonly clusters?: readonly Named<Fields>[];
  readonly users?: readonly Named<Fields>[];
  readonly contexts?: readonly Named<Fields>[];
  readonly "current-context"?: string;
}

/** Data in the file itself, base64, or in a file beside it. */
function pem(fields: Fields | undefined, name: string): string | undefined {
  const data = fields?.[`${name}-data`];
  if (data) return new TextDecoder().decode(Uint8Array.fromBase64(data));
  const path = fields?.[name];
  return path ? Deno.readTextFileSync(path) : undefined;
}

function post(connectionFile: string): PostJson {
  const file = parse(Deno.readTextFileSync(connectionFile)) as ConnectionFile;
  const context = file.contexts?.find((c) => c.name === file["current-context"])?.context ?? {};
  const cluster = file.clusters?.find((c) => c.name === context["cluster"])?.cluster ?? file.clusters?.[0]?.cluster;
  const user = file.users?.find((u) => u.name === context["user"])?.user ?? file.users?.[0]?.user;
  const server = cluster?.["server"];
  if (!server) throw new Error(`the connection file "${connectionFile}" names no server`);
  const ca = pem(cluster, "certificate-authority");
  const cert = pem(user, "client-certificate"), key = pem(user, "client-key");
  const client = Deno.createHttpClient({ ...(ca ? { caCerts: [ca] } : {}), ...(cert && key ? { cert, key } : {}) });
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (user?.["token"]) headers["authorization"] = `Bearer ${user["token"]}`;
  return async (body, signal) => {
    const response = await fetch(server, { method: "POST", body, headers, client, signal });
    return { status: response.status, body: await limitedText(response) };
  };
}

/** The process's ways out. */
export const outside: Outside = { fetchText, post };
