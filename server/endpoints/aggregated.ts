/**
 * Group versions that an `APIService` gives to another server (kind APIService). This server calls no others: it answers
 * for them as one whose service cannot be reached.
 */
import type { Api } from "./api.ts";

const ID = "apiservices.apiregistration.k8s.io";

/** 503 as proxies say it, when the group version is another server's; undefined when it is this one's. */
export function refuseAggregated(api: Api, group: string, version: string): Response | undefined {
  const resource = group && version ? api.catalog.resource(ID) : undefined;
  const found = resource && api.store(resource).cache.get("", `${version}.${group}`)?.peek();
  const spec = found?.["spec"] as { readonly service?: unknown } | undefined;
  if (!spec?.service) return undefined;
  return new Response("service unavailable\n", {
    status: 503,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  });
}

/** The same for a path that is no resource: `/apis/<group>/<version>` and below. */
export function refuseAggregatedPath(api: Api, path: string): Response | undefined {
  if (!path.startsWith("/apis/")) return undefined;
  const [, , group = "", version = ""] = path.split("/");
  return refuseAggregated(api, group, version);
}
