/** What a request asks for, told from its method, path and query (specification, "Path shapes", "API verbs"). */
import { pathSegment } from "../../schema/rules/checks/formats.ts";
import { parseFieldSelector } from "../../schema/values/fields.ts";
import type { RequestInfo } from "../request.ts";

/** A map: a client may name its method as it likes, `constructor` too. */
const METHOD_VERBS: ReadonlyMap<string, string> = new Map([
  ["POST", "create"],
  ["GET", "get"],
  ["HEAD", "get"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);
/** Paths below a namespace that belong to the namespace object itself. */
const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);

/**
 * Splits a path, percent-decoded: an encoded slash is a slash. Slashes at both ends are kept out;
 * between others, an empty segment is a part that is empty.
 */
function pathParts(path: string): string[] {
  const parts = (path.includes("%") ? decode(path) : path).split("/");
  let first = 0, end = parts.length;
  while (first < end && parts[first] === "") first++;
  while (first < end && parts[end - 1] === "") end--;
  // Not by shifts: each may move all that is left, and who asks may send as many slashes as an address holds.
  return parts.slice(first, end);
}

/** Escapes that are some, one after the other. */
const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;

/** What can be decoded is, whatever stands beside it: who the path is passed on to reads it so. Bytes that are no text are no name's. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replace(ESCAPES, (run) => new TextDecoder().decode(Uint8Array.fromHex(run.replaceAll("%", ""))));
  }
}

/** Reads a query flag as the public server does: present, and neither `0` nor `false`. */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

/** Tells what is asked for. Never throws: what is no resource path is a plain path with the method as its verb. */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const parts = pathParts(path);
  const core = parts[0] === "api";
  const isResource = core ? parts.length >= 3 : parts[0] === "apis" && parts.length >= 4;
  if (!isResource) return plainInfo(method, path.includes("%") ? decode(path) : path);
  let at = core ? 2 : 3;
  const deprecatedWatch = parts[at] === "watch" && parts.length > at + 1;
  if (deprecatedWatch) at++;
  const namespace = parts[at] === "namespaces" ? parts[at + 1] ?? "" : "";
  const within = parts[at] === "namespaces" && parts.length > at + 2 && !NAMESPACE_SUBRESOURCES.has(parts[at + 2]!);
  if (within) at += 2;
  const name = parts[at + 1] ?? "";
  const subresource = parts[at + 2] ?? "";
  const verb = verbOf(method, { name, subresource, deprecatedWatch }, query);
  const selected = name === "" && !deprecatedWatch && READS.has(verb) ? nameInSelector(query) : "";
  return {
    path,
    verb,
    isResource: true,
    group: core ? "" : parts[1]!,
    version: parts[core ? 1 : 2]!,
    resource: parts[at] ?? "",
    subresource,
    rest: parts.length > at + 3 ? parts.slice(at + 3).join("/") : "",
    namespace,
    within,
    name: name || selected,
    selected: selected !== "",
    deprecatedWatch,
  };
}

const plainInfo = (method: string, path: string): RequestInfo => ({
  path,
  verb: method.toLowerCase(),
  isResource: false,
  group: "",
  version: "",
  resource: "",
  subresource: "",
  rest: "",
  namespace: "",
  within: false,
  name: "",
  selected: false,
  deprecatedWatch: false,
});

/** Verbs by which one object can be asked for by a selector: one that deletes by it deletes many all the same. */
const READS = new Set(["list", "watch"]);
/** Verbs whose selectors choose. */
const SELECTING = new Set(["list", "watch", "deletecollection"]);

/** Whether selectors say what is asked for. Paths of old do not all go by them. */
export const selects = ({ isResource, verb, deprecatedWatch }: RequestInfo): boolean =>
  isResource && !deprecatedWatch && SELECTING.has(verb);

type Place = Pick<RequestInfo, "name" | "subresource" | "deprecatedWatch">;

/** The parameter `watch` is of collections and of single resources, but not of what lies below them. */
function verbOf(method: string, { name, subresource, deprecatedWatch }: Place, query: URLSearchParams): string {
  const verb = deprecatedWatch ? "watch" : METHOD_VERBS.get(method) ?? "";
  if (verb === "get" && subresource === "" && queryFlag(query, "watch")) return "watch";
  if (name !== "") return verb;
  if (verb === "get") return "list";
  return verb === "delete" ? "deletecollection" : verb;
}

/** The name that a field selector pins down: authorization may be for that object alone. */
function nameInSelector(query: URLSearchParams): string {
  const text = query.get("fieldSelector");
  if (!text || !text.includes("metadata.name")) return "";
  try {
    const name = parseFieldSelector(text).find((r) => r.field === "metadata.name" && r.op === "=")?.value ?? "";
    return pathSegment(name).length > 0 ? "" : name;
  } catch {
    return ""; // the endpoint refuses the selector with its reason
  }
}
