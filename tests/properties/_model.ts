/** A namespace of config maps under random writes, with what each version had: the model that lists and watches are held against. */
import { APPLY, JSON_PATCH, MERGE, namespaceOf, ok, type Random } from "./_runs.ts";
import type { TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

/** One write: the object as it stands after it, undefined when it was deleted. */
export interface Change {
  readonly rv: bigint;
  readonly name: string;
  readonly before: Loose | undefined;
  readonly after: Loose | undefined;
}

/** A selector as a query, and what it selects. */
export interface Selector {
  readonly query: string;
  readonly selects: (object: Loose) => boolean;
}

const tier = (o: Loose): string | undefined => o.metadata.labels?.t;
const label = (text: string, selects: (t: string | undefined) => boolean): Selector => ({
  query: `&labelSelector=${encodeURIComponent(text)}`,
  selects: (o) => selects(tier(o)),
});

export const SELECTORS: readonly Selector[] = [
  { query: "", selects: () => true },
  label("t=a", (t) => t === "a"),
  label("t!=a", (t) => t !== "a"),
  label("t in (a,b)", (t) => t === "a" || t === "b"),
  label("t", (t) => t !== undefined),
  label("!t", (t) => t === undefined),
  { query: "&fieldSelector=metadata.name%3Do1", selects: (o) => o.metadata.name === "o1" },
];

/** An event as a watch shows it: type, version, and the text of the object without its version. */
export interface Shown {
  readonly type: string;
  readonly rv: bigint;
  readonly object: string;
}

/** What is compared of an object. */
export function textOf(o: Loose): string {
  const { name, uid, labels } = o.metadata;
  return JSON.stringify([name, uid, Object.entries(labels ?? {}).sort(), Object.entries(o.data ?? {}).sort()]);
}

/** Random writes by one client, and the model of them. */
export class Model {
  readonly changes: Change[] = [];
  readonly #now = new Map<string, Loose>();
  #n = 0;

  private constructor(
    readonly server: TestServer,
    readonly path: string,
    readonly random: Random,
    readonly start: bigint,
  ) {}

  static async start(server: TestServer, random: Random, namespace: string): Promise<Model> {
    const path = `/api/v1/namespaces/${await namespaceOf(server, namespace)}/configmaps`;
    const list = await ok(server, "GET", path);
    return new Model(server, path, random, BigInt(list.metadata.resourceVersion));
  }

  /** One write of any kind to any of a few names. */
  async step(): Promise<void> {
    const { random } = this, name = `o${random.below(6)}`, before = this.#now.get(name);
    if (!before) return await this.#put("POST", this.path, this.#body(name));
    const path = `${this.path}/${name}`, body = this.#body(name), { labels = {} } = body.metadata;
    const steps: (() => Promise<void>)[] = [
      () => this.#put("PUT", path, body),
      () => this.#put("PATCH", path, { metadata: { labels: { t: null, ...labels } }, data: body.data }, MERGE),
      () =>
        this.#put("PATCH", path, [{ op: "add", path: "/metadata/labels", value: labels }, {
          op: "replace",
          path: "/data",
          value: body.data,
        }], JSON_PATCH),
      () =>
        this.#put(
          "PATCH",
          `${path}?fieldManager=m&force=true`,
          { apiVersion: "v1", kind: "ConfigMap", ...body },
          APPLY,
        ),
      () => this.#delete(name, before),
      () => this.#delete(name, before),
    ];
    await random.pick(steps)();
  }

  /** One last object for each selector, so that each watch has a last event. */
  async finish(): Promise<void> {
    for (const [name, t] of [["last-a", "a"], ["last-none", undefined], ["o1", "b"]] as const) {
      const body = { ...this.#body(name), metadata: { name, labels: t ? { t } : {} } };
      const there = this.#now.has(name);
      await this.#put(there ? "PUT" : "POST", there ? `${this.path}/${name}` : this.path, body);
    }
  }

  /** Newest version. */
  get newest(): bigint {
    return this.changes.at(-1)?.rv ?? this.start;
  }

  /** Objects at a version, by name. */
  at(rv: bigint, { selects }: Selector): Loose[] {
    const found = new Map<string, Loose>();
    for (const c of this.changes) {
      if (c.rv > rv) break;
      if (c.after && selects(c.after)) found.set(c.name, c.after);
      else found.delete(c.name);
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, o]) => o);
  }

  /** Events after a version. What stops matching is shown as it was when it last matched. */
  after(rv: bigint, { selects }: Selector): Shown[] {
    return this.changes.filter((c) => c.rv > rv).flatMap((c) => {
      const was = c.before && selects(c.before), is = c.after && selects(c.after);
      const type = was ? (is ? "MODIFIED" : "DELETED") : is ? "ADDED" : undefined;
      return type ? [{ type, rv: c.rv, object: textOf(is ? c.after : c.before) }] : [];
    });
  }

  #body(name: string) {
    const t = this.random.pick(["a", "b", "c", undefined]);
    return { metadata: { name, ...(t ? { labels: { t } } : {}) }, data: { n: String(++this.#n) } };
  }

  async #put(method: string, path: string, body: Loose, type?: string): Promise<void> {
    const after = await ok(this.server, method, path, body, type), { name } = after.metadata;
    this.changes.push({ rv: BigInt(after.metadata.resourceVersion), name, before: this.#now.get(name), after });
    this.#now.set(name, after);
  }

  /** A deletion's answer has no version; that of a list at once after it is the deletion's, as nobody else writes. */
  async #delete(name: string, before: Loose): Promise<void> {
    await ok(this.server, "DELETE", `${this.path}/${name}`);
    const list = await ok(this.server, "GET", `${this.path}?limit=1`);
    this.changes.push({ rv: BigInt(list.metadata.resourceVersion), name, before, after: undefined });
    this.#now.delete(name);
  }
}
