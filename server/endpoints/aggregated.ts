/**
 * Group versions that an `APIService` gives to another server (kind APIService). This server calls no others: it answers
 * for them as one whose service cannot be reached.
 */
import { StatusError } from "../../schema/status.ts";
import type { Api } from "./api.ts";

const ID = "apiservices.apiregistration.k8s.io";

/** @throws StatusError 503 when the group version is another server's */
export function refuseAggregated(api: Api, group: string, version: string): void {
  const resource = group && version ? api.catalog.resource(ID) : undefined;
  const found = resource && api.store(resource).cache.get("", `${version}.${group}`)?.peek();
  const spec = found?.["spec"] as { readonly service?: unknown } | undefined;
  if (spec?.service) throw new StatusError(503, "ServiceUnavailable", "service unavailable");
}

/** The same for a path that is no resource: `/apis/<group>/<version>` and below. */
export function refuseAggregatedPath(api: Api, path: string): void {
  if (!path.startsWith("/apis/")) return;
  const [, , group = "", version = ""] = path.split("/");
  refuseAggregated(api, group, version);
}
