/** Hearing of the objects of extension servers: a list in parts, then a watch, again and again, for each resource. */
import type { ObjectMeta } from "../../../schema/model/types.ts";
import { StatusError } from "../../../schema/status.ts";
import { linesOf } from "../../../schema/values/lines.ts";
import { WorkQueue } from "../queue.ts";
import type { ControllerContext } from "../types.ts";
import { errorOf, type ExtensionObjects } from "./extension_objects.ts";
import type { ExtensionResources } from "./extension_resources.ts";

/** Resources followed at the same time; a connection each. */
const MOST = 200;
/** A watch is asked for so long, and for up to as much again, s; one that goes on this long past it has lost its server, ms. */
const WATCH_SECONDS = 300, LATE_MS = 30_000;
/** Between a watch that ended and the next one, ms. */
const AGAIN_MS = 1000;
/** Bytes of an event. */
const MAX_EVENT = 16 << 20;

const text = new TextDecoder();

/** Who hears. */
export interface ExtensionHearing {
  /** An object is there, or gone (its last state). */
  changed(objects: ExtensionObjects, metadata: ObjectMeta, deleted: boolean): void;
  /** All objects were told of: these uids are there, and no others. */
  relisted(objects: ExtensionObjects, uids: ReadonlySet<string>): void;
  /** Nobody serves the resource any more. */
  left(resourceId: string): void;
}

/** See the top of the file. */
export class FollowedExtensions {
  readonly #queue: WorkQueue;
  /** Where the next watch goes on. */
  readonly #versions = new Map<string, string>();
  /** Of what is followed: its end, and whether its objects were told of, or could not be. */
  readonly #followed = new Map<string, { readonly end: AbortController; tried: boolean }>();

  constructor(
    readonly ctx: Pick<ControllerContext, "random" | "verbose">,
    readonly resources: ExtensionResources,
    readonly hearing: ExtensionHearing,
  ) {
    this.#queue = new WorkQueue({
      workers: MOST,
      random: ctx.random,
      retryMs: AGAIN_MS,
      onError: (id, e) => ctx.verbose("garbage_collector", 2)?.(`cannot follow ${id}`, { error: String(e) }),
      work: (id) => this.#follow(id),
    });
  }

  /** Begins; ends when the signal aborts. */
  start(signal: AbortSignal): void {
    signal.addEventListener("abort", () => {
      for (const { end } of this.#followed.values()) end.abort();
    }, { once: true });
    this.#queue.start(signal);
    this.refresh();
  }

  /** Looks at which resources there are. */
  refresh(): void {
    for (const [id, { end }] of this.#followed) {
      if (this.resources.byId(id)?.followable) continue;
      this.#followed.delete(id);
      this.#versions.delete(id);
      end.abort();
      this.hearing.left(id);
    }
    for (const objects of this.resources.all()) {
      const id = objects.resourceId;
      if (!objects.followable || this.#followed.has(id) || this.#followed.size >= MOST) continue;
      this.#followed.set(id, { end: new AbortController(), tried: false });
      this.#queue.add(id);
    }
  }

  /** Whether the objects of all were told of, or their servers did not tell. */
  get ready(): boolean {
    for (const { tried } of this.#followed.values()) if (!tried) return false;
    return true;
  }

  async #follow(id: string): Promise<number | void> {
    const objects = this.resources.byId(id), followed = this.#followed.get(id);
    if (!objects || !followed) return;
    try {
      const since = this.#versions.get(id) ?? await this.#list(objects, followed.end.signal);
      followed.tried = true;
      this.#versions.delete(id);
      const version = await this.#watch(objects, since, followed.end.signal);
      // One that comes back is listed anew: nothing is known of it any more.
      if (version !== undefined && !followed.end.signal.aborted) this.#versions.set(id, version);
      return AGAIN_MS;
    } catch (e) {
      if (!followed.end.signal.aborted) throw e;
    } finally {
      followed.tried = true;
    }
  }

  /** @throws the signal's reason: nobody is to hear of what is left any more */
  async #list(objects: ExtensionObjects, end: AbortSignal): Promise<string> {
    const uids = new Set<string>();
    for (let from = "";;) {
      const part = await objects.list(from);
      end.throwIfAborted();
      for (const metadata of part.items) {
        if (metadata.uid) uids.add(metadata.uid);
        this.hearing.changed(objects, metadata, false);
      }
      if ((from = part.continue) !== "") continue;
      this.hearing.relisted(objects, uids);
      return part.resourceVersion;
    }
  }

  /** The version to go on from; undefined: the server has forgotten it. @throws Error when the watch did not end well */
  async #watch(objects: ExtensionObjects, since: string, end: AbortSignal): Promise<string | undefined> {
    const seconds = Math.round(WATCH_SECONDS * (1 + this.ctx.random()));
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error("the watch did not end")), seconds * 1000 + LATE_MS);
    try {
      const answer = await objects.watch(since, seconds, AbortSignal.any([end, late.signal]));
      const ok = answer.status === 200;
      for await (const line of linesOf(answer.body, MAX_EVENT, () => new Error("an event is too large"))) {
        const event = JSON.parse(text.decode(line));
        const { type, object } = ok ? event : { type: "ERROR", object: event };
        if (type === "ERROR") {
          if (object?.code === 410) return undefined;
          throw errorOf(object?.code ?? answer.status, object ?? {}, "the watch ended with an error");
        }
        since = object.metadata.resourceVersion ?? since;
        if (type !== "BOOKMARK") this.hearing.changed(objects, object.metadata, type === "DELETED");
      }
      if (!ok) throw new StatusError(answer.status, "", `a watch was answered with ${answer.status}`);
      return since;
    } finally {
      clearTimeout(timer);
    }
  }
}
