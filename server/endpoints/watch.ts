/** WATCH: a stream of changes (specification, "Watch streams", "Version semantics": watch). */
import { ErrorList } from "../../schema/rules/errors.ts";
import { expired, hasReason, invalid, StatusError } from "../../schema/status.ts";
import { CacheNotReady, type Snapshot, type Watcher, type WatchOptions } from "../cache/mod.ts";
import type { ServedResource } from "../catalog/types.ts";
import { LONGEST_MS } from "../pause.ts";
import type { RequestScope } from "../request.ts";
import type { Store } from "../registry/store.ts";
import { RevisionError } from "../storage/backend.ts";
import type { Api } from "./api.ts";
import { acceptedBy, mustServe, SHOWN } from "./call.ts";
import { takesGzip } from "./gzip.ts";
import { shardOf } from "./list.ts";
import { type ListOptions, listOptions } from "./query.ts";
import { type Selection, selection } from "./select.ts";
import { tableView } from "./table.ts";
import { atLeast, checkListOptions, parseVersion } from "./versions.ts";
import { ConvertedWatcher, SelectedWatcher } from "./watch_converted.ts";
import { framesFor } from "./watch_frames.ts";
import { Gzip } from "./watch_gzip.ts";
import type { Ending, WatchRun } from "./watch_run.ts";
import { socketFor, watchOverSocket } from "./watch_socket.ts";
import { watchStream } from "./watch_stream.ts";

/** Bookmarks come about this often, and shortly before the stream's end. */
const BOOKMARK_MS = 60_000;

/** Opens a watch. Headers go out at once; what is wrong with the version comes as an ERROR event. */
export async function watch(api: Api, scope: RequestScope): Promise<Response> {
  const served = scope.served!;
  // The router knows lists: what it lets through is refused as what it asks for before it is as a watch.
  if (!served.verbs.includes("list")) mustServe(served, "", "watch");
  const accepted = acceptedBy(api, scope, SHOWN, true);
  mustServe(served, "", "watch");
  const options = listOptions(scope.query);
  const start = startOf(api, options, scope.info.deprecatedWatch && !options.watch);
  const shard = shardOf(api, options);
  const chosen = selection(served, options, scope.info.name, shard);
  if (accepted.media.kind === "yaml") throw new StatusError(406, "NotAcceptable", "no stream of YAML is served");
  const store = api.store(served.resource);
  const table = accepted.as === "Table" ? tableView(api, scope, served, accepted) : undefined;
  const frames = framesFor(api, served, accepted, table);
  if (!store.cache.ready) throw new CacheNotReady(store.cache.id);
  const ends = deadline(api, options);
  const ending: Ending = {};
  const open = async (signal: AbortSignal) => {
    if (ends <= api.rules.now()) return OVER;
    const { watcher, before } = await openWatcher(
      store,
      { served, scope, options, start, chosen, ends, ending },
      signal,
    );
    if (accepted.as === "PartialObjectMetadataList") return untilFirst(watcher);
    if (!served.kind.custom?.converter) return watcher;
    const shown = new ConvertedWatcher(api.scheme, served, watcher);
    return chosen.converted ? await selected(api, scope, served, chosen, before, shown) : shown;
  };
  const first = start.wait ? undefined : await openNow(open, scope.signal);
  const run: WatchRun = {
    store,
    frames,
    lifeMs: ends - api.rules.now(),
    gone: scope.signal,
    source: first ?? open,
    ending,
    tally: scope.tally?.events(served),
    listed: options.sendInitialEvents ? () => scope.tally?.listed(scope, api.rules.now() - scope.startedAt) : undefined,
    ended: () => scope.cancel?.(),
  };
  const socket = socketFor(scope);
  if (socket) return watchOverSocket(socket, run, scope);
  const headers = { "content-type": frames.contentType, "cache-control": "no-cache, private" };
  if (!mayCompress(api, scope, options)) return new Response(watchStream(run), { headers });
  return new Response(watchStream({ ...run, gzip: new Gzip() }), {
    headers: { ...headers, "content-encoding": "gzip", vary: "Accept-Encoding" },
  });
}

/** Whether a stream is compressed: one that begins with what there is, and tells where that ends. */
function mayCompress(api: Api, { headers }: RequestScope, o: ListOptions): boolean {
  if (!o.sendInitialEvents || !o.allowWatchBookmarks || !takesGzip(headers)) return false;
  return api.rules.gate("WatchListCompression");
}

/** A watch that selects by fields which conversions make. */
async function selected(
  api: Api,
  scope: RequestScope,
  served: ServedResource,
  chosen: Selection,
  before: Snapshot | undefined,
  inner: Watcher,
): Promise<Watcher> {
  const namespace = served.resource.namespaced ? scope.info.namespace : "";
  const entries = [...before?.range(namespace ? { namespace } : {}) ?? []].filter((e) => chosen.matches?.(e) ?? true);
  return await SelectedWatcher.after(api.scheme, served, inner, chosen.converted!, entries);
}

/** A watch whose time is up before it begins. */
const OVER: Watcher = { next: () => Promise.resolve(undefined), close: () => {} };

/** A watch that asks for lists: no event can be shown so, and the first one ends it without a word. Errors are told. */
const untilFirst = (inner: Watcher): Watcher => ({
  async next() {
    const batch = await inner.next();
    return batch?.events.length ? undefined : batch;
  },
  close: () => inner.close(),
});

/** Errors that a client is told by status come before the headers. */
async function openNow(
  open: (s: AbortSignal) => Promise<Watcher>,
  signal: AbortSignal,
): Promise<Watcher | StatusError> {
  try {
    return await open(signal);
  } catch (e) {
    if (hasReason(e, "Expired")) return e;
    throw e;
  }
}

/** Where a watch starts. */
interface Start {
  readonly from: "recent" | "any" | "exact";
  readonly revision: number;
  readonly text: string;
  /** Existing objects come first, as ADDED. */
  readonly initial: boolean;
  /** A bookmark closes them, where bookmarks are asked for. */
  readonly initialEnd: boolean;
  /** The version may not be there yet: waiting for it must not hold back the headers. */
  readonly wait: boolean;
}

/** @param asList a watch by its path alone: its options are those of a list, and no bookmark closes what comes first */
function startOf(api: Api, o: ListOptions, asList: boolean): Start {
  if (asList) checkListOptions(o, api.scheme.product);
  else check(api, o);
  const text = o.resourceVersion;
  const revision = text === "" ? 0 : parseVersion(text);
  const from = text === "" ? "recent" : revision === 0 ? "any" : "exact";
  const initial = o.sendInitialEvents ?? from !== "exact";
  return { from, revision, text, initial, initialEnd: initial && !asList, wait: from === "exact" };
}

function check(api: Api, o: ListOptions): void {
  const errors = new ErrorList();
  const match = o.resourceVersionMatch;
  const notOlder = match === "NotOlderThan";
  if (o.sendInitialEvents !== undefined) {
    if (!notOlder) {
      errors.forbidden(
        "resourceVersionMatch",
        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
      );
    }
    if (!api.rules.gate("WatchList")) errors.forbidden("sendInitialEvents", "needs the WatchList feature gate");
  } else if (match !== "") {
    errors.forbidden(
      "resourceVersionMatch",
      "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    );
  }
  if (match !== "" && !notOlder) errors.notSupported("resourceVersionMatch", match, ["NotOlderThan"]);
  // What starts with the existing objects without being asked to goes by the rules of a match, though none is named.
  const implied = o.sendInitialEvents === undefined && (o.resourceVersion === "" || o.resourceVersion === "0");
  if (o.continue !== "" && (match !== "" || implied)) {
    errors.forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
  }
  if (errors.empty) return;
  const e = invalid(api.scheme.product.local("meta.k8s.io"), "ListOptions", "", errors.causes);
  // A bad combination of version parameters alone is a bad request (specification, "Errors").
  if (o.sendInitialEvents === undefined) throw new StatusError(400, "BadRequest", e.message, { causes: errors.causes });
  throw e;
}

/**
 * When a watch ends, ms since the epoch: after the time that it asks for, else after once to twice `--min-request-timeout`, so that
 * those that began together do not come back together. Never after more than a timer waits.
 */
export function deadline(
  api: Pick<Api, "minRequestTimeout" | "random" | "rules">,
  o: Pick<ListOptions, "timeoutSeconds">,
): number {
  const seconds = o.timeoutSeconds || api.minRequestTimeout * (1 + api.random());
  return api.rules.now() + Math.min(seconds * 1000, LONGEST_MS);
}

/** What a request for a watch asks for. */
interface Wanted {
  readonly served: ServedResource;
  readonly scope: RequestScope;
  readonly options: ListOptions;
  readonly start: Start;
  readonly chosen: Selection;
  /** ms since the epoch */
  readonly ends: number;
  readonly ending: Ending;
}

/** A watch that was opened. */
interface Opened {
  readonly watcher: Watcher;
  /** What there was as it began, where it does not begin with that, and conversions are to select from it. */
  readonly before: Snapshot | undefined;
}

async function openWatcher(store: Store, wanted: Wanted, signal: AbortSignal): Promise<Opened> {
  const { cache } = store, { served, scope, start, chosen, ends, ending } = wanted;
  if (start.from === "recent" || cache.revision < start.revision) await store.fresh(signal);
  if (start.from === "exact" && cache.revision < start.revision) {
    await cache.waitFor(start.revision, ends - store.ctx.rules.now(), signal);
  }
  if (start.initial && start.from === "exact") await atLeast(cache, start.revision, start.text, signal);
  const namespace = served.resource.namespaced ? scope.info.namespace : "";
  const since = start.initial
    ? { initial: cache.snapshot() }
    : start.from === "exact"
    ? start.revision
    : cache.revision;
  const options: WatchOptions = {
    since,
    ...(namespace ? { namespace } : {}),
    ...(chosen.name === undefined ? {} : { name: chosen.name }),
    ...(chosen.field ? { field: chosen.field } : {}),
    ...(chosen.matches ? { matches: chosen.matches, group: chosen.key } : {}),
    ...(wanted.options.allowWatchBookmarks
      ? { bookmarks: { everyMs: BOOKMARK_MS, lifeMs: ends - store.ctx.rules.now() }, initialEnd: start.initialEnd }
      : {}),
    signal,
    onEnded: (error) => ending.heard?.(error),
  };
  try {
    const before = start.initial || !chosen.converted
      ? undefined
      : start.from === "exact"
      ? cache.snapshotAt(start.revision)
      : cache.snapshot();
    return { watcher: cache.watch(options), before };
  } catch (e) {
    if (e instanceof RevisionError) throw expired(`too old resource version: ${start.text} (${e.current})`);
    throw e;
  }
}
