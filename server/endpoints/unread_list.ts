/** What of a collection cannot be read: its answer names each such object, so that it can be found and taken away. */
import { type Cause, qualified, StatusError } from "../../schema/status.ts";
import type { Entry } from "../cache/mod.ts";
import type { Store } from "../registry/store.ts";
import type { Api } from "./api.ts";
import { pause } from "../pause.ts";

/** Objects that one answer names. */
const NAMED = 100;
const REST: Cause = { reason: "FieldValueTooMany", message: "there are more" };
/** Entries that are looked into before others have their turn. */
const SLICE = 100;

/** @throws StatusError where it is known that one of them cannot be read */
export function mustBeReadable(api: Api, store: Store, entries: readonly Entry[]): void {
  const damaged = entries.find((e) => e.error);
  if (damaged) throw unreadOf(api, store, entries) ?? damaged.error!;
}

/** The same, after all of them have been read. @throws StatusError */
export async function readAll(api: Api, store: Store, entries: readonly Entry[]): Promise<void> {
  for (const [i, entry] of entries.entries()) {
    entry.readable();
    if (i % SLICE === SLICE - 1) await pause(0);
  }
  mustBeReadable(api, store, entries);
}

function unreadOf(api: Api, store: Store, entries: readonly Entry[]): StatusError | undefined {
  if (!api.rules.gate("AllowUnsafeMalformedObjectDeletion")) return undefined;
  const { gr } = store, causes: Cause[] = [];
  for (const { error, namespace, name } of entries) {
    if (!error) continue;
    if (causes.length === NAMED) {
      causes.push(REST);
      break;
    }
    const message = error.details?.causes?.[0]?.message ?? error.message;
    causes.push({ reason: "UnexpectedServerResponse", message, field: store.key(namespace, name) });
  }
  const details = { name: "list", ...(gr.group ? { group: gr.group } : {}), kind: gr.resource, causes };
  const message = `some ${qualified(gr)} in the store cannot be read`;
  return new StatusError(500, "StoreReadError", message, details);
}
