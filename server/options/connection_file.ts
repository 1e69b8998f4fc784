/** Connection files of webhooks: the shape of a client's own configuration (clusters, users, contexts). */
import { parse } from "yaml";
import { readText } from "./files.ts";

/** Where a webhook is and how to speak to it. PEM texts, not paths. */
export interface WebhookConnection {
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

/** An object of a connection file. */
export type FileMap = Record<string, unknown>;
type Map = FileMap;

/** A text, empty where there is none. */
export const textOf = (v: unknown): string => (typeof v === "string" ? v : "");
const text = textOf;

function entry(file: Map, list: string, name: string, member: string): Map {
  const found = ((file[list] ?? []) as Map[]).find((e) => text(e.name) === name);
  return (found?.[member] ?? {}) as Map;
}

/** The text of `<key>-data` (base64) or of the file that `<key>` names, relative to `directory`. */
function material(option: string, map: Map, key: string, directory: string): string | undefined {
  const data = text(map[`${key}-data`]);
  if (data) return new TextDecoder().decode(Uint8Array.fromBase64(data));
  const path = text(map[key]);
  if (!path) return undefined;
  return readText(option, path.startsWith("/") ? path : `${directory}/${path}`);
}

/** The Authorization header of a user: a token, else name and password. @throws Error for a file that cannot be read */
export function authorizationOf(option: string, user: Map, directory: string): string | undefined {
  const file = text(user.tokenFile);
  const token = text(user.token) ||
    (file ? readText(option, file.startsWith("/") ? file : `${directory}/${file}`).trim() : "");
  if (token) return `Bearer ${token}`;
  if (!user.username) return undefined;
  return `Basic ${new TextEncoder().encode(`${text(user.username)}:${text(user.password)}`).toBase64()}`;
}

/** A user's client certificate and key, or neither. @throws Error when there is one of them */
export function clientPair(option: string, user: FileMap, directory: string): { cert?: string; key?: string } {
  const cert = material(option, user, "client-certificate", directory);
  const key = material(option, user, "client-key", directory);
  if (cert && key) return { cert, key };
  if (cert || key) throw new Error(`--${option}: a client certificate and its key go together`);
  return {};
}

/**
 * Reads the file that an option names, and the files that it names.
 * @throws Error that names the option and what is wrong
 */
export function readConnectionFile(option: string, path: string): WebhookConnection {
  const directory = path.includes("/") ? path.replace(/\/[^/]*$/, "") : ".";
  const file = (parse(readText(option, path)) ?? {}) as Map;
  const fail = (why: string): never => {
    throw new Error(`--${option}: ${JSON.stringify(path)}: ${why}`);
  };
  const context = entry(file, "contexts", text(file["current-context"]), "context");
  const cluster = entry(file, "clusters", text(context.cluster), "cluster");
  const user = entry(file, "users", text(context.user), "user");
  const server = text(cluster.server);
  if (!server) fail("the current context leads to no cluster with a server");
  if (!URL.canParse(server)) fail(`the server ${JSON.stringify(server)} should be a URL`);
  if (user.exec || user["auth-provider"]) fail("exec and auth-provider users are not supported");
  const ca = material(option, cluster, "certificate-authority", directory);
  const cert = material(option, user, "client-certificate", directory);
  const key = material(option, user, "client-key", directory);
  if ((cert === undefined) !== (key === undefined)) fail("a client certificate and its key go together");
  const authorization = authorizationOf(option, user, directory);
  const insecure = cluster["insecure-skip-tls-verify"] === true;
  if (insecure && ca) fail("insecure-skip-tls-verify and an authority exclude each other");
  const serverName = text(cluster["tls-server-name"]);
  return {
    server,
    ...(ca ? { ca } : {}),
    ...(cert && key ? { cert, key } : {}),
    ...(authorization ? { authorization } : {}),
    ...(serverName ? { serverName } : {}),
    ...(insecure ? { insecure } : {}),
  };
}
