/** Connection files: where a server is, and who a client is to it (clusters, users, contexts). Files come in through a function. */
import { parseYaml } from "./codec/yaml.ts";
import { type CredentialProgram, programFault, type Shown } from "./credential_program.ts";

/** Where a server is and how to speak to it. PEM texts, not paths. */
export interface Connection extends Shown {
  readonly server: string;
  readonly ca?: string;
  /** The name that the server's certificate must be for, in place of the URL's. */
  readonly serverName?: string;
  /** True: whatever certificate the server has. */
  readonly insecure?: boolean;
}

/** What TLS with the server is asked to go by, as Node's clients name it. */
export function tlsOf({ ca, cert, key, serverName, insecure }: Connection) {
  return {
    ...(ca ? { ca } : {}),
    ...(cert && key ? { cert, key } : {}),
    ...(serverName ? { servername: serverName } : {}),
    ...(insecure ? { rejectUnauthorized: false } : {}),
  };
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

/** The object of a file's text: YAML as the public clients read it (`yes` is true), or JSON. @throws Error for what is neither */
export function fileOf(text: string, at: FileContext): FileMap {
  try {
    return Object(parseYaml(text).tree) as FileMap;
  } catch (e) {
    throw at.fault((e as Error).message);
  }
}

/** A text, empty where there is none. @throws Error for a number: a token of digits alone would be passed over */
export function textOf(map: FileMap, key: string, at: FileContext): string {
  const value = map[key] ?? "";
  if (typeof value === "string") return value;
  throw at.fault(`${key} should be a string`);
}

function entry(file: FileMap, list: string, name: string, member: string, at: FileContext): FileMap {
  const found = maps(file, list, at).find((e) => textOf(e, "name", at) === name);
  return (found?.[member] ?? {}) as FileMap;
}

function beside(at: FileContext, path: string): string {
  if (path.startsWith("/")) return path;
  return `${at.path.includes("/") ? at.path.replace(/\/[^/]*$/, "") : "."}/${path}`;
}

/** The text of `<key>-data` (base64) or of the file that `<key>` names. */
function material(map: FileMap, key: string, at: FileContext): string | undefined {
  const data = textOf(map, `${key}-data`, at);
  if (data) return decoded(data, `${key}-data`, at);
  const path = textOf(map, key, at);
  return path ? at.read(beside(at, path)) : undefined;
}

/** @throws Error that names the member, and shows nothing of what may be secret */
function decoded(data: string, key: string, at: FileContext): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(data));
  } catch {
    throw at.fault(`${key} should be base64`);
  }
}

/** The token of a user: that of a file, which may be renewed, before one that stands here. @throws Error for a file that cannot be read, where there is no other */
function tokenOf(user: FileMap, at: FileContext): string {
  const token = textOf(user, "token", at), file = textOf(user, "tokenFile", at);
  if (file === "") return token;
  try {
    return at.read(beside(at, file)).trim() || token;
  } catch (e) {
    if (token === "") throw e;
    return token;
  }
}

/** The Authorization header of a user: a token, else name and password. @throws Error for a file that cannot be read */
function authorizationOf(user: FileMap, at: FileContext): string | undefined {
  const token = tokenOf(user, at), [name, password] = ["username", "password"].map((key) => textOf(user, key, at));
  if (token) return `Bearer ${token}`;
  return name ? `Basic ${new TextEncoder().encode(`${name}:${password}`).toBase64()}` : undefined;
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

/** The program of a user. @param cluster what it is told where it wants to know. @throws Error for one that cannot be asked */
function programOf(exec: FileMap, cluster: FileMap | undefined, at: FileContext): CredentialProgram {
  const command = textOf(exec, "command", at);
  const variables = maps(exec, "env", at).map((v) => [textOf(v, "name", at), textOf(v, "value", at)]);
  const args = exec["args"] ?? [];
  if (!Array.isArray(args) || !args.every((a) => typeof a === "string")) {
    throw at.fault("exec: args should be a list of strings");
  }
  const program: CredentialProgram = {
    apiVersion: textOf(exec, "apiVersion", at),
    command: command.includes("/") ? beside(at, command) : command,
    args,
    env: Object.fromEntries(variables),
    installHint: textOf(exec, "installHint", at),
    ...(exec["provideClusterInfo"] === true && cluster ? { cluster } : {}),
  };
  const fault = variables.some(([name]) => name === "")
    ? "exec: a variable of env has no name"
    : programFault(program, textOf(exec, "interactiveMode", at));
  if (fault !== undefined) throw at.fault(fault);
  return program;
}

/** A list of objects. @throws Error for what is none */
function maps(map: FileMap, key: string, at: FileContext): FileMap[] {
  const list = map[key] ?? [];
  if (Array.isArray(list) && list.every((e) => typeof e === "object" && e !== null)) return list;
  throw at.fault(`${key} should be a list of objects`);
}

/**
 * What a user shows: a pair and a header, else the program that says them.
 * @param cluster what a program is told of it where it wants to know. @throws Error for users by `auth-provider`, too
 */
export function credentialsOf(user: FileMap, at: FileContext, cluster?: FileMap): Shown {
  if (user["auth-provider"]) throw at.fault("auth-provider users are not supported");
  const program = user["exec"] ? programOf(Object(user["exec"]), cluster, at) : undefined;
  const authorization = authorizationOf(user, at), pair = clientPair(user, at);
  const own = { ...pair, ...(authorization ? { authorization } : {}) };
  return program && Object.keys(own).length === 0 ? { program } : own;
}

/** What a cluster holds for programs that are asked who a client is to it. */
const extensionFor = (cluster: FileMap, at: FileContext): unknown =>
  maps(cluster, "extensions", at).find((e) => e["name"] === "client.authentication.k8s.io/exec")?.["extension"] ?? null;

/** The connection of a file's current context. @param text of the file. @throws Error that says what is wrong */
export function connectionOf(text: string, at: FileContext): Connection {
  const file = fileOf(text, at);
  const context = entry(file, "contexts", textOf(file, "current-context", at), "context", at);
  const cluster = entry(file, "clusters", textOf(context, "cluster", at), "cluster", at);
  const server = textOf(cluster, "server", at);
  if (!server) throw at.fault("the current context leads to no cluster with a server");
  if (!URL.canParse(server)) throw at.fault(`the server ${JSON.stringify(server)} should be a URL`);
  const ca = material(cluster, "certificate-authority", at);
  const insecure = cluster["insecure-skip-tls-verify"] ?? false;
  if (typeof insecure !== "boolean") throw at.fault("insecure-skip-tls-verify should be true or false");
  if (insecure && ca) throw at.fault("insecure-skip-tls-verify and an authority exclude each other");
  if (textOf(cluster, "proxy-url", at)) throw at.fault("proxy-url is not supported");
  const serverName = textOf(cluster, "tls-server-name", at);
  const user = entry(file, "users", textOf(context, "user", at), "user", at);
  const named = {
    server,
    ...(serverName ? { "tls-server-name": serverName } : {}),
    ...(insecure ? { "insecure-skip-tls-verify": true } : {}),
    ...(ca ? { "certificate-authority-data": new TextEncoder().encode(ca).toBase64() } : {}),
    config: extensionFor(cluster, at),
  };
  return {
    server,
    ...(ca ? { ca } : {}),
    ...credentialsOf(user, at, named),
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
