/** Connection files: where a server is, and who a client is to it (clusters, users, contexts). Files come in through a function. */
import { parse } from "yaml";

/** Where a server is and how to speak to it. PEM texts, not paths. */
export interface Connection {
  readonly server: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Value of the Authorization header. */
  readonly authorization?: string;
  /** The name that the server's certificate must be for, in place of the URL's. */
  readonly serverName?: string;
  /** True: whatever certificate the server has. */
  readonly insecure?: boolean;
}

/** A connection file among others. */
export interface FileContext {
  /** Its own path: what it names relatively lies beside it. */
  readonly path: string;
  /** The text of a file that it names. @throws Error that says which and why */
  read(path: string): string;
  /** The error that says what is wrong with it. */
  fault(why: string): Error;
}

/** An object of a connection file. */
export type FileMap = Record<string, unknown>;

/** A text, empty where there is none. */
export const textOf = (v: unknown): string => (typeof v === "string" ? v : "");

function entry(file: FileMap, list: string, name: string, member: string): FileMap {
  const found = ((file[list] ?? []) as FileMap[]).find((e) => textOf(e.name) === name);
  return (found?.[member] ?? {}) as FileMap;
}

function beside(at: FileContext, path: string): string {
  if (path.startsWith("/")) return path;
  return `${at.path.includes("/") ? at.path.replace(/\/[^/]*$/, "") : "."}/${path}`;
}

/** The text of `<key>-data` (base64) or of the file that `<key>` names. */
function material(map: FileMap, key: string, at: FileContext): string | undefined {
  const data = textOf(map[`${key}-data`]);
  if (data) return new TextDecoder().decode(Uint8Array.fromBase64(data));
  const path = textOf(map[key]);
  return path ? at.read(beside(at, path)) : undefined;
}

/** The Authorization header of a user: a token, else name and password. @throws Error for a file that cannot be read */
function authorizationOf(user: FileMap, at: FileContext): string | undefined {
  const file = textOf(user.tokenFile);
  const token = textOf(user.token) || (file ? at.read(beside(at, file)).trim() : "");
  if (token) return `Bearer ${token}`;
  if (!user.username) return undefined;
  return `Basic ${new TextEncoder().encode(`${textOf(user.username)}:${textOf(user.password)}`).toBase64()}`;
}

/** Certificates and key of a text that holds both. */
export function pairIn(text: string): { readonly cert: string; readonly key: string } {
  const blocks = text.match(/-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g) ?? [];
  const isCert = (block: string) => block.startsWith("-----BEGIN CERTIFICATE-----");
  const only = (wanted: boolean) => blocks.filter((b) => isCert(b) === wanted).map((b) => `${b}\n`).join("");
  return { cert: only(true), key: only(false) };
}

/** A user's client certificate and key, or neither. @throws Error when there is one of them */
function clientPair(user: FileMap, at: FileContext): { cert?: string; key?: string } {
  const cert = material(user, "client-certificate", at);
  const key = material(user, "client-key", at);
  if (cert && cert === key) return pairIn(cert);
  if (cert && key) return { cert, key };
  if (cert || key) throw at.fault("a client certificate and its key go together");
  return {};
}

/** What a user shows: see {@linkcode clientPair} and {@linkcode authorizationOf}. @throws Error for users that run programs, too */
export function credentialsOf(
  user: FileMap,
  at: FileContext,
): Pick<Connection, "cert" | "key" | "authorization"> {
  if (user.exec || user["auth-provider"]) throw at.fault("exec and auth-provider users are not supported");
  const authorization = authorizationOf(user, at);
  return { ...clientPair(user, at), ...(authorization ? { authorization } : {}) };
}

/** The connection of a file's current context. @param text of the file. @throws Error that says what is wrong */
export function connectionOf(text: string, at: FileContext): Connection {
  const file = (parse(text) ?? {}) as FileMap;
  const context = entry(file, "contexts", textOf(file["current-context"]), "context");
  const cluster = entry(file, "clusters", textOf(context.cluster), "cluster");
  const server = textOf(cluster.server);
  if (!server) throw at.fault("the current context leads to no cluster with a server");
  if (!URL.canParse(server)) throw at.fault(`the server ${JSON.stringify(server)} should be a URL`);
  const credentials = credentialsOf(entry(file, "users", textOf(context.user), "user"), at);
  const ca = material(cluster, "certificate-authority", at);
  const insecure = cluster["insecure-skip-tls-verify"] === true;
  if (insecure && ca) throw at.fault("insecure-skip-tls-verify and an authority exclude each other");
  const serverName = textOf(cluster["tls-server-name"]);
  return {
    server,
    ...(ca ? { ca } : {}),
    ...credentials,
    ...(serverName ? { serverName } : {}),
    ...(insecure ? { insecure } : {}),
  };
}

/** A connection file for a user whose certificate and key are in one file: JSON, which is YAML too. */
export function connectionText({ server, ca, serverName, insecure }: Connection, pairFile: string): string {
  const cluster = {
    server,
    ...(ca ? { "certificate-authority-data": new TextEncoder().encode(ca).toBase64() } : {}),
    ...(serverName ? { "tls-server-name": serverName } : {}),
    ...(insecure ? { "insecure-skip-tls-verify": true } : {}),
  };
  const file = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "default-cluster", cluster }],
    users: [{ name: "default-auth", user: { "client-certificate": pairFile, "client-key": pairFile } }],
    contexts: [{
      name: "default-context",
      context: { cluster: "default-cluster", user: "default-auth", namespace: "default" },
    }],
    "current-context": "default-context",
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
