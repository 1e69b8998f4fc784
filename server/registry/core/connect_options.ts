/** What a connection asks for, as an object of its own kind (PodExecOptions, …), from the query and the path. */
import type { Field, Json, JsonMap, Kind, Obj } from "../../../schema/model/types.ts";
import { badRequest } from "../../../schema/status.ts";
import { queryFlag } from "../../filters/request_info.ts";
import type { RequestInfo } from "../../request.ts";

/** Options of a kind. What a request does not say is left out. @throws StatusError 400 for what is no number */
export function connectOptions(kind: Kind, query: URLSearchParams, info: Pick<RequestInfo, "path" | "rest">): Obj {
  const options: JsonMap = { kind: kind.kind, apiVersion: kind.apiVersion };
  for (const field of kind.message.json) {
    // The path below a proxy is one of its options, whatever the query says.
    const value = field.name === "path" ? pathOf(info) : valueOf(field, query);
    if (value !== undefined) options[field.name] = value;
    else if (!field.omitempty) options[field.name] = null;
  }
  return options as Obj;
}

/** The part of a path below the proxy: it ends in a slash where the whole does. */
function pathOf({ path, rest }: Pick<RequestInfo, "path" | "rest">): string | undefined {
  const below = rest.replace(/^(?!\/|$)/, "/");
  return (path.endsWith("/") ? below.replace(/\/?$/, "/") : below) || undefined;
}

function valueOf({ name, type, repeated }: Field, query: URLSearchParams): Json | undefined {
  if (!query.has(name)) return undefined;
  if (type === "bool") return queryFlag(query, name) || undefined;
  const values = type === "int32"
    ? query.getAll(name).flatMap((text) => text.split(",")).map((text) => portOf(name, text))
    : query.getAll(name);
  return repeated ? values : values[0] === "" ? undefined : values[0];
}

/** The only numbers are ports, several of them between commas. */
function portOf(name: string, text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 65_536) return Number(text);
  throw badRequest(`query parameter ${name}: "${text}" is no port`);
}
