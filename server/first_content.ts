/** The first content of a store, and whom extension servers may trust, by a server's options. */
import { addressAt, formatIp, parseCidr } from "../schema/values/ip.ts";
import { type BootstrapStore, ensureBootstrap, ensureObject } from "./bootstrap/ensure.ts";
import { type BootstrapInput, keptObjects } from "./bootstrap/objects.ts";
import type { BootstrapObject } from "./bootstrap/rows.ts";
import type { Trust } from "./bootstrap/trust.ts";
import type { Cacher } from "./cache/mod.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { KeptContent } from "./controllers/types.ts";
import type { ServerInputs } from "./inputs.ts";
import type { PeerParts } from "./peers/make.ts";
import type { FieldManager } from "./registry/field_manager.ts";
import type { Registries } from "./registry/registries.ts";
import { firstOwner } from "./bootstrap/owner.ts";

/** Parts of the server that makes it. */
export interface FirstContentParts {
  readonly catalog: Catalog;
  readonly cacher: Cacher;
  readonly registries: Registries;
  readonly fields: FieldManager;
  readonly peerAddress: PeerParts["address"];
  readonly processId: string;
  /** RBAC is among the authorization modes. */
  readonly byRbac: boolean;
}

/** The first content of a server's store. */
export interface FirstContent extends KeptContent {
  /** Makes what is missing. @throws StatusError */
  make(): Promise<void>;
}

/** See {@linkcode FirstContent}. */
export function firstContent(inputs: ServerInputs, parts: FirstContentParts): FirstContent {
  const store = storeOf(inputs, parts), input = () => inputOf(inputs, parts);
  const all = inputs.options.controllers.includes("*");
  const left = ({ object: { kind, metadata } }: BootstrapObject, e: unknown) =>
    inputs.log("warn", `${kind} ${metadata.name} of the first content is not made for now`, e);
  return {
    make: async () => void await ensureBootstrap(store, input(), { aggregation: all, keepsEndpoints: all, left }),
    kept: () => keptObjects(input()),
    ensure: (row) => ensureObject(store, input(), row),
  };
}

function storeOf(inputs: ServerInputs, { catalog, cacher, registries, fields }: FirstContentParts): BootstrapStore {
  const { live, lister } = registries;
  const owned = firstOwner(fields, (id) => catalog.resource(id)?.served[0], inputs.options.product);
  return {
    serves: (id) => registries.byId(id) !== undefined,
    get: async (id, ns, name) => {
      await cacher.whenReady(id);
      return lister.get(id, ns, name);
    },
    create: (id, obj) => live.create(id, owned(id, obj)),
    update: (id, ns, name, change, o) => live.update(id, ns, name, change, o),
    delete: (id, ns, name) => registries.delete(id, ns, name),
    list: async (id) => {
      await cacher.whenReady(id);
      return lister.list(id);
    },
  };
}

function inputOf(inputs: ServerInputs, { catalog, peerAddress, processId, byRbac }: FirstContentParts): BootstrapInput {
  const { options, address, hostname, now } = inputs, range = options.serviceClusterIpRange;
  return {
    product: options.product,
    gate: (name) => options.gates.enabled(name),
    serviceRanges: range,
    serviceIps: range.map(firstAddress),
    advertiseIp: address.host,
    port: address.port,
    nodePort: options.kubernetesServiceNodePort,
    hostname,
    peerAddress,
    endpoints: serviceAddress(inputs) !== undefined,
    processId,
    byRbac,
    served: groupVersions(catalog),
    now: now(),
    ...trustOf(inputs),
  };
}

/** Where members of the cluster reach this server by the API's own service; undefined where its endpoints are not kept. */
export const serviceAddress = ({ options, address }: Pick<ServerInputs, "options" | "address">): string | undefined =>
  options.endpointReconcilerType !== "none" && !isLoopback(address.host) ? address.host : undefined;

/** Whom extension servers may trust. */
export function trustOf({ files, options: o }: ServerInputs): Trust {
  const { clientCa, requestHeaderCa: ca } = files;
  return {
    clientCa: clientCa?.(),
    requestHeader: ca === undefined ? undefined : {
      ca: ca(),
      usernameHeaders: o.requestheaderUsernameHeaders,
      uidHeaders: o.gates.enabled("RemoteRequestHeaderUID") ? o.requestheaderUidHeaders : [],
      groupHeaders: o.requestheaderGroupHeaders,
      extraHeaderPrefixes: o.requestheaderExtraHeadersPrefix,
      allowedNames: o.requestheaderAllowedNames,
    },
  };
}

/** Those of definitions are another controller's (`api-registration`). */
function* groupVersions(catalog: Catalog) {
  for (const { name: group, versions } of catalog.groups()) {
    const publicGroup = [...catalog.resources()].find((r) => r.group === group)!.publicGroup;
    for (const version of versions) {
      if (catalog.hasBuiltIn(group, version)) yield { publicGroup, group, version };
    }
  }
}

/** The first address of a service range that can be given out. */
export const firstAddress = (cidr: string): string => formatIp(addressAt(parseCidr(cidr), 1));

/** Members of a cluster cannot reach this server by such an address. */
const isLoopback = (host: string): boolean => host.startsWith("127.") || host === "::1";
