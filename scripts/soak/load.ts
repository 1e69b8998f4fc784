/** Mixed load by several clients, each answer and event told to a judge. */
import type { Loose } from "../../tests/fixture/loose.ts";
import { type Item, type Judge, type Selects, versionOf } from "./judge.ts";

/** What was answered. */
export interface Reply {
  readonly status: number;
  readonly body: Loose;
}

/** How the load reaches a server: in this process or over a socket. */
export interface Way {
  send(method: string, path: string, body?: unknown, type?: string): Promise<Reply>;
  open(path: string, signal: AbortSignal): Promise<Response>;
}

/** The load. */
export interface LoadOptions {
  readonly way: Way;
  readonly judge: Judge;
  readonly namespace: string;
  /** In [0, 1). */
  readonly random: () => number;
  /** Clients in parallel. */
  readonly clients: number;
  /** Objects that each client has to itself, and objects that all share. */
  readonly own: number;
  readonly shared: number;
  /** Waits until the next request may begin; false ends the load. */
  readonly next: () => Promise<boolean>;
  /** How long each watch lasts before it goes on by another, s. */
  readonly watchSeconds: number;
  /** Length of a value that each object carries. */
  readonly bytes: number;
}

const LABELS = ["a", "b", "c"] as const;
const MERGE = "application/merge-patch+json",
  JSON_PATCH = "application/json-patch+json",
  APPLY = "application/apply-patch+yaml";

/** Runs clients and three watches to the end of the load. Requests by kind, and `conflicts`. */
export async function load(o: LoadOptions): Promise<Record<string, number>> {
  return await new Load(o).run();
}

class Load {
  readonly counts: Record<string, number> = { conflicts: 0, errors: 0, watches: 0 };
  readonly #path: string;
  readonly #stop = new AbortController();
  #n = 0;

  constructor(readonly o: LoadOptions) {
    this.#path = `/api/v1/namespaces/${o.namespace}/configmaps`;
  }

  async run(): Promise<Record<string, number>> {
    const { judge } = this.o;
    const first = await this.o.way.send("GET", this.#path);
    const rv = first.body.metadata.resourceVersion as string;
    const watches = [this.#watch("", rv, (e) => judge.event(e), (v) => judge.bookmark(v))];
    for (const label of LABELS.slice(0, 2)) {
      judge.select(label, selects(label));
      const query = `&labelSelector=tier%3D${label}`;
      watches.push(this.#watch(query, rv, (e) => judge.selected(label, e), () => {}));
    }
    for (let i = 0; i < this.o.shared; i++) await this.#create(`shared-${i}`);
    await Promise.all(Array.from({ length: this.o.clients }, (_, i) => this.#client(i)));
    await this.#settle();
    this.#stop.abort();
    await Promise.all(watches);
    judge.end();
    return this.counts;
  }

  /** Gives watches 20 s to show what was acknowledged; ends at once when they have. */
  async #settle(): Promise<void> {
    for (let i = 0; i < 400 && !this.o.judge.settled; i++) {
      // A list may be of a version that only a bookmark or one more event reaches.
      if (i % 100 === 1) await this.#create(`last-${i}`);
      await new Promise((done) => setTimeout(done, i < 100 ? 5 : 65));
    }
  }

  async #client(id: number): Promise<void> {
    const { o } = this, mine = new Map<string, Item>();
    const int = (n: number) => Math.floor(o.random() * n);
    while (await o.next()) {
      try {
        if (int(100) < 6) await this.#list(int);
        else if (o.shared > 0 && int(100) < 25) await this.#contend(`shared-${int(o.shared)}`);
        else await this.#own(`own-${id}-${int(o.own)}`, mine, int);
      } catch (e) {
        this.counts.errors!++;
        o.judge.fault(`a request failed: ${e instanceof Error ? e.message : e}`);
      }
    }
  }

  async #own(name: string, mine: Map<string, Item>, int: (n: number) => number): Promise<void> {
    const item = mine.get(name);
    const keep = (next: Item | undefined) => next ? mine.set(name, next) : mine.delete(name);
    if (!item) return void keep(int(3) ? await this.#create(name) : await this.#apply(name, item));
    const kinds = [
      () => this.#update(name, item),
      () => this.#update(name, item),
      () => this.#patch(name, item, MERGE),
      () => this.#patch(name, item, JSON_PATCH),
      () => this.#apply(name, item),
      () => this.#stale(name, item),
      async () => (await this.#get(name), item),
      async () => (await this.#delete(name, item), undefined),
    ];
    keep(await kinds[int(kinds.length)]!());
  }

  #body(name: string, prev: string): Item {
    const n = String(++this.#n);
    const label = LABELS[Math.floor(this.o.random() * LABELS.length)]!;
    return { metadata: { name, labels: { tier: label } }, data: { n, prev, pad: "x".repeat(this.o.bytes) } };
  }

  async #create(name: string): Promise<Item> {
    return await this.#put("create", "POST", this.#path, this.#body(name, ""));
  }

  async #update(name: string, old: Item): Promise<Item> {
    const rv = old.metadata.resourceVersion!, body = this.#body(name, rv);
    const sent = { ...body, metadata: { ...body.metadata, resourceVersion: rv } };
    return await this.#put("update", "PUT", `${this.#path}/${name}`, sent);
  }

  async #patch(name: string, old: Item, type: string): Promise<Item> {
    const { metadata, data } = this.#body(name, old.metadata.resourceVersion!);
    const patch = type === MERGE ? { metadata: { labels: metadata.labels }, data } : [
      { op: "test", path: "/metadata/resourceVersion", value: old.metadata.resourceVersion },
      { op: "replace", path: "/metadata/labels/tier", value: metadata.labels!.tier },
      { op: "replace", path: "/data", value: data },
    ];
    return await this.#put("patch", "PATCH", `${this.#path}/${name}`, patch, type, data!.n!);
  }

  async #apply(name: string, old: Item | undefined): Promise<Item> {
    const body = { apiVersion: "v1", kind: "ConfigMap", ...this.#body(name, old?.metadata.resourceVersion ?? "") };
    const path = `${this.#path}/${name}?fieldManager=soak&force=true`;
    return await this.#put("apply", "PATCH", path, body, APPLY, body.data!.n!);
  }

  /** An update with a version that was replaced has to be refused. */
  async #stale(name: string, old: Item): Promise<Item> {
    const now = await this.#update(name, old);
    const { status } = await this.#send("stale", "PUT", `${this.#path}/${name}`, {
      ...this.#body(name, ""),
      metadata: old.metadata,
    });
    if (status !== 409) this.o.judge.fault(`an update of ${name} over a replaced version was answered with ${status}`);
    return now;
  }

  /** Reads and writes over what was read: refused exactly when somebody was faster. */
  async #contend(name: string): Promise<void> {
    const read = await this.#get(name), rv = read.metadata.resourceVersion!, body = this.#body(name, rv);
    const sent = { ...body, metadata: { ...body.metadata, resourceVersion: rv } };
    const { status, body: answer } = await this.#send("contend", "PUT", `${this.#path}/${name}`, sent);
    if (status === 200) return this.o.judge.put(answer);
    if (status !== 409) {
      this.o.judge.unknownPut(body.data!.n!);
      throw new Error(`update of ${name}: ${status}`);
    }
    this.counts.conflicts!++;
    const now = await this.#get(name);
    if (versionOf(now) <= versionOf(read)) this.o.judge.fault(`conflict on ${name} at ${rv}, which is the newest`);
  }

  async #get(name: string): Promise<Item> {
    const floor = this.o.judge.floor(name);
    const { status, body } = await this.#send("get", "GET", `${this.#path}/${name}`);
    if (status !== 200) throw new Error(`get of ${name}: ${status}`);
    if (versionOf(body) < floor) {
      this.o.judge.fault(`stale read: ${name} at ${versionOf(body)}, after ${floor} was told`);
    }
    this.o.judge.raise(name, versionOf(body));
    return body;
  }

  async #delete(name: string, old: Item): Promise<void> {
    const preconditions = { resourceVersion: old.metadata.resourceVersion };
    const { status } = await this.#send("delete", "DELETE", `${this.#path}/${name}`, { preconditions });
    if (status === 200) return this.o.judge.deleted(name);
    this.o.judge.unknownDeletion(name);
    throw new Error(`delete of ${name}: ${status}`);
  }

  /** A list in pages of any size, or from the cache: one version over all pages. */
  async #list(int: (n: number) => number): Promise<void> {
    const label = int(2) ? LABELS[int(2)] : undefined;
    const limit = [0, 1, 3, 10, 50, 500][int(6)] ?? 0;
    const selector = label ? `&labelSelector=tier%3D${label}` : "";
    const items: Item[] = [];
    let rv: string | undefined, token = "";
    do {
      const path = `${this.#path}?limit=${
        Math.max(limit, limit && Math.ceil(this.o.own * this.o.clients / 20))
      }${selector}${token}`;
      const { status, body } = await this.#send("list", "GET", path);
      if (status !== 200) throw new Error(`list: ${status} ${body?.message}`);
      rv ??= body.metadata.resourceVersion as string;
      if (body.metadata.resourceVersion !== rv) {
        this.o.judge.fault(`a page at ${body.metadata.resourceVersion} in a list at ${rv}`);
      }
      items.push(...body.items);
      token = body.metadata.continue ? `&continue=${encodeURIComponent(body.metadata.continue)}` : "";
    } while (token);
    this.o.judge.list(BigInt(rv), items, label ? selects(label) : undefined);
  }

  async #put(kind: string, method: string, path: string, body: unknown, type?: string, n?: string): Promise<Item> {
    const number = n ?? (body as Item).data!.n!;
    const reply = await this.#send(kind, method, path, body, type).catch((e) => {
      this.o.judge.unknownPut(number);
      throw e;
    });
    if (reply.status === 200 || reply.status === 201) {
      this.o.judge.put(reply.body);
      return reply.body;
    }
    this.o.judge.unknownPut(number);
    throw new Error(`${kind} of ${path}: ${reply.status} ${reply.body?.message}`);
  }

  async #send(kind: string, method: string, path: string, body?: unknown, type?: string): Promise<Reply> {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    return await this.o.way.send(method, path, body, type);
  }

  /** Watches on and on, each from where the last one ended. */
  async #watch(
    query: string,
    from: string,
    heard: (e: { type: string; object: Item }) => void,
    marked: (rv: bigint) => void,
  ) {
    const { signal } = this.#stop;
    let rv = from;
    while (!signal.aborted) {
      const path =
        `${this.#path}?watch=1&allowWatchBookmarks=true&timeoutSeconds=${this.o.watchSeconds}&resourceVersion=${rv}${query}`;
      try {
        const response = await this.o.way.open(path, signal);
        this.counts.watches!++;
        if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
        for await (const event of eventsOf(response)) {
          if (event.type === "ERROR") throw new Error(JSON.stringify(event.object));
          rv = event.object.metadata.resourceVersion!;
          if (event.type === "BOOKMARK") marked(BigInt(rv));
          else heard(event);
        }
      } catch (e) {
        if (signal.aborted) return;
        this.counts.errors!++;
        this.o.judge.fault(`a watch from ${rv} failed: ${e instanceof Error ? e.message : e}`);
        await new Promise((done) => setTimeout(done, 500));
      }
    }
  }
}

function selects(label: string): Selects {
  return (item) => item.metadata.labels?.tier === label;
}

/** Events of a watch, as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<{ type: string; object: Item }> {
  let rest = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}
