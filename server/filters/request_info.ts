/** What a request asks for, told from its method, path and query (specification, "Path shapes", "API verbs"). */
import { parseFieldSelector } from "../../schema/values/fields.ts";
import type { RequestInfo } from "../request.ts";

const METHOD_VERBS: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};
/** Paths below a namespace that belong to the namespace object itself. */
const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize", "namespaces"]);

/** Splits a path, percent-decoded where that is possible: an encoded slash is a slash. Empty segments are kept out. */
export function pathParts(path: string): string[] {
  return (path.includes("%") ? decode(path) : path).split("/").filter((p) => p !== "");
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reads a query flag as the public server does: present, and neither `0` nor `false`. */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

/** Tells what is asked for. Never throws: what is no resource path is a plain path with the method as its verb. */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const nothing: RequestInfo = {
    path,
    verb: method.toLowerCase(),
    isResource: false,
    group: "",
    version: "",
    resource: "",
    subresource: "",
    rest: "",
    namespace: "",
    name: "",
    deprecatedWatch: false,
  };
  const parts = pathParts(path);
  const core = parts[0] === "api";
  if (!(core && parts.length >= 3) && !(parts[0] === "apis" && parts.length >= 4)) return nothing;
  const group = core ? "" : parts[1]!;
  const version = parts[core ? 1 : 2]!;
  let own = parts.slice(core ? 2 : 3);
  const deprecatedWatch = own[0] === "watch" && own.length > 1;
  if (deprecatedWatch) own = own.slice(1);
  let namespace = "";
  if (own[0] === "namespaces" && own.length > 1) {
    namespace = own[1]!;
    if (own.length > 2 && !NAMESPACE_SUBRESOURCES.has(own[2]!)) own = own.slice(2);
  }
  const [resource = "", name = "", subresource = "", ...rest] = own;
  const info = { ...nothing, isResource: true, group, version, resource, subresource, namespace, deprecatedWatch };
  return { ...info, rest: rest.join("/"), ...verbAndName(method, name, deprecatedWatch, query) };
}

function verbAndName(method: string, name: string, watchPath: boolean, query: URLSearchParams) {
  let verb = watchPath ? "watch" : METHOD_VERBS[method] ?? "";
  if (name !== "") return { verb, name };
  if (verb === "get") verb = queryFlag(query, "watch") ? "watch" : "list";
  else if (verb === "delete") verb = "deletecollection";
  const many = verb === "list" || verb === "watch" || verb === "deletecollection";
  return { verb, name: many ? nameInSelector(query) : name };
}

/** The name that a field selector pins down: authorization may be for that object alone. */
function nameInSelector(query: URLSearchParams): string {
  const text = query.get("fieldSelector");
  if (!text || !text.includes("metadata.name")) return "";
  try {
    return parseFieldSelector(text).find((r) => r.field === "metadata.name" && r.op === "=")?.value ?? "";
  } catch {
    return ""; // the endpoint refuses the selector with its reason
  }
}
