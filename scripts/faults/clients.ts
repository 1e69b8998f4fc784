/** Clients that write, read and list a few objects through several servers, and watches that go on whatever happens. */
import { pause } from "../../server/pause.ts";
import { eventsOf, type Way } from "../soak/load.ts";
import type { ListOp, Op, Seen, Stream, WatchEvent } from "./history.ts";

/** What the clients do. */
export interface ClientsOptions {
  /** One way to each server; requests on it end within some seconds. */
  readonly ways: readonly Way[];
  readonly namespace: string;
  readonly objects: number;
  readonly clients: number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** A watch that showed nothing, not even a bookmark, for so long is opened again, ms. */
const QUIET_MS = 20_000;
const now = () => performance.now();

/** See the top of the file. */
export class Clients {
  readonly ops: Op[] = [];
  readonly lists: ListOp[] = [];
  readonly streams: Stream[] = [];
  /** Requests by outcome. */
  readonly counts = { made: 0, refused: 0, unknown: 0, lists: 0, watches: 0, started: 0 };
  readonly #path: string;
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>[] = [];
  #n = 0;
  #ended = false;

  constructor(readonly o: ClientsOptions) {
    this.#path = `/api/v1/namespaces/${o.namespace}/configmaps`;
  }

  /** Watches through each server, from a version on. */
  watch(since: number): void {
    for (const way of this.o.ways) this.#watching.push(this.#follow(way, since));
  }

  /** Runs until {@linkcode Clients.finish}. */
  async run(): Promise<void> {
    const client = async () => {
      const known = new Map<string, number>();
      while (!this.#ended) await this.#step(known);
    };
    await Promise.all(Array.from({ length: this.o.clients }, client));
  }

  /** No request begins from here on. */
  finish(): void {
    this.#ended = true;
  }

  /** Waits until all watches have come to a version; how many have not after so many ms. */
  async settle(rv: number, within: number): Promise<number> {
    const late = () => this.#positions.filter((at) => at() < rv).length;
    for (const end = now() + within; late() > 0 && now() < end;) await pause(50);
    this.#stop.abort();
    await Promise.all(this.#watching);
    return late();
  }

  readonly #positions: (() => number)[] = [];

  #int(n: number): number {
    return Math.floor(this.o.random() * n);
  }

  #way(): Way {
    return this.o.ways[this.#int(this.o.ways.length)]!;
  }

  async #step(known: Map<string, number>): Promise<void> {
    const name = `o-${this.#int(this.o.objects)}`;
    const dice = this.o.random();
    const expect = known.get(name);
    let seen: Seen | undefined;
    if (dice < 0.07) return await this.#list();
    if (dice < 0.3 || expect === undefined) seen = await this.#get(name);
    else if (expect > 0 && dice < 0.4) seen = await this.#delete(name, expect);
    else seen = await this.put(name, expect);
    if (seen) known.set(name, seen.n === undefined ? 0 : seen.rv);
    else known.delete(name);
  }

  /** Writes an object over a version, 0 for none; what was made, if that is known. */
  async put(name: string, expect: number): Promise<Seen | undefined> {
    const n = String(++this.#n);
    const body = {
      metadata: { name, ...(expect > 0 ? { resourceVersion: String(expect) } : {}) },
      data: { n, prev: String(expect) },
    };
    const [method, path] = expect > 0 ? ["PUT", `${this.#path}/${name}`] : ["POST", this.#path];
    return await this.#op({ kind: "put", name, n, expect }, method!, path!, body);
  }

  #delete(name: string, expect: number): Promise<Seen | undefined> {
    const preconditions = { resourceVersion: String(expect) };
    return this.#op({ kind: "delete", name, expect }, "DELETE", `${this.#path}/${name}`, { preconditions });
  }

  #get(name: string): Promise<Seen | undefined> {
    return this.#op({ kind: "get", name }, "GET", `${this.#path}/${name}`);
  }

  async #op(
    op: Pick<Op, "kind" | "name" | "n" | "expect">,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Seen | undefined> {
    const begun = now();
    const reply = await this.#send(method, path, body);
    const outcome = outcomeOf(reply?.status);
    this.counts[outcome]++;
    const ended = outcome === "unknown" ? Infinity : now();
    const found = outcome === "made" && op.kind !== "delete" ? seenOf(reply!.body) : undefined;
    this.ops.push({ ...op, begun, ended, outcome, ...(found ? { seen: found } : {}) });
    if (outcome === "unknown") await pause(5 + this.#int(40));
    if (found) return found;
    const absent = op.kind === "get" ? outcome === "refused" : op.kind === "delete" && outcome === "made";
    return absent ? { rv: 0, n: undefined } : undefined;
  }

  async #list(): Promise<void> {
    const begun = now();
    const reply = await this.#send("GET", `${this.#path}${this.#int(2) ? "?limit=500" : ""}`);
    if (reply?.status !== 200) return;
    const { items, metadata } = reply.body;
    const seen = new Map((items as ObjectOf[]).map((i) => [i.metadata.name, seenOf(i)]));
    this.lists.push({ begun, ended: now(), rv: Number(metadata.resourceVersion), items: seen });
    this.counts.lists++;
  }

  /** Undefined: nobody knows. */
  #send(method: string, path: string, body?: unknown) {
    return this.#way().send(method, path, body).catch(() => undefined);
  }

  /** On and on, each watch from where the last one ended; with a list where that is too long ago. */
  async #follow(way: Way, since: number): Promise<void> {
    let stream = this.#begin(since);
    this.#positions.push(() => stream.upTo);
    while (!this.#stop.signal.aborted) {
      const expired = await this.#watch(way, stream).catch(() => false);
      if (expired) stream = await this.#restart(way) ?? stream;
      await pause(20);
    }
  }

  #begin(since: number): Stream {
    const stream: Stream = { since, upTo: since, events: [] };
    this.streams.push(stream);
    return stream;
  }

  async #restart(way: Way): Promise<Stream | undefined> {
    const reply = await way.send("GET", this.#path).catch(() => undefined);
    if (reply?.status !== 200) return undefined;
    this.counts.started++;
    return this.#begin(Number(reply.body.metadata.resourceVersion));
  }

  /** Whether its version was too old. */
  async #watch(way: Way, stream: Stream): Promise<boolean> {
    const quiet = new AbortController();
    const signal = AbortSignal.any([quiet.signal, this.#stop.signal]);
    let timer = setTimeout(() => quiet.abort(), QUIET_MS);
    try {
      const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=60&resourceVersion=${stream.upTo}`;
      const response = await way.open(`${this.#path}?${query}`, signal);
      if (response.status !== 200) return (await response.json()).code === 410;
      this.counts.watches++;
      for await (const { type, object } of eventsOf(response)) {
        clearTimeout(timer);
        timer = setTimeout(() => quiet.abort(), QUIET_MS);
        if (type === "ERROR") return (object as unknown as { code: number }).code === 410;
        const event: WatchEvent = { type, name: object.metadata.name, ...seenOf(object as unknown as ObjectOf) };
        stream.upTo = event.rv;
        if (type !== "BOOKMARK") stream.events.push(type === "DELETED" ? { ...event, n: undefined } : event);
      }
      return false;
    } finally {
      clearTimeout(timer);
    }
  }
}

interface ObjectOf {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: { readonly n?: string };
}

const seenOf = ({ metadata, data }: ObjectOf): Seen => ({ rv: Number(metadata.resourceVersion), n: data?.n });

function outcomeOf(status: number | undefined): Op["outcome"] {
  if (status === 200 || status === 201) return "made";
  return status === 404 || status === 409 ? "refused" : "unknown";
}
