/** Contents of a namespace that extension servers hold. */
import type { JsonMap } from "../../schema/model/types.ts";
import type { Registration } from "../aggregation/registrations.ts";
import type { User } from "../request.ts";
import type { Contents } from "./namespace_conditions.ts";
import type { ControllerContext } from "./types.ts";

/** Within this time a server deletes, or lists, ms. */
const LIMIT_MS = 30_000;
/** Objects looked at in one go; whatever is beyond them is found in the next look. */
const MANY = 500;
const HEADERS = [["accept", "application/json"], ["content-type", "application/json"]] as const;
/** As this server deletes what it holds itself. */
const OPTIONS = JSON.stringify({ kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" });

/** Deletes the objects of a namespace, and tells what is left afterwards. Servers that do not answer are told of, too. */
export async function removeFromExtensions(
  ctx: ControllerContext,
  user: User,
  namespace: string,
  contents: Contents,
): Promise<void> {
  const { extensions } = ctx;
  if (!extensions?.registrations.any) return;
  /** Of a resource in several versions the first one counts. */
  const seen = new Set<string>();
  for (const registration of extensions.registrations.others()) {
    const { group, version, name } = registration, document = extensions.discovery.document(name);
    if (!document) {
      contents.undiscovered.push(`${group}/${version}: its server does not say what it serves`);
      continue;
    }
    for (const { resource, scope, verbs } of document.resources ?? []) {
      const can = (verbs ?? []) as string[];
      if (scope !== "Namespaced" || !can.includes("list") || !can.some((v) => v.startsWith("delete"))) continue;
      const id = `${resource}.${group}`;
      if (seen.has(id)) continue;
      seen.add(id);
      const path = `/apis/${group}/${version}/namespaces/${namespace}/${resource}`;
      try {
        await removeOf({ ctx, user, registration, contents }, path, id, can);
      } catch (e) {
        contents.failures.push(`${id}: ${(e as Error).message}`);
      }
    }
  }
}

/** Whose objects, by whom. */
interface Work {
  readonly ctx: ControllerContext;
  readonly user: User;
  readonly registration: Registration;
  readonly contents: Contents;
}

async function removeOf(work: Work, path: string, id: string, can: readonly string[]): Promise<void> {
  let left = await listed(work, path);
  if (left.length === 0) return;
  if (can.includes("deletecollection")) await asked(work, "DELETE", path);
  else for (const { name } of left) await asked(work, "DELETE", `${path}/${encodeURIComponent(String(name))}`);
  left = await listed(work, path);
  if (left.length > 0) work.contents.left.set(id, left.length);
  for (const finalizer of left.flatMap((m) => (m["finalizers"] ?? []) as string[])) {
    work.contents.finalizers.set(finalizer, (work.contents.finalizers.get(finalizer) ?? 0) + 1);
  }
}

/** Metadata of the objects that are there. */
async function listed(work: Work, path: string): Promise<JsonMap[]> {
  const items = JSON.parse(await asked(work, "GET", `${path}?limit=${MANY}`)).items;
  return (Array.isArray(items) ? items as JsonMap[] : []).map((item) => (item["metadata"] ?? {}) as JsonMap);
}

/** @throws Error for an answer that is neither good nor says that nothing is there */
async function asked({ ctx, user, registration }: Work, method: "GET" | "DELETE", path: string): Promise<string> {
  const by = { method, user, ...(method === "DELETE" ? { body: OPTIONS } : {}) };
  const { status, text } = await ctx.extensions!.reach.ask(registration, path, HEADERS, LIMIT_MS, by);
  if (status === 404 || status === 405) return "{}";
  if (status < 200 || status >= 300) throw new Error(`${method} ${path} was answered with ${status}`);
  return text;
}
