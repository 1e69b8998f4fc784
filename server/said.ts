/** What another server says that failed. */
import type { Status } from "../schema/status.ts";

/** Longest text of another server that a client is told, characters. */
const MAX_SAID = 1024;

/** What an answer says that is a Status. */
export function said(body: string): string | undefined {
  try {
    const { kind, message } = JSON.parse(body) as Partial<Status>;
    return kind === "Status" && typeof message === "string" ? message.slice(0, MAX_SAID) : undefined;
  } catch {
    return undefined;
  }
}
