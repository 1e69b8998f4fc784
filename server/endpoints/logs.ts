/** Log files of the machine (`/logs`; specification, "Other paths"): directories as pages of links, files as they are. */
import type { PathHandler } from "../app_types.ts";
import { inTime } from "../in_time.ts";
import { methodNotAllowed } from "../../schema/status.ts";
import { pageNotFound } from "./plain.ts";

/** What a path of the log directory is. */
export type LogEntry =
  /** Names in it, those of directories with a slash behind. */
  | { readonly kind: "directory"; readonly names: readonly string[] }
  | { readonly kind: "file"; readonly size: number; readonly body: ReadableStream<Uint8Array> };

/** The log directory; undefined for what is not there or leads out of it. */
export type LogDirectory = (path: string) => Promise<LogEntry | undefined>;

const ROOT = "/logs";

/**
 * Handlers of `/logs` and below: files as text, directories as pages of links; 404 for what is not there, 405 but for GET. What is
 * looked up is the path as authorizers have seen it, which does not lead back up.
 */
export function logPaths(look: LogDirectory): Map<string, PathHandler> {
  const handler: PathHandler = async ({ url, info: { path }, request, limitMs = Infinity }) => {
    if (request.method !== "GET") throw methodNotAllowed();
    if (path.split("/").includes("..")) return leadsUp();
    const entry = await look(path.slice(ROOT.length));
    if (!entry) return pageNotFound();
    if (entry.kind === "file") return file(entry.size, inTime(entry.body, limitMs));
    return url.pathname.endsWith("/") ? directory(entry.names) : withSlash(url);
  };
  return new Map([[ROOT, handler], [`${ROOT}/*`, handler]]);
}

/** Below the same name with a slash: relative, as whoever asks may see the path behind a prefix. */
const withSlash = ({ pathname, search }: URL): Response =>
  new Response(null, { status: 301, headers: { location: `${pathname.split("/").at(-1)}/${search}` } });

const leadsUp = (): Response =>
  new Response("invalid URL path\n", { status: 400, headers: { "content-type": "text/plain; charset=utf-8" } });

const file = (size: number, body: ReadableStream<Uint8Array>): Response =>
  new Response(body, { headers: { "content-type": "text/plain; charset=utf-8", "content-length": String(size) } });

const ENTITIES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&#34;" };
const html = (text: string): string => text.replace(/[<>&"]/g, (c) => ENTITIES[c]!);

/** A name as a link beside it: nothing of it is a query, a fragment or a scheme. */
const linkTo = (name: string): string => encodeURI(name).replace(/[?#:]/g, encodeURIComponent);

function directory(names: readonly string[]): Response {
  const links = names.map((n) => `<a href="${html(linkTo(n))}">${html(n)}</a>\n`).join("");
  return new Response(`<pre>\n${links}</pre>\n`, { headers: { "content-type": "text/html; charset=utf-8" } });
}
