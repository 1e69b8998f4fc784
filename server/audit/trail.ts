/** The audit events of one request: what is told while it is worked on, put together at each stage. */
import { concat } from "../../schema/values/bytes.ts";
import { nanosToDuration } from "../../schema/values/duration.ts";
import { encodeObject } from "../../schema/codec/mod.ts";
import { encodeJson, parseJson, stringifyJson } from "../../schema/codec/json.ts";
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import type { Status } from "../../schema/status.ts";
import { behindHost } from "../filters/url.ts";
import type { AuditNotes, RequestScope, User } from "../request.ts";
import { headerText } from "../request_headers.ts";
import { AuditEvent } from "./event.ts";
import type { AuditDecision } from "./policy.ts";
import { sourceIps } from "./source_ips.ts";
import type { ObjectReference, Stage } from "./types.ts";

/** Longest user agent that is kept whole, characters. */
const MAX_AGENT = 1024;
const CUT = "...TRUNCATED";
/** A request that takes more than so many ms tells how long. */
const SLOW_MS = 500;
/** Bytes of an answer that is kept, at most; a larger one is left out. */
const MAX_ANSWER = 64 * 1024 * 1024;
const UTF8 = new TextDecoder();

/** See the top of the file. */
export class Trail implements AuditNotes {
  readonly #scope: RequestScope;
  readonly #product: Product;
  readonly #decision: AuditDecision;
  readonly #user: User;
  readonly #ips: readonly string[];
  readonly #ref: ObjectReference | undefined;
  #impersonated: User | undefined;
  #constraint: string | undefined;
  #status: Partial<Status> | undefined;
  #request: string | undefined;
  #response: string | undefined;
  #coming: Promise<void> | undefined;

  constructor(scope: RequestScope, decision: AuditDecision, product: Product) {
    this.#scope = scope;
    this.#product = product;
    this.#decision = decision;
    this.#user = scope.user;
    this.#ips = sourceIps(scope);
    this.#ref = scope.info.isResource ? referenceOf(scope) : undefined;
  }

  get wantsAnswer(): boolean {
    return this.#decision.level === 3;
  }

  /** Whether a stage is recorded. */
  has(stage: Stage): boolean {
    return !this.#decision.omit.has(stage);
  }

  sent(kind: Kind, obj: Obj): void {
    this.#refer(obj);
    if (this.#decision.level < 2 || this.#request !== undefined) return;
    const shown = this.#decision.omitManagedFields ? bare(obj as JsonMap) as Obj : obj;
    this.#request = lineOf(encodeObject(shown, kind, "json"));
  }

  patched(parse: () => Json): void {
    if (this.#decision.level < 2) return;
    try {
      this.#request = stringifyJson(parse());
    } catch {
      // The endpoint refuses it with its reason.
    }
  }

  status(status: Status): void {
    this.#status = status;
    if (!this.wantsAnswer) return;
    const { kind, apiVersion, metadata, ...rest } = status;
    this.#response = JSON.stringify({ kind, apiVersion, metadata, ...rest });
  }

  answered(json: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>): void {
    if (!(json instanceof ReadableStream)) this.#keep(json);
    // What cannot be read fails the answer itself, and is left out of the event.
    else this.#coming = collect(json).then((all) => all && this.#keep(all)).catch(() => {});
  }

  became(user: User, constraint?: string): void {
    this.#impersonated = user;
    this.#constraint = constraint;
  }

  note(key: string, value: string): void {
    const notes = this.#scope.auditAnnotations;
    if (!notes.has(key)) notes.set(key, value);
  }

  decided(allowed: boolean | undefined, reason: string): void {
    if (allowed !== undefined) {
      this.note(this.#product.local("authorization.k8s.io/decision"), allowed ? "allow" : "forbid");
    }
    this.note(this.#product.local("authorization.k8s.io/reason"), reason);
  }

  /** The answer's code is known. A Status that was told of keeps what it says. */
  ended(code: number): void {
    this.#status = { ...this.#status, code };
  }

  /** Resolves when the answer's object is there; undefined when nothing has to be waited for. */
  whole(): Promise<void> | undefined {
    return this.#coming;
  }

  /** The event of a stage. */
  event(stage: Stage, now: number): AuditEvent {
    const { info, startedAt, auditId } = this.#scope;
    if (stage === "ResponseComplete" && now - startedAt > SLOW_MS) {
      this.note(this.#product.local("apiserver.latency.k8s.io/total"), nanosToDuration((now - startedAt) * 1_000_000));
    }
    // Whoever works on it may not know yet that nobody waits for the answer.
    const late = stage === "ResponseComplete" ? this.#scope.timedOut : undefined;
    if (late) this.status(late.toStatus());
    return new AuditEvent({
      level: this.#decision.level,
      auditId,
      stage,
      requestUri: behindHost(this.#scope.request.url),
      verb: info.verb,
      user: this.#user,
      impersonatedUser: this.#impersonated,
      constraint: this.#constraint,
      sourceIps: this.#ips,
      userAgent: agentOf(this.#scope),
      objectRef: this.#ref && { ...this.#ref },
      responseStatus: this.#status,
      requestObject: this.#request,
      responseObject: this.#response,
      received: startedAt,
      at: stage === "RequestReceived" ? startedAt : now,
      annotations: this.#annotations(),
    });
  }

  /** Patches of webhooks hold parts of objects: they are told where objects are. */
  #annotations(): ReadonlyMap<string, string> {
    const all = this.#scope.auditAnnotations;
    if (this.#decision.level >= 2) return new Map(all);
    const patches = this.#product.local("patch.webhook.admission.k8s.io/");
    return new Map([...all].filter(([key]) => !key.startsWith(patches)));
  }

  #keep(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.#decision.omitManagedFields) this.#response = lineOf(bytes);
    else this.#response = lineOf(encodeJson(withoutManagers(parseJson(bytes).tree as JsonMap)));
  }

  /** What the path does not tell of the object. */
  #refer({ metadata }: Obj): void {
    const ref = this.#ref;
    if (!ref || !metadata) return;
    ref.namespace ||= metadata.namespace ?? "";
    ref.name ||= metadata.name ?? "";
    ref.uid ||= metadata.uid ?? "";
    ref.resourceVersion ||= metadata.resourceVersion ?? "";
  }
}

function referenceOf({ info }: RequestScope): ObjectReference {
  const { resource, namespace, name, group: apiGroup, version: apiVersion, subresource } = info;
  return { resource, namespace, name, uid: "", apiGroup, apiVersion, resourceVersion: "", subresource };
}

/** Without the line's end. */
const lineOf = (bytes: Uint8Array): string => UTF8.decode(bytes).trimEnd();

function agentOf({ headers }: RequestScope): string {
  const agent = headers.get("user-agent") ?? "";
  return agent.length > MAX_AGENT ? headerText(agent.slice(0, MAX_AGENT)) + CUT : headerText(agent);
}

/** An object without its managed fields; the object itself stays. */
function bare(obj: JsonMap): JsonMap {
  const meta = obj["metadata"] as JsonMap | null | undefined;
  if (!meta || meta["managedFields"] === undefined) return obj;
  const { managedFields: _, ...metadata } = meta;
  return { ...obj, metadata };
}

/** The same of an answer: of an object, of the items of a list, of the rows of a Table. */
function withoutManagers(tree: JsonMap): JsonMap {
  const out = bare(tree);
  const { items, rows } = out;
  if (Array.isArray(items)) return { ...out, items: (items as JsonMap[]).map(bare) };
  if (!Array.isArray(rows)) return out;
  const each = (row: JsonMap): JsonMap => row["object"] ? { ...row, object: bare(row["object"] as JsonMap) } : row;
  return { ...out, rows: (rows as JsonMap[]).map(each) };
}

/** All of a stream, unless it is too large. */
async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > MAX_ANSWER) return undefined;
    parts.push(part);
  }
  return concat(parts);
}
