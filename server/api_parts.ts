/** What the endpoints of a server work with, from its parts. */
import { fraction } from "../schema/values/random.ts";
import { beyondOf } from "./beyond.ts";
import type { Api } from "./endpoints/api.ts";
import { ContinueTokens } from "./endpoints/continue.ts";
import type { ServerInputs } from "./inputs.ts";
import type { MediaType } from "./negotiation/media.ts";
import type { ServerParts } from "./parts.ts";
import { printerFor } from "./printing/mod.ts";
import { componentStatuses } from "./registry/core/component_statuses.ts";
import { connections } from "./registry/core/connections.ts";
import { tokenRequests } from "./registry/core/token.ts";
import { reviews } from "./registry/reviews.ts";
import { SUBRESOURCES } from "./registry/subresources.ts";
import { VIRTUAL } from "./registry/virtual.ts";
import { tokenOptions } from "./token_options.ts";

/** See the top of the file. */
export function apiParts(inputs: ServerInputs, parts: ServerParts): Api {
  const { options, backend } = inputs;
  const { data, security: { authorizer, tokens, apiAudiences }, customs, media } = parts;
  const subresources = {
    ...SUBRESOURCES,
    ...connections(beyondOf(options, inputs.files, inputs.outside, parts.proxy)),
    "serviceaccounts/token": tokenRequests(tokenOptions(inputs, apiAudiences)),
  };
  const virtual = {
    ...VIRTUAL,
    ...reviews({ authorizer, tokens, apiAudiences }),
    "componentstatuses": componentStatuses((signal) => backend.health(signal)),
  };
  const customMedia = ofCustoms(media);
  return {
    scheme: data.scheme,
    catalog: data.catalog,
    admission: data.admission,
    authorizer,
    fields: parts.data.fields,
    rules: data.rules,
    tokens: new ContinueTokens(inputs.secret),
    media: (resource) => resource?.storageKind.custom ? customMedia : media,
    store: (resource) => data.registries.store(resource),
    printer: (resource, version) => customs.printer(resource, version) ?? printerFor(resource, options.product),
    loaded: (resource, asking) => customs.loaded(resource, asking),
    subresource: (resource, name) => own(subresources, `${resource.id}/${name}`) ?? customs.subresource(resource, name),
    virtual: (resource) => own(virtual, resource.id),
    peers: parts.peers.peers,
    minRequestTimeout: options.minRequestTimeout,
    deleteWorkers: options.deleteCollectionWorkers,
    random: () => fraction(inputs.random),
  };
}

/** Custom objects have no Protobuf form; their metadata has. */
const ofCustoms = (media: readonly MediaType[]): readonly MediaType[] => [
  ...media.filter((m) => m.kind !== "protobuf"),
  ...media.filter((m) => m.kind === "protobuf").map((m) => ({ ...m, metadataOnly: true })),
];

/** A table's own row. */
const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
