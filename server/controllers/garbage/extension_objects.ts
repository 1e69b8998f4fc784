/** Objects that extension servers keep, as garbage collection sees and changes them. */
import type { JsonMap, ObjectMeta } from "../../../schema/model/types.ts";
import { isNotFound, type Reason, type Status, StatusError } from "../../../schema/status.ts";
import type { Reach, Told } from "../../aggregation/reach.ts";
import type { Registration } from "../../aggregation/registrations.ts";
import type { ProxyAnswer, ProxyHeaders } from "../../proxy/types.ts";
import type { DeleteOptions } from "../../registry/strategy.ts";
import type { User } from "../../request.ts";
import type { CollectedObjects, Found, OwnerEdit } from "./objects.ts";
import type { Place } from "./owner_graph.ts";

/** Within this time a server answers a question about one object or one part of a list, ms. */
const LIMIT_MS = 30_000;
/** Objects in a part of a list. */
const PART = 500;

/** What an extension server says of a resource. */
export interface ExtensionResource {
  readonly registration: Registration;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** How its server is asked. */
export interface Asking {
  readonly reach: Reach;
  readonly user: User;
  /** Group of the metadata of objects, in the dialect. */
  readonly metaGroup: string;
}

/** A part of a list. */
export interface ListPart {
  readonly items: readonly ObjectMeta[];
  readonly resourceVersion: string;
  /** Empty: it is the last one. */
  readonly continue: string;
}

/** See the top of the file. */
export class ExtensionObjects implements CollectedObjects {
  constructor(readonly of: ExtensionResource, readonly asking: Asking) {}

  /** A path: no resource of this server's own is named so. */
  get resourceId(): string {
    const { registration: { group, version }, resource } = this.of;
    return `/apis/${group}/${version}/${resource}`;
  }

  get namespaced(): boolean {
    return this.of.namespaced;
  }

  /** Whether all that is asked of a resource whose objects are followed can be asked of it. */
  get followable(): boolean {
    return ["list", "watch", "delete"].every((verb) => this.of.verbs.includes(verb));
  }

  async find(namespace: string, name: string): Promise<Found | undefined> {
    try {
      const { metadata } = await this.#ask("GET", this.#path(namespace, name)) as { metadata?: ObjectMeta };
      return metadata && { metadata, version: metadata.resourceVersion ?? "" };
    } catch (e) {
      if (isNotFound(e)) return undefined;
      throw e;
    }
  }

  async certain(namespace: string, name: string, uid: string): Promise<Found | undefined> {
    const found = await this.find(namespace, name);
    return found?.metadata.uid === uid ? found : undefined;
  }

  async remove({ namespace, name }: Place, options: DeleteOptions): Promise<void> {
    try {
      const body = { kind: "DeleteOptions", apiVersion: "v1", ...options };
      await this.#ask("DELETE", this.#path(namespace, name), body, "application/json");
    } catch (e) {
      if (!isNotFound(e)) throw e;
    }
  }

  async edit({ namespace, name, uid }: Place, change: (m: ObjectMeta) => OwnerEdit | undefined): Promise<void> {
    const found = await this.certain(namespace, name, uid);
    const edit = found && change(found.metadata);
    if (!edit) return;
    const patch = { metadata: { uid, resourceVersion: found.version, ...edit } };
    try {
      await this.#ask("PATCH", this.#path(namespace, name), patch, "application/merge-patch+json");
    } catch (e) {
      if (!isNotFound(e)) throw e;
    }
  }

  /** A part of the objects of all namespaces. @throws StatusError, Error without an answer */
  async list(from: string): Promise<ListPart> {
    const query = `limit=${PART}${from && `&continue=${encodeURIComponent(from)}`}`;
    const { metadata, items } = await this.#ask("GET", `${this.resourceId}?${query}`, undefined, "", true);
    const told = (metadata ?? {}) as Record<string, string>;
    return {
      items: ((items ?? []) as JsonMap[]).map((item) => (item["metadata"] ?? {}) as ObjectMeta),
      resourceVersion: told["resourceVersion"] ?? "",
      continue: told["continue"] ?? "",
    };
  }

  /** Changes of all objects since a version, for some seconds. @throws Error without an answer */
  async watch(since: string, seconds: number, signal: AbortSignal): Promise<ProxyAnswer> {
    const query = new URLSearchParams({
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: since,
      timeoutSeconds: String(seconds),
    });
    const { reach, user } = this.asking;
    return await reach.open(this.of.registration, `${this.resourceId}?${query}`, this.#accept(false), user, signal);
  }

  #path(namespace: string, name: string): string {
    const { registration: { group, version }, resource, namespaced } = this.of;
    const within = namespaced ? `namespaces/${encodeURIComponent(namespace)}/` : "";
    return `/apis/${group}/${version}/${within}${resource}/${encodeURIComponent(name)}`;
  }

  /** Metadata alone, where the server can leave the rest out. */
  #accept(list: boolean): ProxyHeaders {
    const as = `PartialObjectMetadata${list ? "List" : ""}`;
    return [["accept", `application/json;as=${as};g=${this.asking.metaGroup};v=v1,application/json`]];
  }

  async #ask(method: string, path: string, body?: unknown, type = "", list = false): Promise<JsonMap> {
    const { reach, user } = this.asking;
    const headers = [...this.#accept(list), ...(type ? [["content-type", type] as const] : [])];
    const by = { method, user, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const told = await reach.ask(this.of.registration, path, headers, LIMIT_MS, by);
    const answer = treeOf(told);
    if (told.status >= 200 && told.status < 300) return answer;
    throw errorOf(told.status, answer, `${method} ${path} was answered with ${told.status}`);
  }
}

/** An error as a server says it; that nothing is there only one says that speaks of objects. */
export function errorOf(code: number, said: JsonMap, otherwise: string): StatusError {
  const { kind, reason, message } = said as Partial<Status>;
  return kind === "Status"
    ? new StatusError(code, (reason ?? "") as Reason, message ?? otherwise)
    : new StatusError(code, "", otherwise);
}

function treeOf({ text }: Told): JsonMap {
  try {
    const tree = JSON.parse(text);
    return typeof tree === "object" && tree !== null ? tree : {};
  } catch {
    return {};
  }
}
