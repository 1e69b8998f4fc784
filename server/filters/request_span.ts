/** The span of a request, named and described as the public server does. */
import type { RequestInfo, RequestScope } from "../request.ts";
import type { SpanAttributes } from "../../schema/tracing/span.ts";

/** Clients of these groups may go on with a trace of theirs: who is not trusted does not decide what is recorded. */
const TRUSTED: readonly string[] = ["system:masters", "system:monitoring"];
const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** Whether the client's trace is gone on with. */
export const trusted = ({ user }: RequestScope): boolean => user.groups.some((g) => TRUSTED.includes(g));

/** The method and the path with placeholders for what is one object's or namespace's: few names for all requests. */
export function spanName({ request, info }: RequestScope): string {
  return info.isResource ? `${request.method} ${pattern(info)}` : request.method;
}

function pattern({ group, version, namespace, resource, name, subresource }: RequestInfo): string {
  const parts = [group === "" ? "/api" : `/apis/${group}`, version];
  if (namespace !== "") parts.push("namespaces", "{:namespace}");
  parts.push(resource);
  if (name !== "") parts.push("{:name}");
  if (subresource !== "") parts.push(subresource);
  return parts.join("/");
}

/** What is known when a request comes. */
export function requestAttributes(scope: RequestScope): SpanAttributes {
  const { request, headers, url, connection, auditId } = scope;
  const peer = connection.remoteAddress || undefined, scheme = connection.tls ? "https" : url.protocol.slice(0, -1);
  const port = url.port === "" ? undefined : Number(url.port);
  return {
    "server.address": url.hostname.replace(/^\[(.*)\]$/, "$1"),
    "http.request.method": request.method,
    "url.scheme": scheme,
    "server.port": port === DEFAULT_PORTS[scheme] ? undefined : port,
    "network.peer.address": peer,
    "user_agent.original": headers.get("user-agent") || undefined,
    "client.address": headers.get("x-forwarded-for")?.split(",")[0]?.trim() || peer,
    "url.path": url.pathname,
    "http.target": url.pathname + url.search,
    "audit-id": auditId,
  };
}

/** What is known when it is answered. `code`: what its client was told. */
export function answerAttributes(scope: RequestScope, response: Response, code: number): SpanAttributes {
  return {
    "http.request.body.size": length(scope.headers.get("content-length")),
    "http.response.body.size": length(response.headers.get("content-length")),
    "http.response.status_code": code,
  };
}

const length = (
  text: string | null,
): number | undefined => (text && /^\d+$/.test(text) ? Number(text) || undefined : undefined);

const VERBS: Readonly<Record<string, string>> = {
  get: "Get",
  list: "List",
  watch: "WatchServer.HandleHTTP",
  create: "Create",
  update: "Update",
  patch: "Patch",
  delete: "Delete",
  deletecollection: "Delete",
};

/** The name of the span of a verb's work. */
export const verbName = ({ verb }: RequestInfo): string => VERBS[verb] ?? verb;

/** What a verb's work is about. */
export function verbAttributes({ info, headers, request, auditId, url, connection }: RequestScope): SpanAttributes {
  return {
    "audit-id": auditId,
    "accept": headers.get("accept") ?? "",
    "client": connection.remoteAddress,
    "api-group": info.group,
    "api-version": info.version,
    "name": info.name,
    "subresource": info.subresource,
    "namespace": info.namespace,
    "resource": info.resource,
    "scope": info.name !== "" ? "resource" : info.namespace !== "" ? "namespace" : "cluster",
    "url": url.pathname,
    "user-agent": headers.get("user-agent") ?? "",
    "verb": request.method,
  };
}
