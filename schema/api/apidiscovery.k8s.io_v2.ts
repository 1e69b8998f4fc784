// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `apidiscovery.v2`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "apidiscovery.k8s.io",
  version: "v2",
  short: "apidiscovery.v2",
  protobuf: true,
  kinds: String.raw`{
"APIGroupDiscovery":{"list":"APIGroupDiscoveryList","introduced":"1.30"}
}`,
  messages: String.raw`{
"APIGroupDiscovery":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],["versions 2 .APIVersionDiscovery rOe",{"listType":"map","listMapKeys":["version"]}]]},
"APIGroupDiscoveryList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .APIGroupDiscovery rO"]},
"APIResourceDiscovery":{"f":["resource 1 string O","responseKind 2 meta.v1.GroupVersionKind pOe",["scope 3 string O",{"alias":"ResourceScope"}],"singularResource 4 string O",["verbs 5 string rO",{"listType":"set"}],["shortNames 6 string rOe",{"listType":"set"}],["categories 7 string rOe",{"listType":"set"}],["subresources 8 .APISubresourceDiscovery rOe",{"listType":"map","listMapKeys":["subresource"]}]]},
"APISubresourceDiscovery":{"f":["subresource 1 string O","responseKind 2 meta.v1.GroupVersionKind pOe",["acceptedTypes 3 meta.v1.GroupVersionKind rOe",{"listType":"map","listMapKeys":["group","version","kind"]}],["verbs 4 string rO",{"listType":"set"}]]},
"APIVersionDiscovery":{"f":["version 1 string O",["resources 2 .APIResourceDiscovery rOe",{"listType":"map","listMapKeys":["resource"]}],["freshness 3 string Oe",{"alias":"DiscoveryFreshness"}]]}
}`,
};

export interface APIGroupDiscovery {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  versions?: APIVersionDiscovery[];
}
/** List of API group discoveries. */
export interface APIGroupDiscoveryList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items?: APIGroupDiscovery[] | null;
}
export interface APIResourceDiscovery {
  resource?: string;
  responseKind?: meta_v1.GroupVersionKind;
  scope?: string;
  singularResource?: string;
  verbs?: string[] | null;
  shortNames?: string[];
  categories?: string[];
  subresources?: APISubresourceDiscovery[];
}
export interface APISubresourceDiscovery {
  subresource?: string;
  responseKind?: meta_v1.GroupVersionKind;
  acceptedTypes?: meta_v1.GroupVersionKind[];
  verbs?: string[] | null;
}
export interface APIVersionDiscovery {
  version?: string;
  resources?: APIResourceDiscovery[];
  freshness?: string;
}
