/** Members of metadata that only the server sets. */
import type { Obj } from "../../schema/model/types.ts";
import { nowTime } from "../../schema/values/time.ts";
import { uuid } from "../../schema/values/random.ts";
import type { RegistryContext } from "./context.ts";
import type { Entry } from "../cache/mod.ts";

/** Gives a new object its uid and creation time; takes what only the server sets: nothing begins as what is being deleted. */
export function fillSystemFields(obj: Obj, ctx: RegistryContext): void {
  const m = obj.metadata;
  delete m.resourceVersion;
  delete (m as Record<string, unknown>)["selfLink"];
  delete m.deletionTimestamp;
  delete m.deletionGracePeriodSeconds;
  m.uid = uuid(ctx.random.bind(ctx));
  m.creationTimestamp = nowTime(ctx.rules.now());
}

/** The version that an object is to be written against; empty when it names none, as `0` does. */
export function versionGiven({ metadata: { resourceVersion = "" } }: Obj): string {
  return /^0+$/.test(resourceVersion) ? "" : resourceVersion;
}

/** What an update can never change, taken from the old object. */
export function keepSystemFields(obj: Obj, old: Obj): void {
  const m = obj.metadata, was = old.metadata;
  delete (m as Record<string, unknown>)["selfLink"];
  m.uid ||= was.uid!;
  if (was.creationTimestamp) m.creationTimestamp = was.creationTimestamp;
  if (was.deletionTimestamp) m.deletionTimestamp = was.deletionTimestamp;
  if (was.deletionGracePeriodSeconds !== undefined) m.deletionGracePeriodSeconds ??= was.deletionGracePeriodSeconds;
}

/** Whether the object is being deleted; of one that cannot be read nobody knows. */
export function isDeleting(entry: Entry): boolean {
  try {
    return entry.object().metadata.deletionTimestamp !== undefined;
  } catch {
    return false;
  }
}
