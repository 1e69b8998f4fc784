/** LIST: a consistent collection, whole or in chunks (specification, "Version semantics": list; "Chunked lists"). */
import type { Obj } from "../../schema/model/types.ts";
import { expired, hasReason, StatusError } from "../../schema/status.ts";
import type { Entry, Snapshot } from "../cache/mod.ts";
import type { RequestScope } from "../request.ts";
import type { ServedResource } from "../catalog/types.ts";
import type { Store } from "../registry/store.ts";
import { type Accepted, mustFit } from "../negotiation/accept.ts";
import { listKindOf } from "../catalog/kinds.ts";
import type { Api } from "./api.ts";
import { acceptedBy, callerOf, callOf, mustServe, objectNamespace, SHOWN } from "./call.ts";
import type { Continuation } from "./continue.ts";
import { type ListOptions, listOptions } from "./query.ts";
import type { Body } from "./pieces.ts";
import { type ListMeta, renderList, shapeOf } from "./render.ts";
import type { Source } from "./sources.ts";
import { inJson, respond } from "./respond.ts";
import { convertedSources } from "./shape.ts";
import { type Selectable, type Selection, selection } from "./select.ts";
import { parseShard, type Shard } from "./shard.ts";
import { olderPage, pageFromStore, type StoreAsk, type StoredPage } from "./store_reads.ts";
import { renderTable } from "./table.ts";
import { mustBeReadable, readAll } from "./unread_list.ts";
import { checkListOptions, listVersion, snapshotFor } from "./versions.ts";

/** How long a continue token lives (specification, "Limits"). */
const TOKEN_MS = 5 * 60_000;

/**
 * Answers a collection. @throws StatusError 400 of its options, 406, 410 for a version or a continue token that is too old, 500
 * where an object cannot be read, 504 for a version that is not there yet
 */
export async function list(api: Api, scope: RequestScope): Promise<Response> {
  const served = scope.served!;
  mustServe(served, "", "list");
  const accepted = acceptedBy(api, scope, SHOWN);
  const options = listOptions(scope.query);
  const virtual = api.virtual(served.resource);
  if (virtual?.list) {
    checkListOptions(options, api.scheme.product);
    const objects = await virtual.list(callOf(api, scope, callerOf(scope, { dryRun: false, object: {} })));
    const { matches } = selection(served, options, scope.info.name);
    const chosen = matches ? objects.filter((o) => matches(madeUp(o))) : objects;
    return await answer(api, scope, served, accepted, chosen.map((object) => ({ object })), { resourceVersion: "" });
  }
  const shard = shardOf(api, options);
  const chosen = selection(served, options, scope.info.name, shard);
  const page = await readChosen(api, scope, served, options, chosen);
  const meta = withShard(page.meta, shard, accepted);
  try {
    return await answer(api, scope, served, accepted, page.shown, meta);
  } catch (e) {
    if (page.entries.some((entry) => entry.error === e)) await readAll(api, api.store(served.resource), page.entries);
    throw e;
  }
}

/** The shard that a request asks for, where the server knows of shards. @throws StatusError 400 */
export const shardOf = (api: Api, { shardSelector }: ListOptions): Shard | undefined =>
  shardSelector && api.rules.gate("ShardedListAndWatch") ? parseShard(shardSelector) : undefined;

/** List metadata that tells of the shard. */
export const withShard = (meta: ListMeta, shard: Shard | undefined, accepted: Accepted): ListMeta =>
  shard && accepted.as === "object" ? { ...meta, shardInfo: { selector: shard.text } } : meta;

/** What selectors look at in an object that no store holds. */
function madeUp({ metadata }: Obj): Selectable {
  const { name = "", namespace = "", uid = "", labels = {} } = metadata ?? {};
  return { name, namespace, uid, labels, fields: {} };
}

/** Entries and list metadata of one page. */
interface Page {
  readonly entries: Entry[];
  readonly meta: ListMeta;
}

/** A page, and its objects as they are shown. */
interface ChosenPage extends Page {
  readonly shown: readonly Source[];
}

/** Objects of one page at most, where they must be converted to be chosen from. */
const CONVERTED_PAGE = 500;

/**
 * Reads what a request selects, where that takes conversions too: objects are read and converted until there are as many as
 * asked for. @throws StatusError 400, 410, 500, 504
 */
export async function readChosen(
  api: Api,
  scope: RequestScope,
  served: ServedResource,
  options: ListOptions,
  chosen: Selection,
): Promise<ChosenPage> {
  const { converted } = chosen;
  if (!converted) {
    const page = await readPage(api, scope, served, options, chosen);
    return { ...page, shown: page.entries };
  }
  const entries: Entry[] = [], shown: Source[] = [];
  let asked = options;
  for (;;) {
    const wanted = options.limit > 0 ? Math.min(CONVERTED_PAGE, options.limit - entries.length) : 0;
    const page = await readPage(api, scope, served, { ...asked, limit: wanted }, chosen);
    const sources = await convertedSources(served, page.entries, scope.signal);
    for (const [i, entry] of page.entries.entries()) {
      const source = sources[i]!;
      if (!converted("revision" in source ? source.peek() : source.object)) continue;
      entries.push(entry);
      shown.push(source);
    }
    const next = page.meta.continue;
    if (!next || entries.length === options.limit) return { entries, shown, meta: page.meta };
    asked = { ...options, continue: next, resourceVersion: "", resourceVersionMatch: "" };
  }
}

/** Reads the entries that a request asks for. @throws StatusError 400, 410, 504 */
async function readPage(
  api: Api,
  scope: RequestScope,
  served: ServedResource,
  options: ListOptions,
  chosen: Selection,
): Promise<Page> {
  const version = listVersion(options, api.scheme.product);
  const store = api.store(served.resource);
  const namespace = served.resource.namespaced ? objectNamespace(served.resource, scope.info.namespace) : "";
  const from = options.continue === "" ? undefined : decodeToken(api, options.continue, namespace);
  const ask: StoreAsk = { limit: options.limit, matches: chosen.matches, version, from };
  if (from && from.revision >= 0 && !isYoung(api, from)) throw tokenExpired(api, from, namespace);
  const at = from ? from.revision : version.kind === "exact" ? version.revision : -1;
  // What the store has forgotten is gone, though the cache may still know it.
  const gone = at >= 0 && at < store.ctx.backend.compacted();
  const stored = at >= 0 && (gone || !api.rules.gate("ListFromCacheSnapshot"));
  const begun = api.rules.now();
  const fromStore = (page: StoredPage): Page => {
    const { fetched, entries } = page, ms = api.rules.now() - begun;
    scope.tally?.read(served, { storage: "etcd", index: "", fetched, returned: entries.length, ms });
    return storedPage(api, store, page, chosen, namespace, from);
  };
  if (!store.cache.ready || store.direct || stored) {
    const page = await pageFromStore(store, namespace, ask).catch((e) => {
      throw from && isExpired(e) ? tokenExpired(api, from, namespace) : e;
    });
    return fromStore(page);
  }
  let snapshot: Snapshot;
  try {
    snapshot = from
      ? await resume(api, scope, store.cache, from, namespace)
      : await snapshotFor(store.cache, version, () => store.fresh(scope), store.gr, scope);
  } catch (e) {
    const older = isExpired(e) && at >= 0 ? await olderPage(store, namespace, ask, at) : undefined;
    if (!older) throw e;
    return fromStore(older);
  }
  const unique = namespace !== "" || !served.resource.namespaced;
  const picked = pick(snapshot, chosen, { namespace, unique, limit: options.limit, after: from?.after });
  const { entries, fetched, last } = picked, returned = entries.length;
  const index = chosen.field ? `f:${chosen.field.name}` : "";
  scope.tally?.read(served, { storage: "watchcache", index, fetched, returned, ms: api.rules.now() - begun });
  mustBeReadable(api, store, entries);
  const { revision } = snapshot;
  const meta: ListMeta = { resourceVersion: String(revision) };
  if (last === undefined) return { entries, meta };
  const since = sinceOf(api, from);
  const token = api.tokens.encode({ revision, after: relative(last, namespace), since });
  const left = chosen.selective ? {} : { remainingItemCount: snapshot.countAfter(last, namespace || undefined) };
  return { entries, meta: { ...meta, continue: token, ...left } };
}

/** A page that came from the store. */
function storedPage(
  api: Api,
  store: Store,
  page: StoredPage,
  { selective }: Selection,
  namespace: string,
  from: Continuation | undefined,
): Page {
  const entries = [...page.entries];
  mustBeReadable(api, store, entries);
  const { revision } = page;
  const meta: ListMeta = { resourceVersion: String(revision) };
  const last = entries.at(-1);
  if (!page.more || !last) return { entries, meta };
  const since = sinceOf(api, from);
  const token = api.tokens.encode({ revision, after: relative(last.key, namespace), since });
  const left = selective || page.left === undefined ? {} : { remainingItemCount: page.left };
  return { entries, meta: { ...meta, continue: token, ...left } };
}

/** Keys in tokens are relative to the namespace that is listed. */
const relative = (key: string, namespace: string): string => namespace === "" ? key : key.slice(namespace.length + 1);

function decodeToken(api: Api, token: string, namespace: string): Continuation {
  const c = api.tokens.decode(token);
  return namespace === "" ? c : { ...c, after: `${namespace}/${c.after}` };
}

const isYoung = (api: Api, from: Continuation): boolean => api.rules.now() - from.since < TOKEN_MS;

/** When the list of a version began: what goes on with whatever is newest begins anew. */
const sinceOf = (api: Api, from: Continuation | undefined): number =>
  from && from.revision >= 0 ? from.since : api.rules.now();

const isExpired = (e: unknown): boolean => hasReason(e, "Expired");

async function resume(
  api: Api,
  scope: RequestScope,
  cache: ReturnType<Api["store"]>["cache"],
  from: Continuation,
  namespace: string,
): Promise<Snapshot> {
  if (from.revision < 0) {
    await api.store(scope.served!.resource).fresh(scope);
    return cache.snapshot();
  }
  const snapshot = cache.snapshotAt(from.revision);
  if (snapshot) return snapshot;
  throw tokenExpired(api, from, namespace);
}

/** 410 that offers a token for going on with what is newest now. */
function tokenExpired(api: Api, from: Continuation, namespace: string): StatusError {
  const token = api.tokens.encode({ revision: -1, after: relative(from.after, namespace), since: api.rules.now() });
  const e = expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
      "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. " +
      "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or " +
      "deleted between the time the first chunk was returned and now may show up in the list.",
  );
  return new StatusError(e.code, e.reason, e.message, e.details, { listMeta: { continue: token } });
}

/** Where and how much to pick. */
interface PickAsk {
  /** Empty: all of them, or none to choose from. */
  readonly namespace: string;
  /** Names are unique in what is listed. */
  readonly unique: boolean;
  readonly limit: number;
  readonly after: string | undefined;
}

function pick(snapshot: Snapshot, chosen: Selection, { namespace, unique, limit, after }: PickAsk) {
  const { matches, field, label, name } = chosen;
  if (name !== undefined && unique) {
    const one = snapshot.get(namespace, name);
    return { entries: one && (matches?.(one) ?? true) ? [one] : [], fetched: one ? 1 : 0, last: undefined };
  }
  const query = {
    ...(namespace ? { namespace } : {}),
    ...(after === undefined ? {} : { after }),
    ...(field ? { field } : {}),
    ...(label ? { label } : {}),
  };
  const entries: Entry[] = [];
  let fetched = 0;
  for (const e of snapshot.range(query)) {
    fetched++;
    if (matches && !matches(e)) continue;
    entries.push(e);
    if (entries.length === limit) break;
  }
  // Whatever follows a full page gives a token: whether a selector matches it is seen by who goes on.
  const full = limit > 0 && entries.length === limit;
  const more = full && snapshot.countAfter(entries[limit - 1]!.key, namespace || undefined) > 0;
  return { entries, fetched, last: more ? entries[limit - 1]!.key : undefined };
}

/** A list of sources as the request accepts it. */
export async function answer(
  api: Api,
  scope: RequestScope,
  served: ServedResource,
  accepted: Accepted,
  sources: readonly Source[],
  meta: ListMeta,
): Promise<Response> {
  const shown = served.kind.custom?.converter ? await convertedSources(served, sources, scope.signal) : sources;
  if (scope.audit?.wantsAnswer) {
    scope.audit.answered(listBody(api, scope, served, inJson(accepted), shown, meta));
  }
  return await respond(api, scope, 200, accepted, listBody(api, scope, served, accepted, shown, meta));
}

function listBody(
  api: Api,
  scope: RequestScope,
  served: ServedResource,
  accepted: Accepted,
  sources: readonly Source[],
  meta: ListMeta,
): Body {
  if (accepted.as === "Table") return renderTable(api, scope, served, sources, meta, accepted);
  mustFit(accepted, true);
  const shape = shapeOf(api.scheme, served.kind, accepted);
  const partial = accepted.as === "PartialObjectMetadataList";
  const kind = partial
    ? { apiVersion: shape.apiVersion, kind: accepted.as, message: api.scheme.kind(shape.apiVersion, accepted.as)! }
    : listKindOf(api.scheme, served.kind);
  const custom = served.kind.custom !== undefined;
  // Lists of custom objects always say whether they go on.
  const shown = custom && !partial ? { continue: "", ...meta } : meta;
  return renderList(api.scheme, kind, shown, sources, shape, {
    pretty: accepted.pretty,
    typedItems: partial || custom,
  });
}
