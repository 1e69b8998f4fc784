/** Single objects of the API that the agent asks for as it needs them. */
import type { Secret, ServiceAccount } from "../schema/api/core_v1.ts";
import type { Product } from "../schema/product.ts";
import type { ServiceAccounts } from "./images/mod.ts";
import { type Api, isNotFound } from "./types.ts";

/** See the top of the file. Each throws ApiError, and Error without an API server. */
export interface Lookups {
  secret(namespace: string, name: string): Promise<Secret>;
  readonly accounts: ServiceAccounts;
  /** The runtime's handler for a class; empty without one. */
  runtimeHandler(className: string | undefined): Promise<string>;
}

interface TokenRequest {
  readonly status?: { readonly token?: string };
}

/** @param api undefined: there is no API server */
export function lookups(api: Api | undefined, product: Product): Lookups {
  const asked = (): Api => {
    if (!api) throw new Error("there is no API server to ask");
    return api;
  };
  const core = (namespace: string, resource: string, name: string) =>
    `/api/v1/namespaces/${encodeURIComponent(namespace)}/${resource}/${encodeURIComponent(name)}`;
  return {
    secret: async (namespace, name) => await asked().request<Secret>("GET", core(namespace, "secrets", name)),
    accounts: {
      find: async (namespace, name) =>
        await asked().request<ServiceAccount>("GET", core(namespace, "serviceaccounts", name)),
      async token({ namespace, name }, audience, pod) {
        const body = {
          apiVersion: product.local("authentication.k8s.io/v1"),
          kind: "TokenRequest",
          spec: {
            audiences: [audience],
            boundObjectRef: { apiVersion: "v1", kind: "Pod", name: pod.name, uid: pod.uid },
          },
        };
        const path = `${core(namespace, "serviceaccounts", name)}/token`;
        return (await asked().request<TokenRequest>("POST", path, { body })).status?.token ?? "";
      },
    },
    async runtimeHandler(className) {
      if (!className) return "";
      const path = product.local("/apis/node.k8s.io/v1/runtimeclasses/") + encodeURIComponent(className);
      try {
        return (await asked().request<{ handler?: string }>("GET", path)).handler ?? "";
      } catch (e) {
        if (isNotFound(e)) {
          const resource = product.local("runtimeclass.node.k8s.io");
          throw new Error(`${resource} ${JSON.stringify(className)} not found`, { cause: e });
        }
        throw e;
      }
    },
  };
}
