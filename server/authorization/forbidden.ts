/** What a client is told that may not do something. */
import { forbidden, StatusError } from "../../schema/status.ts";
import { quote } from "../../schema/values/quote.ts";
import type { AuthorizationAttributes } from "./types.ts";

/** Error texts should not look like HTML. */
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** `User "x" cannot list resource "pods" in API group "" in the namespace "y"`, and the reason when there is one. */
function forbiddenMessage(a: AuthorizationAttributes, reason: string): string {
  const who = `User ${quote(a.user.name)} cannot ${a.verb}`;
  const tail = reason ? `: ${reason}` : "";
  if (!a.isResource) return escaped(`${who} path ${quote(a.path)}`) + tail;
  const resource = a.subresource ? `${a.resource}/${a.subresource}` : a.resource;
  const where = a.namespace ? `in the namespace ${quote(a.namespace)}` : "at the cluster scope";
  return escaped(`${who} resource ${quote(resource)} in API group ${quote(a.group)} ${where}`) + tail;
}

/** 403 with that text: `pods "a" is forbidden: User "x" cannot get …`. */
export function forbiddenError(a: AuthorizationAttributes, reason: string): StatusError {
  const text = forbiddenMessage(a, reason);
  if (!a.isResource) {
    return new StatusError(403, "Forbidden", `forbidden: ${text}`, {});
  }
  return forbidden({ group: a.group, resource: a.resource }, a.name, text);
}
