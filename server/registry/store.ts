/**
 * The generic registry: what every resource does. Reads come from the watch cache; a write is a function from the current
 * object to the next one, committed against the version it was made from and made again on conflict.
 *
 * Objects here have the shape of the storage version.
 */
import { copyObject } from "../../schema/codec/emptied.ts";
import type { Obj } from "../../schema/model/types.ts";
import type { RuleContext, ValidateContext } from "../../schema/rules/types.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import {
  prepareCreate,
  prepareUpdate,
  type RuledResource,
  rulesFor,
  unconditional,
  validateCreate,
  validateUpdate,
} from "../../schema/rules/mod.ts";
import { generateName } from "../../schema/values/random.ts";
import {
  alreadyExists,
  badRequest,
  conflict,
  type GroupResource,
  hasReason,
  invalid,
  notFound,
  notGenerated,
  StatusError,
} from "../../schema/status.ts";
import type { Entry, ResourceCache } from "../cache/mod.ts";
import { caughtUp } from "./behind.ts";
import { Commits } from "./commits.ts";
import type { Attributes, Operation } from "../admission/types.ts";
import { RequestAttributes } from "./attributes.ts";
import { type Change, StorageError } from "../storage/backend.ts";
import type { Resource } from "../catalog/types.ts";
import type { Cancellable } from "../request.ts";
import type { Span } from "../../schema/tracing/span.ts";
import type { Caller, RegistryContext } from "./context.ts";
import { settled } from "./settled.ts";
import type { Conversions, Side, Strategy } from "./strategy.ts";
import { keepTimestamps } from "../../schema/merge/owners.ts";
import { sameObject } from "./same.ts";
import { fillSystemFields, isDeleting, keepSystemFields, versionGiven } from "./system_fields.ts";
import { Turns } from "./turns.ts";
import { versioned } from "./versioned.ts";

const LOCK_LOST = "the object has been modified; please apply your changes to the latest version and try again";
/** How often a name is generated before giving up. */
const NAME_TRIES = 8;
/** How often an allocation is made again when another server took the same. */
const SIDE_TRIES = 16;

/** How an update makes the next object from the current one; undefined current: it does not exist. */
export type Transform = (current: Obj | undefined) => Obj | Promise<Obj>;

/** What an update is about. */
export interface UpdateRequest {
  readonly namespace: string;
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** The next object; its `metadata.resourceVersion` is checked, empty means whatever the current one is. */
  readonly next: Transform;
  /** What `next` gives shares nothing with the current object, which it only reads: one decoding does for both. */
  readonly apart?: boolean;
  /** Create when absent, whatever the kind says (apply). */
  readonly createAbsent?: boolean;
  /** The uid that the object must have. */
  readonly uid?: string | undefined;
  readonly caller: Caller;
  /** Admission has a say. False for the server's own writes. */
  readonly admit: boolean;
}

/** An object as stored, or as it would be. */
export interface Written {
  readonly object: Obj;
  readonly created: boolean;
  /** The object was removed by the write: it was being deleted and lost its last finalizer. */
  readonly removed?: boolean;
}

/** The registry of one resource. */
export class Store {
  readonly resource: Resource;
  readonly strategy: Strategy;
  readonly cache: ResourceCache;
  readonly ruled: RuledResource;
  readonly ctx: RegistryContext;
  readonly gr: GroupResource;
  /** Clients' reads go past the cache. The server's own, and watches, are served from it all the same. */
  readonly direct: boolean;
  readonly #turns = new Turns();
  readonly #commits: Commits;

  constructor(resource: Resource, cache: ResourceCache, ctx: RegistryContext, strategy: Strategy = {}) {
    this.resource = resource;
    this.cache = cache;
    this.ctx = ctx;
    this.strategy = strategy;
    const { storageKind: kind, namespaced } = resource;
    this.ruled = { kind, namespaced, rules: strategy.rules ?? rulesFor(resource.id, kind.version) ?? {} };
    this.#commits = new Commits(resource, this.ruled, ctx, strategy);
    this.gr = { group: resource.group, resource: resource.name };
    this.direct = ctx.direct?.(resource) ?? false;
  }

  /** Key below the store. */
  key(namespace: string, name: string): string {
    return this.#commits.key(namespace, name);
  }

  /** The change that creates an object of the server's own beside another write, if its name is free. */
  creation(obj: Obj): Change {
    return this.#commits.creation(obj);
  }

  /** The entry in the cache. @throws StatusError 404 */
  entry(namespace: string, name: string): Entry {
    const entry = this.cache.get(namespace, name);
    if (!entry) throw notFound(this.gr, name);
    return entry;
  }

  /** 404 for a name. */
  missing(name: string): StatusError {
    return notFound(this.gr, name);
  }

  /** An entry no older than the request. @throws StatusError 404 */
  async current(namespace: string, name: string): Promise<Entry> {
    await this.fresh();
    return this.entry(namespace, name);
  }

  /** Waits until the cache has everything that was committed before the call. @throws StatusError 504 when it does not get there */
  async fresh(cancel?: AbortSignal | Cancellable): Promise<void> {
    await this.behind(cancel);
  }

  /** The same; undefined when it has, as far as the store can tell at once. */
  behind(cancel?: AbortSignal | Cancellable): Promise<void> | undefined {
    const at = this.ctx.backend.revision();
    if (typeof at === "number") return this.cache.revision < at ? caughtUp(this.cache, this.gr, at, cancel) : undefined;
    return at.then((revision) =>
      this.cache.revision < revision ? caughtUp(this.cache, this.gr, revision, cancel) : undefined
    );
  }

  /**
   * Creates an object.
   * @throws StatusError 409 when the name is taken, 422 when it is not valid, what admission throws
   */
  async create(obj: Obj, caller: Caller, { admit }: Pick<UpdateRequest, "admit"> = { admit: true }): Promise<Obj> {
    const given = versionGiven(obj), asked = /^\d+$/.test(given) ? given : "";
    fillSystemFields(obj, this.ctx);
    const named = !obj.metadata.name && obj.metadata.generateName, plain = this.ruled.rules.plainGenerateName;
    for (let attempt = 1;; attempt++) {
      const tried = named && attempt < NAME_TRIES ? copyObject(obj) : obj;
      if (named) tried.metadata.name = plain ? named : generateName(named, this.ctx.random.bind(this.ctx));
      try {
        return await this.#createOnce(tried, caller, admit, "", asked);
      } catch (e) {
        if (!named || attempt >= NAME_TRIES || !hasReason(e, "AlreadyExists")) throw e;
      }
    }
  }

  /** `asked`: the version that the client said the new object had. */
  async #createOnce(obj: Obj, caller: Caller, admit: boolean, subresource: string, asked = ""): Promise<Obj> {
    const refused = await this.strategy.authorize?.(obj, undefined, caller, subresource);
    for (const w of prepareCreate(this.ruled, obj, this.#rules("create", subresource, caller))) caller.warn(w);
    for (let attempt = 1;; attempt++) {
      // What comes by its status gets nothing allocated, as it is updated by it without.
      const side = subresource === "status" ? undefined : await this.strategy.beforeCreate?.(obj, caller);
      const made = await settled(side, async () => {
        this.#validateCreate(obj, caller, refused ?? undefined);
        const attributes = admit ? this.attributes("CREATE", obj, undefined, caller, subresource) : undefined;
        if (attributes) await this.ctx.admission.validate(attributes);
        this.strategy.settle?.(obj);
        const rest = this.strategy.conversions ? await this.strategy.conversions.rest(obj, caller.signal) : obj;
        if (caller.dryRun) return this.#dryCreate(rest, asked);
        if (asked) throw badRequest("resourceVersion should not be set on objects to be created");
        // Between these looks and the commit nobody else has a turn, but where the store itself has to be asked.
        const looking = attributes && this.ctx.admission.last?.(attributes);
        if (looking) await looking;
        this.strategy.beforeNew?.(obj);
        const result = await this.#commits.commit(rest, 0, side, caller);
        if (result.ok) return versioned(rest, result.revisions[0]!);
        if (result.index === 0) throw this.#taken(obj);
        return undefined; // what was allocated beside is taken: again with something else
      });
      if (made) return made;
      if (attempt >= SIDE_TRIES) throw conflict(this.gr, obj.metadata.name!, LOCK_LOST);
      await this.fresh(caller);
    }
  }

  async #dryCreate(obj: Obj, asked: string): Promise<Obj> {
    await this.fresh();
    if (this.cache.get(obj.metadata.namespace ?? "", obj.metadata.name!)) throw this.#taken(obj);
    if (asked) obj.metadata.resourceVersion = asked;
    this.ruled.rules.fillCreated?.(obj, this.ctx.rules);
    this.strategy.fill?.(obj);
    return obj;
  }

  #taken({ metadata: { name, generateName, namespace = "" } }: Obj): StatusError {
    const e = (generateName ? notGenerated : alreadyExists)(this.gr, name!);
    const entry = this.cache.get(namespace, name!);
    return entry && isDeleting(entry)
      ? new StatusError(e.code, e.reason, `object is being deleted: ${e.message}`, e.details)
      : e;
  }

  #validateCreate(obj: Obj, caller: Pick<Caller, "warn" | "version">, refused?: ErrorList): void {
    const { ruled, ctx } = this;
    const errors = validateCreate(ruled, obj, validateContext(ctx, "create", "", caller.version));
    errors.take(refused?.causes ?? []);
    if (!errors.empty) throw this.invalid(obj, errors);
    for (const w of ruled.rules.warnings?.(obj, undefined, ctx.rules) ?? []) caller.warn(w);
  }

  /** A 422 about an object of this resource. */
  invalid(obj: Obj, errors: ErrorList): StatusError {
    const { group, kind } = this.resource.storageKind;
    return invalid(group, kind, obj.metadata.name ?? "", errors.causes);
  }

  /**
   * Updates an object, again when somebody else was faster and the caller named no version.
   * @throws StatusError 404, 409, 422, what admission throws
   */
  async update(request: UpdateRequest): Promise<Written> {
    const { namespace, name } = request, once = () => this.#updateOnce(request, this.cache.get(namespace, name));
    const done = await once() ?? await this.#turns.tryAgain(this.key(namespace, name), async () => {
      await this.fresh(request.caller);
      return await once();
    });
    if (!done) throw conflict(this.gr, name, LOCK_LOST);
    return done;
  }

  async #updateOnce(request: UpdateRequest, entry: Entry | undefined): Promise<Written | undefined> {
    if (!entry) return await this.#updateAbsent(request);
    const { conversions } = this.strategy, { caller } = request;
    const old = conversions ? await conversions.view(entry.object(), caller.version, caller.signal) : entry.object();
    try {
      return await this.#make(request, old, entry);
    } catch (e) {
      // What was refused against an old state may be right against the newest one; what the store failed at may have been made.
      if (e instanceof StatusError && !(e.cause instanceof StorageError) && await this.#stale(entry)) return undefined;
      throw e;
    }
  }

  async #make(request: UpdateRequest, old: Obj, entry: Entry): Promise<Written | undefined> {
    if (request.uid !== undefined && request.uid !== old.metadata.uid) {
      const why = `Precondition failed: UID in precondition: ${request.uid}, UID in object meta: ${old.metadata.uid}`;
      throw conflict(this.gr, request.name, why);
    }
    const obj = await request.next(request.apart ? old : copyObject(old));
    const given = versionGiven(obj);
    if (given === "" && !unconditional(this.ruled.rules, request.caller.version)) {
      throw this.#versionRequired(request.name);
    }
    if (given !== "" && given !== String(entry.revision)) throw conflict(this.gr, request.name, LOCK_LOST);
    obj.metadata.resourceVersion = String(entry.revision);
    return await this.#write(request, obj, old, entry);
  }

  #versionRequired(name: string): StatusError {
    const errors = new ErrorList();
    errors.invalid("metadata.resourceVersion", 0, "must be specified for an update");
    return invalid(this.gr.group, this.gr.resource, name, errors.causes);
  }

  /** Whether the entry was not the newest one any more. */
  async #stale(entry: Entry): Promise<boolean> {
    await this.fresh();
    return this.cache.get(entry.namespace, entry.name)?.revision !== entry.revision;
  }

  async #updateAbsent(request: UpdateRequest): Promise<Written | undefined> {
    const { createOnUpdate, statusApplyCreates } = this.ruled.rules, { subresource, name, uid } = request;
    await this.fresh();
    if (this.cache.get(request.namespace, name)) return undefined;
    // A status can bring its object with it where the object itself may come by an update.
    const mayCreate = subresource === ""
      ? request.createAbsent || createOnUpdate
      : subresource === "status" && (createOnUpdate || (statusApplyCreates && request.createAbsent));
    if (!mayCreate) throw notFound(this.gr, name);
    if (uid !== undefined) {
      throw conflict(this.gr, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: `);
    }
    const obj = await request.next(undefined);
    if (/[^0-9]/.test(versionGiven(obj))) throw badRequest("metadata.resourceVersion must be a decimal number");
    fillSystemFields(obj, this.ctx);
    try {
      return { object: await this.#createOnce(obj, request.caller, request.admit, subresource), created: true };
    } catch (e) {
      if (hasReason(e, "AlreadyExists")) return undefined;
      throw e;
    }
  }

  /** Rules of resources that are not built in go by the version of the request. */
  #rules(verb: "create" | "update", subresource: string, caller: Caller): RuleContext {
    return this.strategy.rules ? validateContext(this.ctx, verb, subresource, caller.version) : this.ctx.rules;
  }

  async #write(request: UpdateRequest, next: Obj, old: Obj, entry: Entry): Promise<Written | undefined> {
    const { caller } = request;
    const refused = await this.strategy.authorize?.(next, old, caller, request.subresource);
    prepareUpdate(this.ruled, next, old, request.subresource, this.#rules("update", request.subresource, caller));
    keepSystemFields(next, old);
    const obj = keepTimestamps(next, old);
    const side = request.subresource === "" ? await this.strategy.beforeUpdate?.(obj, old, caller) : undefined;
    return await settled(side, async () => {
      this.#validateUpdate(obj, old, request.subresource, caller, refused ?? undefined);
      if (request.admit) {
        await this.ctx.admission.validate(this.attributes("UPDATE", obj, old, caller, request.subresource));
      }
      this.strategy.settle?.(obj);
      if (this.#emptied(obj, old)) return await this.#removeNow(obj, old, entry, caller);
      if (this.strategy.conversions) {
        return await this.#writeConverted(this.strategy.conversions, obj, entry, side, caller);
      }
      if (this.#looksLike(obj, old) && await this.#commits.restsAs(obj, entry)) return await this.#asItIs(entry, old);
      if (caller.dryRun) return { object: this.#shown(obj, entry.revision), created: false };
      const result = await this.#commits.commit(obj, entry.revision, side, caller);
      return result.ok ? { object: versioned(obj, result.revisions[0]!), created: false } : undefined;
    });
  }

  /** Writes what must be converted first. An object that lies there in another version is written even if nothing changed. */
  async #writeConverted(
    conversions: Conversions,
    obj: Obj,
    entry: Entry,
    side: Side | undefined,
    caller: Caller,
  ): Promise<Written | undefined> {
    const rest = await conversions.rest(obj, caller.signal);
    if (this.#looksLike(rest, entry.peek()) && await this.#commits.restsAs(rest, entry)) {
      return await this.#asItIs(entry, entry.object());
    }
    if (caller.dryRun) return { object: this.#shown(rest, entry.revision), created: false };
    const result = await this.#commits.commit(rest, entry.revision, side, caller);
    return result.ok ? { object: versioned(rest, result.revisions[0]!), created: false } : undefined;
  }

  /** Nothing is to be written, unless another server has written since, which the cache does not have yet. */
  async #asItIs(entry: Entry, object: Obj): Promise<Written | undefined> {
    return await this.#stale(entry) ? undefined : { object, created: false };
  }

  /** Whether an object would look to readers as the stored one does. */
  #looksLike(obj: Obj, old: Obj): boolean {
    if (sameObject(obj, old)) return true;
    if (!this.strategy.fill) return false;
    const seen = copyObject(obj);
    this.strategy.fill(seen);
    return sameObject(seen, old);
  }

  /** An object that is not written, as readers would see it. */
  #shown(obj: Obj, revision: number): Obj {
    this.strategy.fill?.(obj);
    return versioned(obj, revision);
  }

  /** The object was being deleted and this write took the last thing that held it. */
  #emptied(obj: Obj, old: Obj): boolean {
    return !!old.metadata.deletionTimestamp && !obj.metadata.finalizers?.length &&
      !old.metadata.deletionGracePeriodSeconds && (this.strategy.mayRemove?.(obj) ?? true);
  }

  /** What goes is what is stored: the last write of the object changes nothing any more. */
  async #removeNow(obj: Obj, old: Obj, entry: Entry, caller: Caller): Promise<Written | undefined> {
    if (caller.dryRun) return { object: obj, created: false, removed: true };
    const done = await this.remove(entry, old, caller.span);
    return done !== "changed" ? { object: obj, created: false, removed: true } : undefined;
  }

  /** `refused`: what the caller may not write. */
  #validateUpdate(
    obj: Obj,
    old: Obj,
    subresource: string,
    caller: Pick<Caller, "warn" | "version">,
    refused?: ErrorList,
  ): void {
    const { ruled, ctx } = this;
    const found = validateUpdate(ruled, obj, old, validateContext(ctx, "update", subresource, caller.version));
    const errors = new ErrorList();
    errors.take(refused?.causes ?? []);
    errors.take(found.causes);
    for (const note of found.notes) caller.warn(note);
    if (!errors.empty) throw this.invalid(obj, errors);
    // The scale is written through the whole object.
    const door = subresource === "" || subresource === "scale" ? ruled.rules : ruled.rules.subresources?.[subresource];
    for (const w of door?.warnings?.(obj, old, ctx.rules) ?? []) caller.warn(w);
  }

  /** Removes an object of that revision, of which `obj` is the state; gives the deletion's revision. `changed`, `gone`: somebody else was faster. */
  async remove(entry: Entry, obj: Obj, span?: Span): Promise<number | "changed" | "gone"> {
    const side = this.strategy.beforeRemove?.(obj);
    const changes: Change[] = [{ key: this.key(entry.namespace, entry.name), value: null, expect: entry.revision }];
    const result = await this.#commits.send([...changes, ...(side?.changes ?? [])], span);
    await (result.ok ? side?.done : side?.undo)?.();
    if (result.ok) return result.revisions[0]!;
    return result.current === undefined ? "gone" : "changed";
  }

  /** Puts an object in the place of an entry, without admission or validation. Undefined when it has changed meanwhile. */
  async replace(entry: Entry, obj: Obj, signal: AbortSignal, span?: Span): Promise<Obj | undefined> {
    const { conversions } = this.strategy;
    const rest = conversions ? await conversions.rest(obj, signal) : obj;
    const result = await this.#commits.commit(rest, entry.revision, undefined, { span, applies: true });
    return result.ok ? versioned(rest, result.revisions[0]!) : undefined;
  }

  /** What admission sees. `name`: where it is not the object's. */
  attributes(
    operation: Operation,
    obj: Obj | undefined,
    old: Obj | undefined,
    caller: Caller,
    subresource: string,
    name?: string,
    options?: Attributes["options"],
  ): Attributes {
    const { resource } = this;
    const meta = (obj ?? old)?.metadata;
    const known = name ?? meta?.name ?? "";
    const namespace = resource.namespaced ? meta?.namespace ?? "" : resource.id === "namespaces" ? known : "";
    return new RequestAttributes(caller, operation, resource, subresource, namespace, known, obj, old, options);
  }
}

function validateContext(
  ctx: RegistryContext,
  verb: "create" | "update",
  subresource: string,
  version: string,
): ValidateContext {
  return { ...ctx.rules, verb, subresource, version };
}
