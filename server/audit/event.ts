/** Audit events as text: JSON, and the one-line form of old. */
import { nowMicroTime } from "../../schema/values/time.ts";
import type { User } from "../request.ts";
import { type EventData, LEVELS } from "./types.ts";

/** An event, never changed once made. */
export class AuditEvent {
  #version = "";
  #text = "";

  constructor(readonly data: EventData) {}

  /** One JSON object in a version such as `audit.k8s.io/v1`, without a line's end. */
  text(apiVersion: string): string {
    if (this.#version !== apiVersion) {
      this.#text = json(this.data, apiVersion);
      this.#version = apiVersion;
    }
    return this.#text;
  }
}

const filled = (value: unknown): boolean =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

/** Without empty members. */
function compact(from: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => filled(value)));
}

const byKey = <T>([a]: readonly [string, T], [b]: readonly [string, T]): number => a < b ? -1 : a > b ? 1 : 0;

function userTree({ name, uid, groups, extra = {} }: User): Record<string, unknown> {
  const more = Object.entries(extra).sort(byKey);
  return compact({ username: name, uid, groups, extra: more.length ? Object.fromEntries(more) : undefined });
}

/** Members in the public server's order; objects are put in as the texts that they are. */
function json(e: EventData, apiVersion: string): string {
  const status = e.responseStatus;
  const members: readonly (readonly [string, unknown, (string | undefined)?])[] = [
    ["kind", "Event"],
    ["apiVersion", apiVersion],
    ["level", LEVELS[e.level]],
    ["auditID", e.auditId],
    ["stage", e.stage],
    ["requestURI", e.requestUri],
    ["verb", undefined, JSON.stringify(e.verb)],
    ["user", userTree(e.user)],
    ["impersonatedUser", e.impersonatedUser && userTree(e.impersonatedUser)],
    ["authenticationMetadata", e.constraint && { impersonationConstraint: e.constraint }],
    ["sourceIPs", e.sourceIps],
    ["userAgent", e.userAgent],
    ["objectRef", e.objectRef && compact(e.objectRef)],
    [
      "responseStatus",
      status && {
        metadata: {},
        status: status.status,
        message: status.message || undefined,
        reason: status.reason || undefined,
        details: status.details,
        code: status.code,
      },
    ],
    ["requestObject", undefined, e.requestObject],
    ["responseObject", undefined, e.responseObject],
    ["requestReceivedTimestamp", nowMicroTime(e.received)],
    ["stageTimestamp", nowMicroTime(e.at)],
    ["annotations", e.annotations.size > 0 ? Object.fromEntries([...e.annotations].sort(byKey)) : undefined],
  ];
  const parts: string[] = [];
  for (const [name, value, raw] of members) {
    if (raw !== undefined) parts.push(`"${name}":${raw}`);
    else if (filled(value)) parts.push(`"${name}":${JSON.stringify(value)}`);
  }
  return `{${parts.join(",")}}`;
}

/** Several events as one list, as webhooks get them. */
export function eventListText(events: readonly AuditEvent[], apiVersion: string): string {
  // Items of a list do not say what they are.
  const head = `"kind":"Event","apiVersion":${JSON.stringify(apiVersion)},`;
  const items = events.map((e) => e.text(apiVersion).replace(head, "")).join(",");
  return `{"kind":"EventList","apiVersion":${JSON.stringify(apiVersion)},"metadata":{},"items":[${items}]}`;
}

const quoted = (list: readonly string[]): string => list.map((text) => JSON.stringify(text)).join(",");

/** The one-line form (`--audit-log-format=legacy`). */
export function legacyLine(e: EventData): string {
  const { user, impersonatedUser: as, objectRef, responseStatus } = e;
  const groups = user.groups.length > 0 ? quoted(user.groups) : "<none>";
  const members: readonly (readonly [string, string | number])[] = [
    ["id", e.auditId],
    ["stage", e.stage],
    ["ip", e.sourceIps[0] ?? "<unknown>"],
    ["method", e.verb],
    ["user", user.name || "<none>"],
    ["groups", groups],
    ["as", as ? as.name : "<self>"],
    ["asgroups", as ? quoted(as.groups) : "<lookup>"],
    ["user-agent", e.userAgent],
    ["namespace", objectRef?.namespace || "<none>"],
    ["uri", e.requestUri],
    ["response", String(responseStatus ? responseStatus.code ?? 0 : "<deferred>")],
  ];
  return `${nowMicroTime(e.received)} AUDIT: ${members.map(([k, v]) => `${k}=${JSON.stringify(v)}`).join(" ")}`;
}
